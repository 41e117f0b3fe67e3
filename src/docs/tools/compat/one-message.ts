import { RETRIEVAL_LIMITS } from '../../../protocol/limits.ts';

/**
 * Returns the first items that fit into one message. An old answer contains each item three times: twice as JSON, and once as JSON in a
 * string. A client that receives a longer message closes the connection, which fails all its calls.
 */
export function takeFittingMessage<Item extends object>(
  items: readonly Item[],
): { readonly items: readonly Item[]; readonly isCut: boolean } {
  const encoder = new TextEncoder();
  const bytesOf = (text: string): number => encoder.encode(text).length;
  let bytes = 0;
  const end = items.findIndex(item => {
    const json = JSON.stringify(item);
    bytes += 2 * bytesOf(json) + bytesOf(JSON.stringify(json));
    return bytes > RETRIEVAL_LIMITS.messageBytesCompat;
  });
  return end < 0 ? { items, isCut: false } : { items: items.slice(0, end), isCut: true };
}
