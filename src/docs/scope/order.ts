/** Compares whole paths by UTF-16 code units: the order of every answer. */
export const comparePaths = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Compares names by code points, which equals the order of their UTF-8 bytes: the order of a walk. */
export function compareNames(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const one = a.charCodeAt(at);
    const other = b.charCodeAt(at);
    if (one === other) continue;
    // As code units, surrogates sort below U+E000; the code points that they encode sort above it.
    const isOneHigh = one >= 0xd800 && one <= 0xdfff;
    const isOtherHigh = other >= 0xd800 && other <= 0xdfff;
    return isOneHigh === isOtherHigh ? one - other : isOneHigh ? 1 : -1;
  }
  return a.length - b.length;
}

/** Compares paths name by name: the order in which a walk visits them. */
export function compareWalk(a: string, b: string): number {
  const ours = a.split('/');
  const theirs = b.split('/');
  for (let at = 0; ; at += 1) {
    const one = ours[at];
    const other = theirs[at];
    if (one === undefined || other === undefined) return (one === undefined ? 0 : 1) - (other === undefined ? 0 : 1);
    const difference = compareNames(one, other);
    if (difference !== 0) return difference;
  }
}
