import type { DeclId } from '../syntax/ast/node.ts';

/**
 * Makes the id of an item that had none. `where` names it from the module inwards (`class Point`, `method scale`); two items of one
 * place and name are told apart by a number at the end.
 */
export type MakeId = (where: readonly string[]) => DeclId;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export const isDeclId = (text: string): text is DeclId => UUID.test(text);

/** Random ids, for what is new in a container. */
// The port promises a UUID in this spelling.
export const freshIds =
  (random: { uuid(): string }): MakeId =>
  () =>
    random.uuid() as DeclId;

/**
 * Ids that follow from the module and the place, for text modules: they hold none, and a second process must find the same ones.
 * They are UUIDs of version 8 (RFC 9562), made from SHA-256.
 */
export function derivedIds(hasher: { sha256(bytes: Uint8Array): string }, module: string): MakeId {
  const encoder = new TextEncoder();
  return where => {
    const hex = hasher.sha256(encoder.encode(`pluto item\0${module}\0${where.join('\0')}`));
    const variant = ((parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
    // Built to that spelling here.
    return [
      hex.slice(0, 8),
      hex.slice(8, 12),
      `8${hex.slice(13, 16)}`,
      variant + hex.slice(17, 20),
      hex.slice(20, 32),
    ].join('-') as DeclId;
  };
}
