/** One line of the benchmark: what was measured, and whether it is what was promised. */
export interface Row {
  readonly name: string;
  readonly unit: 'ms' | 'kB' | 'ratio';
  /** The median, where it was measured more than once. */
  readonly value: number;
  readonly runs: number;
  /** `value` may be this at most; without it the row only says. */
  readonly most?: number;
  /** What stands behind the number. */
  readonly detail: string;
}

/** Of an even number of values the mean of the middle two. @throws RangeError for no values */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  if (upper === undefined || lower === undefined) throw new RangeError('the median of nothing');
  return (upper + lower) / 2;
}

/** A table for people: one line per row, `met` or `not met` where there is a target. */
export function formatRows(rows: readonly Row[]): string {
  const digits = { ms: 2, kB: 0, ratio: 2 } as const;
  const cells = rows.map(row => [
    row.name,
    `${row.value.toFixed(digits[row.unit])} ${row.unit === 'ratio' ? '×' : row.unit}`,
    row.most === undefined ? '' : `at most ${row.most}`,
    row.most === undefined ? '' : row.value <= row.most ? 'met' : 'NOT MET',
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
