/** Quotes cells only if necessary. */
export function writeCsv(rows: readonly (readonly string[])[], newline: string): string {
  const written = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  return rows.map(row => `${row.map(written).join(',')}${newline}`).join('');
}
