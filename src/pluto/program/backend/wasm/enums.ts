import type { MatchPattern, TypedValue, VariantValue } from '../typed/typed-form.ts';
import { refTo } from './encoder.ts';
import type { NameFunction, Signature } from './callee.ts';
import { type ClosedEnum, FunctionCode, type FunctionContext, type WasmLocal } from './function-code.ts';
import { codeOf, isObject, type Kind, type ObjectKind, objectType, TAG, type VariantLayout } from './kinds.ts';
import { fieldsInOrder } from './objects.ts';
import { unsupported } from './unsupported.ts';

/** From this number of arms, a table is faster than comparisons. */
const MIN_TABLE = 5;

const enumOf = (body: FunctionCode, kind: Kind): ClosedEnum =>
  (isObject(kind) ? body.context.enumOf(kind) : undefined) ?? unsupported();

/** Emits a new value of an enum. */
export function newVariant(body: FunctionCode, { type, of, fields }: VariantValue): ObjectKind {
  const { code } = body;
  const kind = body.kindOfType(type.kind === 'nullable' ? type.element : type);
  if (!isObject(kind)) return unsupported();
  const variant = enumOf(body, kind).variants[of.tag] ?? unsupported();
  if (variant.constant !== undefined) code.global('global.get', variant.constant);
  else {
    code.i32(of.tag);
    fieldsInOrder(body, fields, variant.fields.length, index => variant.fields[index] ?? unsupported());
    code.gc('struct.new', variant.type);
  }
  return kind;
}

/** Emits the arms of a `match`. @param result the kind of the value that each arm leaves, if any */
export function match<Arm extends MatchPattern>(
  body: FunctionCode,
  subject: TypedValue,
  arms: readonly Arm[],
  result: Kind | undefined,
  inside: (arm: Arm) => void,
): void {
  const { code } = body;
  const held = body.toLocal(subject);
  if (!isObject(held.kind)) return unsupported();
  const { variants } = enumOf(body, held.kind);
  const type = objectType(held.kind);
  const tag = (): void => void code.at('local.get', held.index).gc('struct.get', type, TAG);
  const emitArm = (arm: Arm): void => {
    bind(body, held, variants[arm.tag] ?? unsupported(), arm);
    inside(arm);
  };
  const blockType = result === undefined ? undefined : codeOf(result);
  const last = arms.at(-1) ?? unsupported();
  if (arms.length < MIN_TABLE) {
    for (const arm of arms.slice(0, -1)) {
      tag();
      code.i32(arm.tag).op('i32.eq');
      body.open('if', blockType);
      emitArm(arm);
      code.op('else');
    }
    emitArm(last);
    for (const _ of arms.slice(1)) body.end();
    return;
  }
  const exit = body.open('block', blockType);
  const labels = new Map(arms.toReversed().map(arm => [arm, body.open('block')]));
  const labelOf = (arm: Arm): number => labels.get(arm) ?? unsupported();
  const byTag = new Map(arms.map(arm => [arm.tag, labelOf(arm)]));
  tag();
  body.branchTable(
    variants.map((_, index) => byTag.get(index) ?? labelOf(last)),
    labelOf(last),
  );
  for (const arm of arms) {
    body.end();
    emitArm(arm);
    if (arm !== last) body.branch('br', exit);
  }
  body.end();
}

/** Reads the fields of a variant into the variables of a pattern. */
function bind(
  body: FunctionCode,
  { index }: WasmLocal,
  { type, fields }: VariantLayout,
  { bindings }: MatchPattern,
): void {
  if (bindings.length === 0) return;
  const { code } = body;
  const held = body.local(refTo(type));
  code.at('local.get', index).cast(type).at('local.set', held);
  for (const { variable, index: field } of bindings) {
    const kind = fields[field] ?? unsupported();
    code
      .at('local.get', held)
      .gc('struct.get', type, field + 1)
      .at('local.set', body.declare(variable, kind));
  }
}

/** The parameter is a value of an enum, or `none`. */
export const nameSignature = (of: NameFunction): Signature => ({
  self: undefined,
  params: [`${enumOfName(of)}?`],
  result: 'string',
});

const enumOfName = (of: NameFunction): ObjectKind => of.slice('name '.length) as ObjectKind;

/** Emits the function that finds the name of the variant of a value: a binary search for its tag. */
export function nameFunction(context: FunctionContext, of: NameFunction): FunctionCode {
  const kind = enumOfName(of);
  const { of: found } = context.enumOf(kind) ?? unsupported();
  const body = new FunctionCode(context, () => unsupported(), 'string');
  const { code } = body;
  // Its calls have no places.
  code.mark('');
  const value = body.argument();
  code.at('local.get', value).op('ref.is_null').open('if').nullExtern().op('return', 'end');
  const choose = (from: number, to: number): void => {
    if (to - from === 1) return body.text(`${found.name}.${found.names[from] ?? ''}`);
    const middle = (from + to) >> 1;
    code.at('local.get', value).gc('struct.get', objectType(kind), TAG).i32(middle).op('i32.ge_u');
    code.open('if', codeOf('string'));
    choose(middle, to);
    code.op('else');
    choose(from, middle);
    code.op('end');
  };
  choose(0, found.names.length);
  return body;
}
