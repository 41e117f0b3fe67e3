import * as json from './json-entry.ts';
import type { JsonObject } from './server-name.ts';
import * as toml from './toml-entry.ts';

/** Where a config file has its servers: an object of a JSON file, or a table of a TOML file. */
export type EntryLocation =
  | { readonly format: 'json'; readonly path: readonly string[] }
  | { readonly format: 'toml'; readonly table: string };

/**
 * The state of Atlas Bridge's entry in a config file. `outdated`: written by an older version. `foreign`: an entry with the same name that
 * Atlas Bridge did not write. `unreadable`: invalid syntax, or an invalid structure.
 */
export type EntryState = 'absent' | 'connected' | 'outdated' | 'foreign' | 'unreadable';

/** @param text content of the file; `undefined` if it does not exist */
export function entryState(text: string | undefined, wanted: JsonObject, at: EntryLocation): EntryState {
  if (text === undefined || text.trim() === '') return 'absent';
  const [, content] = splitMark(text);
  const found = at.format === 'json' ? json.findEntry(content, at.path) : toml.findEntry(content, at.table);
  if (found.kind !== 'found') return found.kind;
  if (!isWrittenByAtlas(found.value)) return 'foreign';
  return hasMembers(found.value, wanted) ? 'connected' : 'outdated';
}

/** Adds or replaces the entry. Keeps everything else, including comments and formatting. */
export function withEntry(text: string | undefined, wanted: JsonObject, at: EntryLocation): string {
  const [mark, before] = splitMark(text ?? '');
  const after =
    at.format === 'json' ? json.withEntry(before, wanted, at.path) : toml.withEntry(before, wanted, at.table);
  return mark + after;
}

/** Removes the entry. Returns `undefined` if nothing else is left. */
export function withoutEntry(text: string, at: EntryLocation): string | undefined {
  const [mark, before] = splitMark(text);
  const after = at.format === 'json' ? json.withoutEntry(before, at.path) : toml.withoutEntry(before, at.table);
  return after === undefined ? undefined : mark + after;
}

/** The content of a file without any server. */
export const emptyFile = (at: EntryLocation): string => (at.format === 'json' ? json.emptyFile(at.path) : '');

/** Separates a byte-order mark, which the parsers do not accept. */
const splitMark = (text: string): readonly [mark: string, content: string] =>
  text.startsWith('\uFEFF') ? ['\uFEFF', text.slice(1)] : ['', text];

/** Accepts other members: clients add some, such as the tools that the user allows. */
const hasMembers = (value: unknown, wanted: JsonObject): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(wanted).every(([name, member]) => JSON.stringify(Reflect.get(value, name)) === JSON.stringify(member));

/** Every version writes an entry that runs the launcher with `mcp`. */
function isWrittenByAtlas(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('command' in value) || !('args' in value)) return false;
  const { command, args } = value;
  if (typeof command !== 'string' || !Array.isArray(args)) return false;
  return /[\\/]atlas-bridge(\.cmd)?$/.test(command) && args[0] === 'mcp';
}
