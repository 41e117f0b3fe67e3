import { err, ok, type Result } from '../../base/result.ts';
import { readCsv, writeCsv } from '../../roblox/formats/csv.ts';
import { type JsonProblem, jsonValue, parseJsonDocument } from '../../roblox/formats/json5-document.ts';
import { compareByteOrder } from '../../base/byte-order.ts';

/** One text of a LocalizationTable; members in the order in which Roblox writes them. */
interface Entry {
  key?: string;
  context?: string;
  example?: string;
  source?: string;
  values: Readonly<Record<string, string>>;
}

const columns: Readonly<Record<string, Exclude<keyof Entry, 'values'>>> = {
  Key: 'key',
  Source: 'source',
  Context: 'context',
  Example: 'example',
};

/**
 * Converts the text of a CSV file to `LocalizationTable.Contents`. Skips rows that have neither key nor source.
 */
export function contentsOfCsv(text: string): Result<string, JsonProblem> {
  const rows = readCsv(text);
  if (!rows.ok) return rows;
  const [header = [], ...body] = rows.value;
  const entries = body
    .map(row => readRow(header, row))
    .filter(entry => entry.key !== undefined || entry.source !== undefined);
  return ok(JSON.stringify(entries));
}

function readRow(header: readonly string[], row: readonly string[]): Entry {
  const known: Record<string, string> = {};
  const values: [string, string][] = [];
  for (const [index, title] of header.entries()) {
    const cell = row[index] ?? '';
    const member = Object.hasOwn(columns, title) ? columns[title] : undefined;
    if (cell === '' || title === '') continue;
    if (member) known[member] = cell;
    else values.push([title, cell]);
  }
  const { key, context, example, source } = known;
  return {
    ...(key !== undefined && { key }),
    ...(context !== undefined && { context }),
    ...(example !== undefined && { example }),
    ...(source !== undefined && { source }),
    values: Object.fromEntries(values.toSorted(([a], [b]) => compareByteOrder(a, b))),
  };
}

/** Cells of a CSV file: every locale is a column of every row, also where only one row has a text. */
const MAX_CELLS = 2_000_000;

/** Converts `Contents` to the text of a CSV file, with rows sorted by source text. The error completes "expected …". */
export function csvOfContents(contents: string, newline = '\n'): Result<string, string> {
  const parsed = parseJsonDocument(contents === '' ? '[]' : contents);
  const entries = parsed.ok ? readEntries(jsonValue(parsed.value.root)) : undefined;
  if (entries === undefined) return err('Contents to be a JSON array of entries with "values"');
  const locales = Array.from(new Set(entries.flatMap(({ values }) => Object.keys(values)))).toSorted(compareByteOrder);
  if (entries.length * locales.length > MAX_CELLS) return err(`at most ${MAX_CELLS} cells`);
  const rows = entries
    .toSorted((a, b) => compareByteOrder(a.source ?? '', b.source ?? ''))
    .map(({ key = '', source = '', context = '', example = '', values }) => [
      key,
      source,
      context,
      example,
      ...locales.map(locale => (Object.hasOwn(values, locale) ? (values[locale] ?? '') : '')),
    ]);
  return ok(writeCsv([[...Object.keys(columns), ...locales], ...rows], newline));
}

function readEntries(json: unknown): readonly Entry[] | undefined {
  if (!Array.isArray(json)) return undefined;
  const entries = json.map(readEntry);
  return entries.every(entry => entry !== undefined) ? entries : undefined;
}

function readEntry(json: unknown): Entry | undefined {
  if (!isRecord(json)) return undefined;
  const { key, context, example, examples, source, values = {} } = json;
  const texts = { key, context, example: example ?? examples, source };
  const given = Object.entries(texts).filter(([, text]) => text !== undefined && text !== null);
  if (!isRecord(values) || [...given, ...Object.entries(values)].some(([, text]) => typeof text !== 'string'))
    return undefined;
  // The check above ensures that every member is a string.
  return { ...(Object.fromEntries(given) as Omit<Entry, 'values'>), values: values as Record<string, string> };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
