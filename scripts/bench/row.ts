/** One result of a benchmark. */
export interface Row {
  readonly name: string;
  readonly unit: 'ms' | 'kB' | 'ratio';
  /** The median of all runs. */
  readonly value: number;
  readonly runs: number;
  /** The largest allowed `value`; `undefined` if there is no limit. */
  readonly limit?: number;
  /** How `value` was measured. */
  readonly detail: string;
}

/** The median; for an even number of values, the mean of the middle two. @throws RangeError for no values */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  if (upper === undefined || lower === undefined) throw new RangeError('the median of nothing');
  return (upper + lower) / 2;
}

/** A text table with one line per row, and `met` or `NOT MET` if the row has a limit. */
export function formatRows(rows: readonly Row[]): string {
  const digits = { ms: 2, kB: 0, ratio: 2 } as const;
  const cells = rows.map(row => [
    row.name,
    `${row.value.toFixed(digits[row.unit])} ${row.unit === 'ratio' ? '×' : row.unit}`,
    row.limit === undefined ? '' : `at most ${row.limit}`,
    row.limit === undefined ? '' : row.value <= row.limit ? 'met' : 'NOT MET',
    row.detail,
  ]);
  const widths = [0, 1, 2, 3].map(column => Math.max(...cells.map(line => line[column]?.length ?? 0)));
  return cells
    .map(line =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
