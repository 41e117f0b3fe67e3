/** The value of an int literal. 2^63 wraps to the smallest int, so that its negation is correct. */
export function literalValue(raw: string): bigint {
  const digits = raw.replaceAll('_', '');
  return BigInt.asIntN(
    64,
    BigInt(/^\d/.test(digits) && !/^0[xXbB]/.test(digits) ? digits.replace(/^0+(?=\d)/, '') : digits),
  );
}
