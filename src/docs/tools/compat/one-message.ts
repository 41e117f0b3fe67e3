import { RETRIEVAL_LIMITS } from '../../../protocol/limits.ts';

/**
 * As many items, from the first on, as one message can carry: an answer of before has them three times, twice as JSON and once as JSON in
 * a text. A client that gets more hangs up, and with it every other call.
 */
export function fittingOneMessage<Item extends object>(
  items: readonly Item[],
): { readonly items: readonly Item[]; readonly isCut: boolean } {
  const encoder = new TextEncoder();
  const bytesOf = (text: string): number => encoder.encode(text).length;
  let bytes = 0;
  const most = items.findIndex(item => {
    const json = JSON.stringify(item);
    bytes += 2 * bytesOf(json) + bytesOf(JSON.stringify(json));
    return bytes > RETRIEVAL_LIMITS.messageBytesCompat;
  });
  return most < 0 ? { items, isCut: false } : { items: items.slice(0, most), isCut: true };
}
