/**
 * A string of a running program: bytes, UTF-8 by convention, as a JavaScript string with code units 0 to 255. Lengths, indices and slices
 * are native operations. Only literals, input and output are converted.
 */
export type ByteText = string;

export const toByteText = (text: string): ByteText =>
  isAscii(text) ? text : textOfBytes(new TextEncoder().encode(text));

/** Invalid UTF-8 becomes U+FFFD. */
export const fromByteText = (text: ByteText): string =>
  isAscii(text) ? text : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytesOfText(text));

export function textOfBytes(bytes: Uint8Array): ByteText {
  let text = '';
  // In chunks, because the number of arguments is limited.
  for (let start = 0; start < bytes.length; start += 8_192)
    text += String.fromCharCode(...bytes.subarray(start, start + 8_192));
  return text;
}

export function bytesOfText(text: ByteText): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) bytes[index] = text.charCodeAt(index);
  return bytes;
}

// oxlint-disable-next-line no-control-regex -- control characters are ASCII too
const isAscii = (text: string): boolean => /^[\0-\x7F]*$/.test(text);
