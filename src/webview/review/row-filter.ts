import type { ChangedSide, ReviewRow } from '../../protocol/review.ts';
import type { Choice } from '../../protocol/sync-request.ts';
import type { PatchType } from '../../protocol/sync-result.ts';

/** The filter of the list. An empty text and `undefined` match everything. */
export interface RowFilter {
  /** Words that must all occur in the path, the class or the file. */
  readonly text: string;
  readonly className: string | undefined;
  readonly kind: PatchType | undefined;
  /** The side that changed. */
  readonly side: ChangedSide | undefined;
  /** The decision; `reopened`: a side changed since it was decided. */
  readonly decision: Choice | 'undecided' | 'reopened' | undefined;
}

export const everything: RowFilter = {
  text: '',
  className: undefined,
  kind: undefined,
  side: undefined,
  decision: undefined,
};

export const isEverything = ({ text, ...facets }: RowFilter): boolean =>
  text.trim() === '' && Object.values(facets).every(facet => facet === undefined);

/** Lower-case texts, cached per row instead of computed per keystroke. */
const texts = new WeakMap<ReviewRow, string>();
function textOf(row: ReviewRow): string {
  const known = texts.get(row);
  if (known !== undefined) return known;
  const text = `${row.path} ${row.className} ${row.fsPath ?? ''}`.toLowerCase();
  texts.set(row, text);
  return text;
}

/**
 * Returns the rows that match `filter`, in their order.
 *
 * @param now returns a row with its current decision; `rows` have the initial ones
 */
export function filterRows(
  rows: readonly ReviewRow[],
  filter: RowFilter,
  now: (row: ReviewRow) => ReviewRow,
): readonly ReviewRow[] {
  if (isEverything(filter)) return rows;
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter(row => {
    if (filter.kind !== undefined && row.patchType !== filter.kind) return false;
    if (filter.className !== undefined && row.className !== filter.className) return false;
    if (filter.side !== undefined && row.side !== filter.side) return false;
    if (filter.decision !== undefined && !isDecided(now(row), filter.decision)) return false;
    if (words.length === 0) return true;
    const text = textOf(row);
    return words.every(word => text.includes(word));
  });
}

function isDecided({ choice, isReopened }: ReviewRow, as: NonNullable<RowFilter['decision']>): boolean {
  switch (as) {
    case 'reopened':
      return isReopened;
    case 'undecided':
      return choice === null;
    case 'push':
    case 'pull':
    case 'merge':
    case 'skip':
      return choice === as;
  }
}
