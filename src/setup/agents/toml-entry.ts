import { parse } from 'smol-toml';
import { type JsonObject, SERVER_NAME } from './server-name.ts';

/** The value of the entry. `unreadable`: invalid TOML, or an entry that cannot be added or replaced as a separate table. */
export function findEntry(
  text: string,
  table: string,
): { readonly kind: 'found'; readonly value: unknown } | { readonly kind: 'absent' | 'unreadable' } {
  const root = parsed(text);
  if (root === undefined) return { kind: 'unreadable' };
  const servers = root[table];
  if (servers === undefined) return { kind: 'absent' };
  if (typeof servers !== 'object' || servers === null || Array.isArray(servers)) return { kind: 'unreadable' };
  if (!Object.hasOwn(servers, SERVER_NAME)) {
    // An inline table accepts no header.
    return parsed(withEntry(text, {}, table)) === undefined ? { kind: 'unreadable' } : { kind: 'absent' };
  }
  // An entry without a separate table cannot be replaced.
  return sectionOf(text, table) === undefined
    ? { kind: 'unreadable' }
    : { kind: 'found', value: (servers as JsonObject)[SERVER_NAME] };
}

/** Sets the members of the entry, or appends its table. An existing table keeps its other members, such as `env`. */
export function withEntry(text: string, wanted: JsonObject, table: string): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = [
    `[${table}.${SERVER_NAME}]`,
    // A JSON text of strings and of lists of strings is valid TOML.
    ...Object.entries(wanted).map(([key, value]) => `${key} = ${JSON.stringify(value)}`),
  ];
  const written = `${lines.join(eol)}${eol}`;
  const section = sectionOf(text, table);
  if (section !== undefined) {
    const others = otherMembers(text.slice(section.start, section.end), wanted);
    return text.slice(0, section.start) + written + others + text.slice(section.end);
  }
  if (text.trim() === '') return written;
  return `${text}${text.endsWith('\n') ? '' : eol}${eol}${written}`;
}

/**
 * Removes the table, the empty line that `withEntry` writes before it, and the tables inside it, which clients add: alone, they would be
 * an invalid entry.
 */
export function withoutEntry(text: string, table: string): string | undefined {
  let rest = text;
  let section = sectionOf(rest, table);
  while (section !== undefined) {
    const before = rest.slice(0, section.start).replace(/(\r?\n)\r?\n$/, '$1');
    rest = before + rest.slice(section.end);
    section = sectionOf(rest, table, INNER_HEADER);
  }
  return rest.trim() === '' ? undefined : rest;
}

/** The lines of a table, after its header, that set none of the members. */
function otherMembers(section: string, members: JsonObject): string {
  let others = '';
  let statement = '';
  for (const line of section.split(/(?<=\n)/).slice(1)) {
    statement += line;
    const value = parsed(statement);
    // The value continues on the next line.
    if (value === undefined) continue;
    if (!Object.keys(value).some(name => Object.hasOwn(members, name))) others += statement;
    statement = '';
  }
  return others;
}

const HEADER = /^\s*\[\s*([\w-]+)\s*\.\s*"?([\w-]+)"?\s*\]/;
const INNER_HEADER = /^\s*\[{1,2}\s*([\w-]+)\s*\.\s*"?([\w-]+)"?\s*\./;

/** From the header of the entry, or of a table inside it, to the line after the last value. */
function sectionOf(
  text: string,
  table: string,
  header = HEADER,
): { readonly start: number; readonly end: number } | undefined {
  let offset = 0;
  let start: number | undefined;
  let end = 0;
  for (const line of text.split(/(?<=\n)/)) {
    const isHeader = /^\s*\[/.test(line);
    if (start === undefined) {
      const name = header.exec(line);
      if (name?.[1] === table && name[2] === SERVER_NAME) start = offset;
    } else if (isHeader) break;
    offset += line.length;
    if (start !== undefined && line.trim() !== '' && !/^\s*#/.test(line)) end = offset;
  }
  return start === undefined ? undefined : { start, end };
}

function parsed(text: string): JsonObject | undefined {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}
