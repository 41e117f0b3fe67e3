import type { Hasher } from '../../../ports/hasher.ts';
import type { DeclId } from '../syntax/ast/node.ts';

/**
 * Creates the id of an item without one. `place` is its path from the module inwards, separated by NUL (`class Point`, `method scale`); a
 * number at the end distinguishes two items with the same path.
 */
export type MakeId = (place: string) => DeclId;

/** Returns the `MakeId` of a module. */
export type IdsOfModule = (module: string) => MakeId;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export const isDeclId = (text: string): text is DeclId => UUID.test(text);

/** Random ids, for new items of a container. */
// The port guarantees a UUID in this form.
export const freshIds =
  (random: { uuid(): string }): MakeId =>
  () =>
    random.uuid() as DeclId;

/**
 * Ids derived from the module and the path, for text modules, which cannot store ids: another process must compute the same ones. They are
 * UUIDs of version 8 (RFC 9562), from SHA-256.
 */
export function derivedIds(hasher: Pick<Hasher, 'sha256'>, module: string): MakeId {
  return place => {
    const hex = hasher.sha256(`pluto item\0${module}\0${place}`);
    const variant = ((parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
    // In the form of a UUID, and joined, because a rope of parts would take ten times the memory.
    return [
      hex.slice(0, 8),
      hex.slice(8, 12),
      `8${hex.slice(13, 16)}`,
      variant + hex.slice(17, 20),
      hex.slice(20, 32),
    ].join('-') as DeclId;
  };
}

/** Counted ids, for a process that neither stores nor shows ids. Unlike hashes, they need no code that takes long to load. */
export function countedIds(): IdsOfModule {
  const known = new Map<string, DeclId>();
  return module => place => {
    const key = `${module}\0${place}`;
    const id = known.get(key) ?? (`00000000-0000-8000-8000-${String(known.size).padStart(12, '0')}` as DeclId);
    known.set(key, id);
    return id;
  };
}
