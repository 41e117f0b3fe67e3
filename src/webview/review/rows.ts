import { signal, type ReadonlySignal } from '@preact/signals';
import type { ReviewRow, RowDecision } from '../../protocol/review.ts';
import type { Choice } from '../../protocol/sync.ts';

/** The rows as they were sent, and how each is decided now: a click costs the lines that are drawn, not all rows. */
export interface Rows {
  /** As they were sent; another list only with another snapshot. Paths and classes are read from here, decisions are not. */
  readonly sent: ReadonlySignal<readonly ReviewRow[]>;
  /** The row as it is decided now; whoever asks is drawn again when that changes. */
  readonly now: (row: ReviewRow) => ReviewRow;
  byId(id: string): ReviewRow | undefined;
  /** What stands on the other side under the same path with another class: the two replace one another. */
  twin(row: ReviewRow): ReviewRow | undefined;
  replace(rows: readonly ReviewRow[]): void;
  update(decisions: readonly RowDecision[]): void;
  /** Shown at once, until the host says what it became. */
  guess(ids: readonly string[], choice: Choice): void;
}

export function createRows(): Rows {
  const sent = signal<readonly ReviewRow[]>([]);
  const version = signal(0);
  let current = new Map<string, ReviewRow>();
  let twins = new Map<string, ReviewRow>();
  const set = (id: string, decision: Partial<RowDecision>): void => {
    const row = current.get(id);
    if (row !== undefined) current.set(id, { ...row, ...decision });
  };
  return {
    sent,
    now(row) {
      void version.value;
      return current.get(row.id) ?? row;
    },
    byId(id) {
      void version.value;
      return current.get(id);
    },
    twin: row => twins.get(row.id),
    replace(rows) {
      twins = findTwins(rows);
      current = new Map(rows.map(row => [row.id, row]));
      sent.value = rows;
      version.value += 1;
    },
    update(decisions) {
      for (const decision of decisions) set(decision.id, decision);
      version.value += 1;
    },
    guess(ids, choice) {
      for (const id of ids) set(id, { choice, follows: null, moved: false, kept: false });
      version.value += 1;
    },
  };
}

function findTwins(rows: readonly ReviewRow[]): Map<string, ReviewRow> {
  const twins = new Map<string, ReviewRow>();
  const onDisk = new Map<string, ReviewRow>();
  for (const row of rows) if (row.patchType === 'Add') onDisk.set(row.path, row);
  if (onDisk.size === 0) return twins;
  for (const row of rows) {
    const other = row.patchType === 'Remove' ? onDisk.get(row.path) : undefined;
    if (other === undefined || other.className === row.className || twins.has(other.id)) continue;
    twins.set(row.id, other).set(other.id, row);
  }
  return twins;
}
