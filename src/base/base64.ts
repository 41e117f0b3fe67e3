const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const sextets = new Int8Array(256).fill(-1);
for (let index = 0; index < 64; index++) sextets[alphabet.charCodeAt(index)] = index;

const codes = Uint8Array.from(alphabet, char => char.charCodeAt(0));
const PADDING = 61;
const ascii = new TextDecoder('latin1');
const utf8 = new TextEncoder();

/** Encodes with the standard alphabet and padding, on one line. Collects character codes, because appending characters one by one is slow. */
export function encodeBase64(bytes: Uint8Array): string {
  const text = new Uint8Array(4 * Math.ceil(bytes.length / 3));
  let to = 0;
  for (let at = 0; at < bytes.length; at += 3) {
    const left = bytes.length - at;
    const group = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    text[to++] = codes[group >> 18] ?? 0;
    text[to++] = codes[(group >> 12) & 63] ?? 0;
    text[to++] = left > 1 ? (codes[(group >> 6) & 63] ?? 0) : PADDING;
    text[to++] = left > 2 ? (codes[group & 63] ?? 0) : PADDING;
  }
  return ascii.decode(text);
}

/** Decodes base64. Ignores white space and accepts missing padding; returns `undefined` for anything else that is invalid. */
export function decodeBase64(text: string): Uint8Array | undefined {
  const given = bytesOf(text);
  const bytes = new Uint8Array(Math.ceil((given.length * 3) / 4));
  let length = 0;
  let bits = 0;
  let bitCount = 0;
  let padding = 0;
  for (let at = 0; at < given.length; at++) {
    // Whole groups, until anything else follows.
    while (bitCount === 0 && padding === 0 && at + 4 <= given.length) {
      const group =
        (sextetAt(given, at) << 18) |
        (sextetAt(given, at + 1) << 12) |
        (sextetAt(given, at + 2) << 6) |
        sextetAt(given, at + 3);
      if (group < 0) break;
      bytes[length++] = group >> 16;
      bytes[length++] = group >> 8;
      bytes[length++] = group;
      at += 4;
    }
    if (at === given.length) break;
    const code = given[at] ?? 0;
    if (code === 32 || (code >= 9 && code <= 13)) continue;
    if (code === PADDING) {
      padding++;
      continue;
    }
    const sextet = sextets[code] ?? -1;
    if (sextet < 0 || padding > 0) return undefined;
    bits = ((bits << 6) | sextet) & 0xffffff;
    bitCount += 6;
    if (bitCount >= 8) {
      bitCount -= 8;
      bytes[length++] = (bits >> bitCount) & 255;
    }
  }
  return bitCount === 6 || padding > 2 ? undefined : bytes.subarray(0, length);
}

/** A buffer for one text, reused because a place has thousands of texts, and an array for each would be garbage. */
const room = new Uint8Array(64 * 1024);

/** The bytes of a text, valid until the next call. Reading bytes is several times as fast as reading characters of a substring. */
function bytesOf(text: string): Uint8Array {
  // UTF-8 has at most three bytes for a UTF-16 unit.
  if (text.length * 3 > room.length) return utf8.encode(text);
  return room.subarray(0, utf8.encodeInto(text, room).written);
}

/** The six bits of a character, or a negative number. */
const sextetAt = (given: Uint8Array, at: number): number => sextets[given[at] ?? 0] ?? -1;
