import { parse } from 'smol-toml';
import { type JsonObject, SERVER_NAME } from './server-name.ts';

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

/** Replaces the table of the entry, or appends it. */
export function withEntry(text: string, wanted: JsonObject, table: string): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = [
    `[${table}.${SERVER_NAME}]`,
    // A JSON text of strings and of lists of strings is valid TOML.
    ...Object.entries(wanted).map(([key, value]) => `${key} = ${JSON.stringify(value)}`),
  ];
  const written = `${lines.join(eol)}${eol}`;
  const section = sectionOf(text, table);
  if (section !== undefined) return text.slice(0, section.start) + written + text.slice(section.end);
  if (text.trim() === '') return written;
  return `${text}${text.endsWith('\n') ? '' : eol}${eol}${written}`;
}

/** Removes the table and the empty line that `withEntry` writes before it. */
export function withoutEntry(text: string, table: string): string | undefined {
  const section = sectionOf(text, table);
  if (section === undefined) return text;
  const before = text.slice(0, section.start).replace(/(\r?\n)\r?\n$/, '$1');
  const rest = before + text.slice(section.end);
  return rest.trim() === '' ? undefined : rest;
}

/** From the header of the entry to the line after its last value. */
function sectionOf(text: string, table: string): { readonly start: number; readonly end: number } | undefined {
  let offset = 0;
  let start: number | undefined;
  let end = 0;
  for (const line of text.split(/(?<=\n)/)) {
    const isHeader = /^\s*\[/.test(line);
    if (start === undefined) {
      const name = /^\s*\[\s*([\w-]+)\s*\.\s*"?([\w-]+)"?\s*\]/.exec(line);
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
