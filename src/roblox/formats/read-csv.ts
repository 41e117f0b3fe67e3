import { CsvError, parse } from 'csv-parse/sync';
import { DecodeBudget, DecodeBudgetError } from '../../base/decode/decode-budget.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { TEXT_FILE_LIMITS } from './limits.ts';
import type { JsonProblem } from './json5-document.ts';

/**
 * Reads the rows of a CSV file. Cells are separated by commas and quoted by `"`, which is doubled inside quotes. Ignores blank lines and a
 * byte-order mark. Every row has as many cells as the first.
 */
export function readCsv(text: string): Result<readonly (readonly string[])[], JsonProblem> {
  try {
    const budget = new DecodeBudget(TEXT_FILE_LIMITS, text.length);
    for (const _ of text.matchAll(/[,\r\n]/g)) budget.take();
    return ok(parse(text, { bom: true, record_delimiter: ['\r\n', '\n', '\r'], skip_empty_lines: true }));
  } catch (error) {
    if (error instanceof DecodeBudgetError) return err({ line: 1, column: 1, expected: error.message });
    if (!(error instanceof CsvError)) throw error;
    return err({
      line: Math.max(1, error.lines ?? 1),
      column: 1,
      expected: `${expectedByCode[error.code] ?? 'a CSV file'}`,
    });
  }
}

const expectedByCode: Readonly<Record<string, string>> = {
  CSV_RECORD_INCONSISTENT_FIELDS_LENGTH: 'as many cells in this row as in the first',
  CSV_QUOTE_NOT_CLOSED: 'a " at the end of the cell that began with one',
  INVALID_OPENING_QUOTE: 'the whole cell in " and every " in it doubled',
  CSV_INVALID_CLOSING_QUOTE: 'a comma or the end of the row after the closing "',
};
