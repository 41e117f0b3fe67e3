import type { BinaryOp } from './ast/code.ts';

/** Precedence of the binary operators from 1; a higher level binds more tightly. All are left-associative. */
export const BINARY_LEVELS: Readonly<Record<BinaryOp, number>> = {
  '||': 1,
  '&&': 2,
  '|': 3,
  '^': 4,
  '&': 5,
  '==': 6,
  '!=': 6,
  '<': 7,
  '>': 7,
  '<=': 7,
  '>=': 7,
  '<<': 8,
  '>>': 8,
  '+': 9,
  '-': 9,
  '*': 10,
  '/': 10,
  '%': 10,
};
