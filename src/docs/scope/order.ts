import { compareByteOrder } from '../../base/byte-order.ts';

/** Compares whole paths by UTF-16 code units: the order of every answer. */
export const comparePaths = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Compares paths name by name: the order in which a walk visits them. */
export function compareWalk(a: string, b: string): number {
  const ours = a.split('/');
  const theirs = b.split('/');
  for (let at = 0; ; at += 1) {
    const one = ours[at];
    const other = theirs[at];
    if (one === undefined || other === undefined) return (one === undefined ? 0 : 1) - (other === undefined ? 0 : 1);
    const difference = compareByteOrder(one, other);
    if (difference !== 0) return difference;
  }
}
