import { isDeclId } from '../identity/ids.ts';
import type { Tombstone } from '../identity/tombstones.ts';
import type { Section } from './byte-sections.ts';
import { canonicalJson } from './canonical-json.ts';

const TAG = 'TOMB';

/** The items that a container remembers; none if the section has another form. */
export function readTombstones(optional: readonly Section[]): readonly Tombstone[] {
  const section = optional.find(({ tag }) => tag === TAG);
  if (section === undefined) return [];
  try {
    const list: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(section.bytes));
    return Array.isArray(list) && list.every(isTombstone) ? list : [];
  } catch {
    return [];
  }
}

function isTombstone(value: unknown): value is Tombstone {
  if (typeof value !== 'object' || value === null) return false;
  const { id, kind, name, digest } = value as Readonly<Record<string, unknown>>;
  return (
    typeof id === 'string' &&
    isDeclId(id) &&
    typeof kind === 'string' &&
    typeof name === 'string' &&
    typeof digest === 'string'
  );
}

/** The same optional sections with these tombstones; without a section if there are none. */
export function withTombstones(optional: readonly Section[], tombstones: readonly Tombstone[]): readonly Section[] {
  const others = optional.filter(({ tag }) => tag !== TAG);
  if (tombstones.length === 0) return others;
  const list = tombstones.map(({ id, kind, name, digest }) => ({ id, kind, name, digest }));
  return [...others, { tag: TAG, isRequired: false, bytes: new TextEncoder().encode(canonicalJson(list)) }];
}
