const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const sextets = new Int8Array(128).fill(-1);
for (let index = 0; index < 64; index++) sextets[alphabet.charCodeAt(index)] = index;

const codes = Uint8Array.from(alphabet, char => char.charCodeAt(0));
const PADDING = 61;
const ascii = new TextDecoder('latin1');

/** Encodes with the standard alphabet and padding, on one line. Decodes all character codes in one step, because appending characters one by one is slow. */
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
  const bytes = new Uint8Array(Math.ceil((text.length * 3) / 4));
  let length = 0;
  let bits = 0;
  let bitCount = 0;
  let padding = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 32 || (code >= 9 && code <= 13)) continue;
    if (code === 61) {
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
