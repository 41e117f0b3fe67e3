/** Compares strings by their UTF-8 bytes, which is the order of code points. Used for names of files, nodes and properties. */
export function compareByteOrder(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    // The first different code unit decides. When both are second units of a surrogate pair, they order like their code points.
    const x = a.charCodeAt(index);
    const y = b.charCodeAt(index);
    if (x !== y) return isSurrogate(x) === isSurrogate(y) ? x - y : isSurrogate(x) ? 1 : -1;
  }
  return a.length - b.length;
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff;
