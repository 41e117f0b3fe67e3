/** By UTF-16 code units of the whole path: the order of every answer. */
export const comparePaths = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** By code points, which is the order of the UTF-8 bytes too: how one name follows another in a walk. */
export function compareNames(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const one = a.charCodeAt(at);
    const other = b.charCodeAt(at);
    if (one === other) continue;
    // Surrogates stand below U+E000 as units and above it as what they mean.
    const isOneHigh = one >= 0xd800 && one <= 0xdfff;
    const isOtherHigh = other >= 0xd800 && other <= 0xdfff;
    return isOneHigh === isOtherHigh ? one - other : isOneHigh ? 1 : -1;
  }
  return a.length - b.length;
}

/** The order in which a walk meets paths: name by name on the way down. */
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
