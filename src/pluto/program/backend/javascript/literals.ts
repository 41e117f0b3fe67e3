import type { FieldInit, Interpolation, ObjectValue, TypedValue } from '../typed/typed-form.ts';
import type { BodyEmitter } from './body.ts';
import { INVARIANTS } from '../typed/call-graph.ts';
import { byteLiteral } from './js-names.ts';

export function interpolation(body: BodyEmitter, { pieces }: Interpolation): string {
  const codes = body.sequence(
    pieces.map(piece => () => (typeof piece === 'string' ? byteLiteral(piece) : textCode(body, piece))),
  );
  const [first = '""'] = codes;
  // The operator is a concatenation if one side is a text.
  return `(${(first.startsWith('"') ? codes : ['""', ...codes]).join(' + ') || '""'})`;
}

/** The text that `print` and interpolations show. */
export function textCode(body: BodyEmitter, value: TypedValue): string {
  const code = body.code(value);
  switch (value.type.kind) {
    case 'string':
      return code;
    case 'int':
      return `$$text(${code})`;
    default:
      return `$rt.text(${code})`;
  }
}

export function pairs(codes: readonly string[]): string {
  const entries: string[] = [];
  for (let index = 0; index < codes.length; index += 2)
    entries.push(`[${codes[index] ?? ''}, ${codes[index + 1] ?? ''}]`);
  return entries.join(', ');
}

/** Whether the keys of a map, or the elements of a set, are ints. */
export function hasIntKeys({ type }: Pick<TypedValue, 'type'>): boolean {
  return (type.kind === 'map' && type.key.kind === 'int') || (type.kind === 'set' && type.element.kind === 'int');
}

export const ofInts = (value: Pick<TypedValue, 'type'>): string => (hasIntKeys(value) ? ', true' : '');

export function object(body: BodyEmitter, { of, fields, isChecked }: ObjectValue): string {
  const made = `new ${body.program.class(of)}(${initCodes(body, of.fields.length, fields).join(', ')})`;
  return isChecked && of.invariants.length > 0 ? body.called(INVARIANTS, `${made}.$$check()`) : made;
}

/** The fields of a literal, evaluated in source order, returned in the order of the declaration. */
export function initCodes(body: BodyEmitter, count: number, inits: readonly FieldInit[]): readonly string[] {
  const codeAt: string[] = [];
  const isInOrder = inits.every(({ index }, at) => index === at);
  const codes = body.codes(
    inits.map(({ value }) => value),
    !isInOrder,
  );
  for (const [at, { index }] of inits.entries()) codeAt[index] ??= codes[at] ?? 'null';
  return Array.from({ length: count }, (_, index) => codeAt[index] ?? 'null');
}

/** The value of a field that is never set. */
export function emptyCode(value: Pick<TypedValue, 'type'>): string {
  switch (value.type.kind) {
    case 'int':
    case 'float':
      return '0';
    case 'bool':
      return 'false';
    case 'byte':
      return '$rt.byte(0)';
    case 'string':
      return '""';
    case 'bytes':
      return '$rt.builtins.bytes_new()';
    case 'list':
      return '$rt.list([])';
    case 'map':
      return `$rt.map([]${ofInts(value)})`;
    case 'set':
      return `$rt.set([]${ofInts(value)})`;
    default:
      return 'null';
  }
}
