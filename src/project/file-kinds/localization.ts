import { err, ok, type Result } from '../../base/result.ts';
import { writeCsv } from '../../roblox/formats/write-csv.ts';
import { jsonValue, parseJsonDocument } from '../../roblox/formats/json5-document.ts';
import { compareByteOrder } from '../../base/byte-order.ts';

/** One text of a LocalizationTable; members in the order in which Roblox writes them. */
export interface LocalizedText {
  key?: string;
  context?: string;
  example?: string;
  source?: string;
  values: Readonly<Record<string, string>>;
}

/** The member of an entry by the title of its CSV column. All other columns are locales. */
export const columns: Readonly<Record<string, Exclude<keyof LocalizedText, 'values'>>> = {
  Key: 'key',
  Source: 'source',
  Context: 'context',
  Example: 'example',
};

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

function readEntries(json: unknown): readonly LocalizedText[] | undefined {
  if (!Array.isArray(json)) return undefined;
  const entries = json.map(readEntry);
  return entries.every(entry => entry !== undefined) ? entries : undefined;
}

function readEntry(json: unknown): LocalizedText | undefined {
  if (!isRecord(json)) return undefined;
  const { key, context, example, examples, source, values = {} } = json;
  const texts = { key, context, example: example ?? examples, source };
  const given = Object.entries(texts).filter(([, text]) => text !== undefined && text !== null);
  if (!isRecord(values) || [...given, ...Object.entries(values)].some(([, text]) => typeof text !== 'string'))
    return undefined;
  // The check above ensures that every member is a string.
  return { ...(Object.fromEntries(given) as Omit<LocalizedText, 'values'>), values: values as Record<string, string> };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
