import { signal, type ReadonlySignal } from '@preact/signals';
import type { ReviewRow, RowDecision } from '../../protocol/review.ts';
import type { Choice } from '../../protocol/sync-request.ts';

/** The rows with their current decisions. A click only re-renders the visible lines, not all rows. */
export interface Rows {
  /** The rows of the latest snapshot. Valid for paths and classes; use `now` for decisions. */
  readonly sent: ReadonlySignal<readonly ReviewRow[]>;
  /** The row with its current decision; subscribes the calling component. */
  readonly now: (row: ReviewRow) => ReviewRow;
  byId(id: string): ReviewRow | undefined;
  /** The row of the other side with the same path and another class, which this row replaces. */
  twin(row: ReviewRow): ReviewRow | undefined;
  replace(rows: readonly ReviewRow[]): void;
  update(decisions: readonly RowDecision[]): void;
  /** Applies a choice optimistically, until the extension answers. */
  applyOptimistically(ids: readonly string[], choice: Choice): void;
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
    applyOptimistically(ids, choice) {
      for (const id of ids) set(id, { choice, follows: null, isReopened: false, isRestored: false });
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
