import type { TypedEnum } from '../typed/typed-form.ts';
import { unbox } from './boxes.ts';
import type { Signature } from './callee.ts';
import { I32, refTo } from './encoder.ts';
import { type ClosedEnum, FunctionCode, type FunctionContext } from './function-code.ts';
import {
  ANY_OBJECT,
  arrayType,
  type Boxed,
  isBoxed,
  isObject,
  type Kind,
  type ObjectKind,
  objectType,
  presentOf,
  scalarOf,
  TAG,
} from './kinds.ts';
import { unsupported } from './unsupported.ts';

type Kinds = Pick<FunctionContext, 'kindOf' | 'enumOf'>;

function kindOfEnum({ kindOf }: Kinds, { type }: TypedEnum): ObjectKind | undefined {
  const kind = kindOf(type);
  return kind !== undefined && isObject(kind) ? kind : undefined;
}

/** The kind of the values that the comparison of an enum has as parameters: those of all enums of its cycle. */
const comparedKind = (kind: ObjectKind, { cycle }: ClosedEnum): ObjectKind => (cycle.length > 1 ? ANY_OBJECT : kind);

export function comparisonSignature(kinds: Kinds, of: TypedEnum): Signature | undefined {
  const kind = kindOfEnum(kinds, of);
  const found = kind && kinds.enumOf(kind);
  if (kind === undefined || found === undefined) return undefined;
  const compared = comparedKind(kind, found);
  return { self: undefined, params: [`${compared}?`, `${compared}?`], result: 'bool' };
}

/**
 * Emits the function that compares two values of an enum, either of which may be `none`: by identity first, then by fields, as in JavaScript. Enums that
 * contain each other have one function.
 */
export function equalityFunction(context: FunctionContext, of: TypedEnum): FunctionCode {
  const kind = kindOfEnum(context, of) ?? unsupported();
  const found = context.enumOf(kind) ?? unsupported();
  const body = new FunctionCode(context, () => unsupported(), 'bool');
  const sides = [body.argument(), body.argument()] as const;
  if (found.cycle.length === 0) {
    compareIdentity(body, sides, () => body.code.i32(1).op('return'));
    compareFields(body, sides, kind, found, undefined);
  } else compareCycle(body, sides, comparedKind(kind, found), found.cycle);
  body.code.i32(1);
  return body;
}

/** The variables with the two values that are compared. */
type Sides = readonly [left: number, right: number];

function returnFalseIf({ code }: FunctionCode): void {
  code.open('if').i32(0).op('return', 'end');
}

/** Returns if one value is `none`. @param same is emitted for identical values, and must leave this code */
function compareIdentity(body: FunctionCode, sides: Sides, same: () => void): void {
  const { code } = body;
  for (const side of sides) code.at('local.get', side);
  code.op('ref.eq');
  body.open('if');
  same();
  body.end();
  for (const side of sides) {
    code.at('local.get', side).op('ref.is_null');
    returnFalseIf(body);
  }
}

/** The fields that are compared later: those with values of the enums of a cycle. */
interface InnerFields {
  includes(field: Kind): boolean;
  /** Takes over the values on the stack. */
  compareLater(isLast: boolean): void;
}

/** Compares two different values of an enum. */
function compareFields(
  body: FunctionCode,
  sides: Sides,
  compared: ObjectKind,
  { variants }: ClosedEnum,
  inner: InnerFields | undefined,
): void {
  const { code } = body;
  const tag = (side: number): void => void code.at('local.get', side).gc('struct.get', objectType(compared), TAG);
  for (const side of sides) tag(side);
  code.op('i32.ne');
  returnFalseIf(body);
  for (const [index, { type, fields, constant }] of variants.entries()) {
    if (constant !== undefined) continue;
    const fieldOf = (side: number, at: number): void =>
      void code
        .at('local.get', side)
        .cast(type)
        .gc('struct.get', type, at + 1);
    tag(sides[0]);
    code.i32(index).op('i32.eq');
    body.open('if');
    const later: number[] = [];
    for (const [at, field] of fields.entries()) {
      if (inner?.includes(field) === true) {
        later.push(at);
        continue;
      }
      for (const side of sides) fieldOf(side, at);
      isSame(body, field);
      code.op('i32.eqz');
      returnFalseIf(body);
    }
    for (const at of later) {
      for (const side of sides) fieldOf(side, at);
      inner?.compareLater(at === later.at(-1));
    }
    body.end();
  }
}

const MIN_OPEN = 16;

/** Compares values of enums that contain each other, without recursion, because a chain of values may be deeper than the stack. */
function compareCycle(body: FunctionCode, sides: Sides, compared: ObjectKind, cycle: readonly ObjectKind[]): void {
  const { code } = body;
  const [left, right] = sides;
  const array = arrayType(compared);
  /** Pairs of values that are still to be compared. */
  const open = body.local(refTo(array));
  const [count, capacity] = [body.local(I32), body.local(I32)];
  const grown = body.local(refTo(array));
  const next: Sides = [body.local(compared), body.local(compared)];
  code.i32(0).at('local.set', count).i32(0).at('local.set', capacity);
  const isEqual = body.open('block');
  const again = body.open('loop');
  const isSamePair = body.open('block');
  compareIdentity(body, sides, () => body.branch('br', isSamePair));
  const members = new Set<Kind>(cycle);
  const compareLater = (isLast: boolean): void => {
    code.at('local.set', next[1]).at('local.set', next[0]);
    if (isLast) {
      code.at('local.get', next[0]).at('local.set', left).at('local.get', next[1]).at('local.set', right);
      body.branch('br', again);
      return;
    }
    code.at('local.get', next[0]).at('local.get', next[1]).op('ref.eq', 'i32.eqz').open('if');
    code.at('local.get', count).at('local.get', capacity).op('i32.eq').open('if');
    code.at('local.get', count).i32(1).op('i32.shl').i32(MIN_OPEN).at('local.get', count).op('select');
    code.at('local.tee', capacity).gc('array.new_default', array).at('local.set', grown);
    code.at('local.get', count).open('if').at('local.get', grown).i32(0).at('local.get', open).i32(0);
    code.at('local.get', count).gc('array.copy', array, array).op('end');
    code.at('local.get', grown).at('local.set', open).op('end');
    for (const [index, one] of next.entries())
      code
        .at('local.get', open)
        .at('local.get', count)
        .i32(index)
        .op('i32.add')
        .at('local.get', one)
        .gc('array.set', array);
    code.at('local.get', count).i32(2).op('i32.add').at('local.set', count).op('end');
  };
  const inner: InnerFields = {
    includes: field => members.has(presentOf(field)),
    compareLater,
  };
  for (const member of cycle) {
    const found = body.context.enumOf(member) ?? unsupported();
    if (cycle.length > 1) {
      code.at('local.get', left).hasType(objectType(member));
      body.open('if');
    }
    compareFields(body, sides, compared, found, inner);
    // The values have a variant without such fields.
    body.branch('br', isSamePair);
    if (cycle.length > 1) body.end();
  }
  body.end();
  code.at('local.get', count).op('i32.eqz');
  body.branch('br_if', isEqual);
  code.at('local.get', count).i32(2).op('i32.sub').at('local.set', count);
  for (const [index, side] of sides.entries())
    code
      .at('local.get', open)
      .at('local.get', count)
      .i32(index)
      .op('i32.add')
      .gc('array.get', array)
      .at('local.set', side);
  body.branch('br', again);
  body.end();
  body.end();
}

/** Compares two values on the stack, as `==` does. */
export function isSame(body: FunctionCode, kind: Kind): void {
  const { code } = body;
  if (isBoxed(kind)) return isSameBoxed(body, kind, () => isSame(body, scalarOf(kind)));
  const present = presentOf(kind);
  switch (present) {
    case 'int':
      code.op('i64.eq');
      return;
    case 'float':
      code.op('f64.eq');
      return;
    case 'bool':
    case 'byte':
      code.op('i32.eq');
      return;
    case 'string':
      return body.call('equals');
    case 'range':
    case 'error':
      return body.call('is_same');
    default:
      if (isObject(present)) isSameObject(body, present);
      else code.op('ref.eq');
  }
}

/** Compares two objects, or two values of an enum, on the stack; either may be `none`. */
function isSameObject(body: FunctionCode, kind: ObjectKind): void {
  const found = body.context.enumOf(kind);
  if (found === undefined || found.variants.every(({ constant }) => constant !== undefined)) {
    body.code.op('ref.eq');
    return;
  }
  const shared = body.context.enumOf(found.cycle[0] ?? kind) ?? unsupported();
  body.callFunction(shared.of);
}

/** Leaves whether two values on the stack are the same. @param compare compares two scalars on the stack */
export function isSameBoxed(body: FunctionCode, kind: Boxed, compare: () => void): void {
  const { code } = body;
  const [left, right] = [body.local(kind), body.local(kind)];
  code.at('local.set', right).at('local.tee', left).op('ref.is_null').open('if', I32);
  code.at('local.get', right).op('ref.is_null', 'else').at('local.get', right).op('ref.is_null').open('if', I32).i32(0);
  code.op('else');
  for (const side of [left, right]) {
    code.at('local.get', side);
    unbox(code, kind);
  }
  compare();
  code.op('end', 'end');
}
