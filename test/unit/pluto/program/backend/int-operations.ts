export const wrap = (value: bigint): bigint => BigInt.asIntN(64, value);

/** The result of an operator of Pluto on ints. Division is guarded in the source, so the evaluator guards it too. */
export function ofInts(op: string, a: bigint, b: bigint): bigint {
  switch (op) {
    case '+':
      return wrap(a + b);
    case '-':
      return wrap(a - b);
    case '*':
      return wrap(a * b);
    case '/':
      return a / ((b & 1023n) + 1n);
    case '%':
      return a % ((b & 1023n) + 1n);
    case '&':
      return a & b;
    case '|':
      return a | b;
    case '^':
      return a ^ b;
    case '<<':
      return wrap(a << (b & 63n));
    default:
      return a >> (b & 63n);
  }
}
