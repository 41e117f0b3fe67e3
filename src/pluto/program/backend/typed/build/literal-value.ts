/** The value of an int literal. 2^63 wraps to the smallest int, so that its negation is correct. */
export function literalValue(raw: string): bigint {
  return BigInt.asIntN(64, BigInt(raw.replaceAll('_', '')));
}
