/** The number with the fewest digits that rounds to the same 32-bit float; a number that is not a 32-bit float is returned unchanged. */
export function shortenFloat32(value: number): number {
  if (Number.isInteger(value) || Math.fround(value) !== value) return value;
  for (let digits = 1; digits < 9; digits++) {
    const shorter = Number(value.toPrecision(digits));
    if (Math.fround(shorter) === value) return shorter;
  }
  return Number(value.toPrecision(9));
}
