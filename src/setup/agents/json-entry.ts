import {
  applyEdits,
  findNodeAtLocation,
  type FormattingOptions,
  getNodeValue,
  modify,
  type Node,
  parseTree,
  type ParseError,
} from 'jsonc-parser';
import { type JsonObject, SERVER_NAME } from './server-name.ts';

/** The path of the object with the servers. */
type Path = readonly string[];

const entryPath = (path: Path): string[] => [...path, SERVER_NAME];

/** The value of the entry. `unreadable`: invalid JSON, or a value on the path is not an object. */
export function findEntry(
  text: string,
  path: Path,
): { readonly kind: 'found'; readonly value: unknown } | { readonly kind: 'absent' | 'unreadable' } {
  const root = parsed(text);
  if (root === undefined) return { kind: 'unreadable' };
  for (const [index] of path.entries()) {
    const object = findNodeAtLocation(root, path.slice(0, index + 1));
    if (object === undefined) return { kind: 'absent' };
    if (object.type !== 'object') return { kind: 'unreadable' };
  }
  const entry = findNodeAtLocation(root, entryPath(path));
  return entry === undefined ? { kind: 'absent' } : { kind: 'found', value: getNodeValue(entry) };
}

/** @param wanted the members to set. An existing entry keeps its other members: clients and people add some, such as `env`. */
export function withEntry(text: string, wanted: JsonObject, path: Path): string {
  if (text.trim() === '') return fileWith({ [SERVER_NAME]: wanted }, path);
  const root = parsed(text);
  const entry = root && findNodeAtLocation(root, entryPath(path));
  if (entry?.type !== 'object') return edited(text, wanted, path);
  const formattingOptions = formattingOf(text);
  return Object.entries(wanted).reduce(
    (before, [name, member]) =>
      applyEdits(before, modify(before, [...entryPath(path), name], member, { formattingOptions })),
    text,
  );
}

/** Returns `undefined` if nothing else is left, not even a comment. */
export function withoutEntry(text: string, path: Path): string | undefined {
  const without = edited(text, undefined, path);
  const root = parsed(without);
  const value: unknown = root && getNodeValue(root);
  const isEmpty = JSON.stringify(value) === JSON.stringify(JSON.parse(emptyFile(path)));
  return isEmpty && !hasComment(without) ? undefined : without;
}

export const emptyFile = (path: Path): string => fileWith({}, path);

function fileWith(servers: JsonObject, path: Path): string {
  const root = path.reduceRight<JsonObject>((value, key) => ({ [key]: value }), servers);
  return `${JSON.stringify(root, null, 2)}\n`;
}

function edited(text: string, value: JsonObject | undefined, path: Path): string {
  const root = parsed(text);
  const entry = root && findNodeAtLocation(root, entryPath(path))?.parent;
  const siblings = (root && findNodeAtLocation(root, [...path])?.children) ?? [];
  // `jsonc-parser` reformats the neighbors of an inserted or removed property.
  if (value !== undefined && entry === undefined && siblings.length > 0) return insertAfter(text, siblings, value);
  if (value === undefined && entry !== undefined && siblings.length > 1) return removeFrom(text, siblings, entry);
  return applyEdits(text, modify(text, entryPath(path), value, { formattingOptions: formattingOf(text) }));
}

function formattingOf(text: string): FormattingOptions {
  const { unit, eol } = layoutOf(text);
  return { insertSpaces: unit !== '\t', tabSize: unit === '\t' ? 1 : unit.length, eol };
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
