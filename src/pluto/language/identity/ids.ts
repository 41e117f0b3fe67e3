import type { Hasher } from '../../../ports/hasher.ts';
import type { DeclId } from '../syntax/ast/node.ts';

/**
 * Makes the id of an item that had none. `place` names it from the module inwards, with NUL in between (`class Point`, `method scale`);
 * two items with the same place and name differ by a number at the end.
 */
export type MakeId = (place: string) => DeclId;

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
export function derivedIds(hasher: Pick<Hasher, 'sha256'>, module: string): MakeId {
  return place => {
    const hex = hasher.sha256(`pluto item\0${module}\0${place}`);
    const variant = ((parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
    // Built to that spelling here, and joined because a chain of parts would take ten times the memory.
    return [
      hex.slice(0, 8),
      hex.slice(8, 12),
      `8${hex.slice(13, 16)}`,
      variant + hex.slice(17, 20),
      hex.slice(20, 32),
    ].join('-') as DeclId;
  };
}
