import { ok, type Result } from '../../base/result.ts';
import { compareByteOrder } from '../../base/byte-order.ts';
import { readCsv } from '../../roblox/formats/read-csv.ts';
import type { JsonProblem } from '../../roblox/formats/json5-document.ts';
import { columns, type LocalizedText } from './localization.ts';

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

function readRow(header: readonly string[], row: readonly string[]): LocalizedText {
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
