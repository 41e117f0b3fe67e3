import type { ChangedSide, ReviewRow } from '../../protocol/review.ts';
import type { Choice, PatchType } from '../../protocol/sync.ts';

/** What a line must be to be shown; an empty text and `undefined` let everything through. */
export interface RowFilter {
  /** Words, each of which must stand in the path, the class or the file. */
  readonly text: string;
  readonly className: string | undefined;
  readonly kind: PatchType | undefined;
  /** Where it was changed. */
  readonly side: ChangedSide | undefined;
  /** How it is decided; `moved`: a side moved since. */
  readonly decision: Choice | 'undecided' | 'moved' | undefined;
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

/** Texts in small letters are made once per row, not once per keystroke. */
const texts = new WeakMap<ReviewRow, string>();
function textOf(row: ReviewRow): string {
  const known = texts.get(row);
  if (known !== undefined) return known;
  const text = `${row.path} ${row.className} ${row.fsPath ?? ''}`.toLowerCase();
  texts.set(row, text);
  return text;
}

/**
 * The rows that `filter` lets through, in their order.
 *
 * @param now the row as it is decided now; `rows` are as they were sent first
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

function isDecided({ choice, moved }: ReviewRow, as: NonNullable<RowFilter['decision']>): boolean {
  switch (as) {
    case 'moved':
      return moved;
    case 'undecided':
      return choice === null;
    case 'push':
    case 'pull':
    case 'skip':
      return choice === as;
  }
}
