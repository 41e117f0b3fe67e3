/**
 * Strings of a running program are bytes, UTF-8 by convention. They are JavaScript strings whose code units are these bytes, 0 to 255, so
 * that lengths, places and parts are native operations. Text crosses over at the edge: literals when they are compiled, input and output.
 */
export type ByteText = string;

export const toByteText = (text: string): ByteText =>
  isAscii(text) ? text : textOfBytes(new TextEncoder().encode(text));

/** Bytes that are no UTF-8 become U+FFFD. */
export const fromByteText = (text: ByteText): string =>
  isAscii(text) ? text : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytesOfText(text));

export function textOfBytes(bytes: Uint8Array): ByteText {
  let text = '';
  // In parts, because a call takes only so many arguments.
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
