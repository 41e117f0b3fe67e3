import {
  applyEdits,
  findNodeAtLocation,
  getNodeValue,
  modify,
  type Node,
  parseTree,
  type ParseError,
} from 'jsonc-parser';

export type JsonObject = { readonly [key: string]: unknown };

/** The name of Atlas Bridge's entry in the config file of a client. */
const SERVER_NAME = 'atlas-bridge';
const path = ['mcpServers', SERVER_NAME];

/**
 * The state of Atlas Bridge's entry in a config file. `outdated`: written by an older version. `foreign`: an entry with the same name that
 * Atlas Bridge did not write. `unreadable`: invalid JSON, or an invalid structure.
 */
export type EntryState = 'absent' | 'connected' | 'outdated' | 'foreign' | 'unreadable';

/** @param text content of the file; `undefined` if it does not exist */
export function entryState(text: string | undefined, wanted: JsonObject): EntryState {
  if (text === undefined || text.trim() === '') return 'absent';
  const root = parsed(text);
  if (root === undefined) return 'unreadable';
  const servers = findNodeAtLocation(root, ['mcpServers']);
  if (servers !== undefined && servers.type !== 'object') return 'unreadable';
  const entry = findNodeAtLocation(root, path);
  if (entry === undefined) return 'absent';
  const value: unknown = getNodeValue(entry);
  if (!isOurs(value)) return 'foreign';
  return JSON.stringify(value) === JSON.stringify(wanted) ? 'connected' : 'outdated';
}

/** Adds or replaces the entry. Keeps everything else, including comments and formatting. */
export function withEntry(text: string | undefined, wanted: JsonObject): string {
  if (text === undefined || text.trim() === '')
    return `${JSON.stringify({ mcpServers: { [SERVER_NAME]: wanted } }, null, 2)}\n`;
  return changed(text, wanted);
}

/** Removes the entry. Returns `undefined` if the file would be empty. */
export function withoutEntry(text: string): string | undefined {
  const without = changed(text, undefined);
  const root = parsed(without);
  const value: unknown = root && getNodeValue(root);
  return JSON.stringify(value) === '{"mcpServers":{}}' && !hasComment(without) ? undefined : without;
}

function changed(text: string, value: JsonObject | undefined): string {
  const root = parsed(text);
  const entry = root && findNodeAtLocation(root, path)?.parent;
  const siblings = (root && findNodeAtLocation(root, ['mcpServers'])?.children) ?? [];
  // `jsonc-parser` reformats the neighbours of an inserted or removed property.
  if (value !== undefined && entry === undefined && siblings.length > 0) return insertAfter(text, siblings, value);
  if (value === undefined && entry !== undefined && siblings.length > 1) return removeFrom(text, siblings, entry);
  const { unit, eol } = layoutOf(text);
  const formattingOptions = { insertSpaces: unit !== '\t', tabSize: unit === '\t' ? 1 : unit.length, eol };
  return applyEdits(text, modify(text, path, value, { formattingOptions }));
}

const layoutOf = (text: string): { readonly unit: string; readonly eol: string } => ({
  unit: /^(\t| +)\S/m.exec(text)?.[1] ?? '  ',
  eol: text.includes('\r\n') ? '\r\n' : '\n',
});

function insertAfter(text: string, siblings: readonly Node[], value: JsonObject): string {
  const last = siblings.at(-1);
  if (last === undefined) return text;
  const { unit, eol } = layoutOf(text);
  const before = text.slice(text.lastIndexOf('\n', last.offset) + 1, last.offset);
  const isOnItsOwnLine = /^[ \t]+$/.test(before);
  const end = last.offset + last.length;
  const written = `${JSON.stringify(SERVER_NAME)}: ${JSON.stringify(value, null, isOnItsOwnLine ? unit : undefined)}`;
  const laidOut = isOnItsOwnLine ? `${eol}${before}${written.replaceAll('\n', `${eol}${before}`)}` : ` ${written}`;
  return `${text.slice(0, end)},${laidOut}${text.slice(end)}`;
}

/** Removes the entry together with the comma before it, or the comma after it if it is the first. */
function removeFrom(text: string, siblings: readonly Node[], entry: Node): string {
  const at = siblings.findIndex(({ offset }) => offset === entry.offset);
  const before = siblings[at - 1];
  const after = siblings[at + 1];
  const from = before === undefined ? entry.offset : before.offset + before.length;
  const to = before === undefined && after !== undefined ? after.offset : entry.offset + entry.length;
  return text.slice(0, from) + text.slice(to);
}

function parsed(text: string) {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  return errors.length === 0 && root?.type === 'object' ? root : undefined;
}

const hasComment = (text: string): boolean => /\/\/|\/\*/.test(text.replace(/"(?:[^"\\]|\\.)*"/g, '""'));

/** Every version writes an entry that runs the launcher with `mcp`. */
function isOurs(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('command' in value) || !('args' in value)) return false;
  const { command, args } = value;
  if (typeof command !== 'string' || !Array.isArray(args)) return false;
  return /[\\/]atlas-bridge(\.cmd)?$/.test(command) && args[0] === 'mcp';
}
