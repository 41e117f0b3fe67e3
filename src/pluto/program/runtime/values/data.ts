import type { EnumValue, Value, EnumVariant } from '../../backend/contract.ts';
import type { CompactInt } from './compact-ints.ts';

/** Base class of all classes of a program. */
export class Instance {}

export class EnumData implements EnumValue {
  readonly variant: EnumVariant;
  readonly fields: readonly Value[];

  constructor(variant: EnumVariant, fields: readonly Value[]) {
    this.variant = variant;
    this.fields = fields;
  }

  get tag(): number {
    return this.variant.tag;
  }
}

/** @param fieldNames in the order of the declaration */
export function makeVariant(enumName: string, name: string, tag: number, fieldNames: readonly string[]): EnumVariant {
  const variant: EnumVariant = {
    enumName,
    name,
    tag,
    fieldNames,
    make: (...fields) => (fieldNames.length === 0 ? only : new EnumData(variant, fields)),
  };
  const only = new EnumData(variant, []);
  return variant;
}

/** `a..b` and `a..=b` */
export class Range {
  readonly from: bigint;
  /** Exclusive. */
  readonly end: bigint;

  constructor(from: CompactInt, to: CompactInt, isInclusive: boolean) {
    this.from = BigInt(from);
    this.end = BigInt(to) + (isInclusive ? 1n : 0n);
  }
}

interface Captured {
  readonly make: (...captured: Value[]) => (...args: Value[]) => Value;
  readonly values: readonly Value[];
}

/** Captured values of functions, for copying. */
const captures = new WeakMap<object, Captured>();

export function closure(make: Captured['make'], values: readonly Value[]): Value {
  const made = make(...values);
  captures.set(made, { make, values });
  return made;
}

/** `undefined` for a function without captured values. */
export const capturedBy = (value: object): Captured | undefined => captures.get(value);
