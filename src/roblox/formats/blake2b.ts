/**
 * BLAKE2b with a result of 16 bytes (RFC 7693): what Studio names shared strings by. Written as pairs of 32-bit halves,
 * low first, because bigints are far slower.
 */
export function blake2b128(bytes: Uint8Array): Uint8Array {
  const h = Uint32Array.from(initial);
  // Parameter block: 16 bytes of result, no key, fan-out and depth 1.
  h[0] = (h[0] ?? 0) ^ 0x01010010;
  const block = new Uint8Array(128);
  const lastStart = Math.max(0, (Math.ceil(bytes.length / 128) - 1) * 128);
  for (let start = 0; start <= lastStart; start += 128) {
    const part = bytes.subarray(start, start + 128);
    block.fill(0);
    block.set(part);
    compress(h, block, start + part.length, start === lastStart);
  }
  return new Uint8Array(h.buffer.slice(0, 16));
}

const initial = [
  0xf3bcc908, 0x6a09e667, 0x84caa73b, 0xbb67ae85, 0xfe94f82b, 0x3c6ef372, 0x5f1d36f1, 0xa54ff53a, 0xade682d1,
  0x510e527f, 0x2b3e6c1f, 0x9b05688c, 0xfb41bd6b, 0x1f83d9ab, 0x137e2179, 0x5be0cd19,
];

const sigma = [
  '0123456789abcdef',
  'ea489fd61c02b753',
  'b8c052fdae367194',
  '7931dcbe265a40f8',
  '905724afe1bc683d',
  '2c6a0b834d75fe19',
  'c51fed4a0763928b',
  'db7ec13950f4862a',
  '6fe9b308c2d714a5',
  'a2847615fb9e3cd0',
].map(row => Array.from(row, digit => Number.parseInt(digit, 16)));

const columns: readonly (readonly [number, number, number, number])[] = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
];

/** State, message block, bytes so far, whether this block is the last. */
function compress(h: Uint32Array, block: Uint8Array, byteCount: number, isLast: boolean): void {
  const view = new DataView(block.buffer);
  const m = Uint32Array.from({ length: 32 }, (_, index) => view.getUint32(index * 4, true));
  const v = new Uint32Array(32);
  v.set(h);
  v.set(initial, 16);
  v[24] = at(v, 24) ^ byteCount;
  v[25] = at(v, 25) ^ Math.floor(byteCount / 2 ** 32);
  if (isLast) {
    v[28] = ~at(v, 28);
    v[29] = ~at(v, 29);
  }
  for (let round = 0; round < 12; round++) {
    const order = sigma[round % 10] ?? [];
    for (const [index, lanes] of columns.entries()) mix(v, m, lanes, order[2 * index] ?? 0, order[2 * index + 1] ?? 0);
  }
  for (let index = 0; index < 16; index++) h[index] = at(h, index) ^ at(v, index) ^ at(v, index + 16);
}

const at = (words: Uint32Array, index: number): number => words[index] ?? 0;

/** `lanes`, `x` and `y` count 64-bit words. */
function mix(v: Uint32Array, m: Uint32Array, lanes: readonly number[], x: number, y: number): void {
  const [a = 0, b = 0, c = 0, d = 0] = lanes;
  add(v, a, v, b);
  add(v, a, m, x);
  xorRotate(v, d, a, 32);
  add(v, c, v, d);
  xorRotate(v, b, c, 24);
  add(v, a, v, b);
  add(v, a, m, y);
  xorRotate(v, d, a, 16);
  add(v, c, v, d);
  xorRotate(v, b, c, 63);
}

function add(to: Uint32Array, target: number, from: Uint32Array, source: number): void {
  const low = at(to, 2 * target) + at(from, 2 * source);
  to[2 * target] = low;
  to[2 * target + 1] = at(to, 2 * target + 1) + at(from, 2 * source + 1) + (low > 0xffffffff ? 1 : 0);
}

/** target = (target ^ source) rotated right by `bits`. */
function xorRotate(v: Uint32Array, target: number, source: number, bits: number): void {
  let low = (at(v, 2 * target) ^ at(v, 2 * source)) >>> 0;
  let high = (at(v, 2 * target + 1) ^ at(v, 2 * source + 1)) >>> 0;
  if (bits >= 32) [low, high] = [high, low];
  const rest = bits % 32;
  if (rest > 0)
    [low, high] = [((low >>> rest) | (high << (32 - rest))) >>> 0, ((high >>> rest) | (low << (32 - rest))) >>> 0];
  v[2 * target] = low;
  v[2 * target + 1] = high;
}
