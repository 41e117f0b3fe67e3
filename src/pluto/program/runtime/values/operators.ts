import type { Value } from '../../backend/contract.ts';
import { Byte, byteOf } from './byte.ts';
import { Bytes, type List, placeInside, PlutoMap } from './collections.ts';
import { divide, intOfFloat, remainder, wrap } from './ints.ts';

type Numeric = bigint | number;

/** Operators dispatched by operand type. The checker guarantees that both operands have the same type. */
const numeric =
  (ofInts: (a: bigint, b: bigint) => bigint, ofFloats: (a: number, b: number) => number) =>
  (a: Value, b: Value): Value =>
    typeof a === 'bigint' ? ofInts(a, b as bigint) : ofFloats(a as number, b as number);

const addNumbers = numeric(
  (a, b) => wrap(a + b),
  (a, b) => a + b,
);

export const add = (a: Value, b: Value): Value => (typeof a === 'string' ? a + String(b) : addNumbers(a, b));
export const subtract = numeric(
  (a, b) => wrap(a - b),
  (a, b) => a - b,
);
export const multiply = numeric(
  (a, b) => wrap(a * b),
  (a, b) => a * b,
);
export const divideAny = numeric(divide, (a, b) => a / b);
export const remainderAny = numeric(remainder, (a, b) => a % b);
export const negate = (a: Value): Value => (typeof a === 'bigint' ? wrap(-a) : -(a as number));

export function cast(value: Value, to: 'int' | 'float' | 'bool' | 'byte'): Value {
  // The checker guarantees a byte, a bool, an int or a float.
  const number = (value instanceof Byte ? value.value : typeof value === 'boolean' ? Number(value) : value) as Numeric;
  switch (to) {
    case 'int':
      return typeof number === 'bigint' ? number : intOfFloat(number);
    case 'float':
      return Number(number);
    case 'bool':
      return typeof number === 'bigint' ? number !== 0n : number !== 0;
    case 'byte':
      return byteOf(Number(BigInt.asUintN(8, typeof number === 'bigint' ? number : intOfFloat(number))));
  }
}

/** @throws Failure */
export function getAt(object: Value, index: Value): Value {
  if (typeof object === 'string') return object.charAt(placeInside(index as bigint, object.length, 'string'));
  return object instanceof PlutoMap ? object.getAt(index) : (object as List).getAt(index as bigint);
}

/** @throws Failure */
export function setAt(object: Value, index: Value, value: Value): void {
  if (object instanceof PlutoMap) object.setAt(index, value);
  else if (object instanceof Bytes) object.setAt(index as bigint, value as Byte);
  else (object as List).setAt(index as bigint, value);
}
