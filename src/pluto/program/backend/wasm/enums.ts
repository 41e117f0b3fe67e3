import type { MatchPattern, TypedValue, VariantValue } from '../typed/typed-form.ts';
import { refTo } from './encoder.ts';
import type { ClosedEnum, FunctionCode, WasmLocal } from './function-code.ts';
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
  if (variant.constant !== undefined) code.constant(variant.constant);
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
