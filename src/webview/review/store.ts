import { batch, computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { ReviewOutcome, ReviewRow, ReviewStatus, ToWebview } from '../../protocol/review.ts';
import type { ReviewPageStrings, ReviewStrings } from '../../protocol/review-strings.ts';
import type { Choice } from '../../protocol/sync.ts';
import type { Bridge, ViewState } from './bridge.ts';
import { everything, filterRows, isEverything, type RowFilter } from './row-filter.ts';
import { createRows, type Rows } from './rows.ts';
import { createSaver } from './debounced-saver.ts';
import { buildTree, bulkChoice, type TreeLine, visibleLines } from './tree-model.ts';

/** What became of a review, in words; `again`: whether another one may be begun here. */
interface EndedReview {
  readonly title: string;
  readonly text: string;
  readonly again: boolean;
}

/** The page's state: what the host sent last, what the person arranged, and what was clicked but not yet answered. */
export interface Store {
  /** Of the two sides that are shown. */
  readonly strings: ReviewStrings;
  readonly status: ReadonlySignal<ReviewStatus | undefined>;
  readonly rows: Rows;
  /** What the rows do not speak of, in sentences. */
  readonly warnings: ReadonlySignal<readonly string[]>;
  /** The rows that the filter lets through; bulk choices are made for these. */
  readonly shown: ReadonlySignal<readonly ReviewRow[]>;
  readonly lines: ReadonlySignal<readonly TreeLine[]>;
  readonly active: ReadonlySignal<TreeLine | undefined>;
  readonly filter: ReadonlySignal<RowFilter>;
  readonly filtered: ReadonlySignal<boolean>;
  readonly classNames: ReadonlySignal<readonly string[]>;
  /** Whether the person may still choose, and whether what is shown is what the host knows. */
  readonly deciding: ReadonlySignal<boolean>;
  readonly settled: ReadonlySignal<boolean>;
  /** The review that the page was restored with is over: what became of it, as a sentence. */
  readonly gone: ReadonlySignal<EndedReview | undefined>;
  readonly failure: Signal<string | undefined>;
  /** What the last bulk choice left out. */
  readonly note: ReadonlySignal<string | undefined>;
  /** Of the details, in pixels; `undefined`: a share of the page. */
  readonly detailsHeight: ReadonlySignal<number | undefined>;
  resizeDetails(height: number | undefined): void;
  /** Set before the tree shall move the keyboard focus to the active line. */
  readonly focusRequest: Signal<number>;
  /** Where the tree shall scroll to when the page is shown for the first time. */
  readonly scrollTop: () => number;
  /** The place of a line among those that are drawn, from 0. */
  indexOf(key: string): number | undefined;
  path(id: string): string | undefined;
  activate(key: string): void;
  moveTo(line: TreeLine | undefined): void;
  /** Makes the change of that id the active line, whatever hides it. */
  reveal(id: string): void;
  setExpanded(line: TreeLine, expanded: boolean): void;
  setFilter(change: Partial<RowFilter>): void;
  /** One change by itself. */
  choose(row: ReviewRow, choice: Choice): void;
  /** Many changes with one gesture; deletions are left out and counted in `note`. */
  chooseAll(rows: readonly ReviewRow[], choice: Choice): void;
  chooseDefaults(): void;
  skipUndecided(): void;
  openDiff(id: string): void;
  refresh(): void;
  reviewAgain(): void;
  apply(): void;
  reject(): void;
  nextUndecided(backwards?: boolean): TreeLine | undefined;
  scrolled(top: number): void;
}

/** `{0}`, `{1}` in `template` become `values`. */
export const fill = (template: string, ...values: readonly (string | number)[]): string =>
  template.replaceAll(/\{(\d)\}/g, (_, index: string) => String(values[Number(index)] ?? ''));

/** `one` for exactly one, else `many` with the count filled in. */
export const count = (total: number, one: string, many: string): string => (total === 1 ? one : fill(many, total));

/** What a choice does to a change, in words. */
export function effectOf({ strings, status }: Store, { patchType }: ReviewRow, choice: Choice): string {
  const restore = status.value?.restore;
  const bringsBack = restore !== undefined && choice === (restore === 'disk' ? 'pull' : 'push');
  return bringsBack ? strings.restoreEffect : strings.effects[patchType][choice];
}

/**
 * The page may have been told the end, or only that it was decided, or nothing, before the window went. What is recorded of a run
 * lies in the storage of its window: only there does no record mean that nothing was carried out.
 */
function describeEndedReview(
  { isElsewhere, outcome }: ReviewOutcome,
  saved: ViewState | undefined,
  { gone }: ReviewStrings,
  storage: string,
): EndedReview {
  if (isElsewhere) return { title: gone.elsewhereTitle, text: gone.elsewhere, again: false };
  const { title, unknown, undecided, decided } = gone;
  const known = outcome ?? saved?.outcome;
  if (known != null || saved === undefined) return { title, text: known ?? unknown, again: true };
  if (saved.phase !== 'deciding') return { title, text: decided, again: true };
  return { title, text: saved.storage === storage ? undecided : unknown, again: true };
}

/** @param storage names the storage of this window */
export function createStore(bridge: Bridge, words: ReviewPageStrings, storage: string): Store {
  const strings = (): ReviewStrings => words[status.value?.sides ?? bridge.load()?.sides ?? 'studio'];
  const status = signal<ReviewStatus | undefined>(undefined);
  const rows = createRows();
  const paths = signal<Readonly<Record<string, string>>>({});
  const warnings = signal<readonly string[]>([]);
  const unanswered = signal(false);
  const gone = signal<EndedReview | undefined>(undefined);
  const collapsed = signal<ReadonlySet<string>>(new Set());
  const filter = signal<RowFilter>(everything);
  const shown = signal<readonly ReviewRow[]>([]);
  const activeKey = signal<string | undefined>(undefined);
  const failure = signal<string | undefined>(undefined);
  const note = signal<string | undefined>(undefined);
  const focusRequest = signal(0);
  const detailsHeight = signal<number | undefined>(undefined);
  let scrollTop = 0;

  const tree = computed(() => buildTree(shown.value));
  const lines = computed(() => visibleLines(tree.value, collapsed.value));
  const places = computed(() => new Map(lines.value.map((line, index) => [line.node.key, index])));
  const active = computed(() => lines.value[places.value.get(activeKey.value ?? '') ?? 0]);
  const deciding = computed(() => status.value?.phase === 'deciding' && gone.value === undefined);
  const classNames = computed(() => [...new Set(rows.sent.value.map(row => row.className))].toSorted());

  const saver = createSaver(() => {
    if (status.value === undefined) return;
    const { runId, sides, placeName, phase, outcome } = status.value;
    const arranged = {
      collapsed: [...collapsed.value],
      active: activeKey.value,
      filter: filter.value,
      detailsHeight: detailsHeight.value,
    };
    bridge.save({ runId, sides, placeName, storage, phase, outcome, scrollTop, ...arranged });
  });
  /** Only when the filter or the list is another one: a line that is decided does not vanish under the pointer. */
  const applyFilter = (): void => {
    const next = filterRows(rows.sent.value, filter.value, rows.now);
    const now = shown.value;
    // One more letter often hides nothing more: then there is nothing to build or to draw.
    if (next.length !== now.length || next.some((row, index) => row !== now[index])) shown.value = next;
  };
  const isUndecided = (line: TreeLine): boolean =>
    line.node.row !== undefined && rows.now(line.node.row).choice === null;

  const begin = (runId: string): void => {
    const saved = bridge.load();
    const same = saved?.runId === runId ? saved : undefined;
    collapsed.value = new Set(same?.collapsed);
    activeKey.value = same?.active;
    filter.value = { ...everything, ...same?.filter };
    scrollTop = same?.scrollTop ?? 0;
    // How somebody likes the page is not a matter of one run.
    detailsHeight.value = saved?.detailsHeight;
    failure.value = undefined;
    note.value = undefined;
  };
  const setStatus = (next: ReviewStatus): void => {
    const entered = next.phase !== status.value?.phase;
    status.value = next;
    // The window may go before the next moment, and the restored page must know how far it came.
    if (entered) saver.now();
  };
  const receive = (message: ToWebview): void => {
    unanswered.value = false;
    switch (message.kind) {
      case 'failed':
        failure.value = message.message;
        return;
      case 'gone':
        gone.value = describeEndedReview(message, bridge.load(), strings(), storage);
        return;
      case 'delta':
        if (message.base !== status.value?.revision) return bridge.send({ kind: 'ready' });
        rows.update(message.rows);
        setStatus(message.status);
        return;
      case 'snapshot': {
        const { rows: sent, paths: known, warnings: told, ...rest } = message.snapshot;
        if (rest.runId !== status.value?.runId) begin(rest.runId);
        gone.value = undefined;
        rows.replace(sent);
        paths.value = known;
        warnings.value = told;
        setStatus(rest);
        applyFilter();
        // Fixed once: a line that is decided stays the active one.
        activeKey.value ??= sent.find(row => row.choice === null)?.id ?? sent[0]?.id;
      }
    }
  };
  bridge.onMessage(message => batch(() => receive(message)));

  const send = (ids: readonly string[], choice: Choice): void => {
    if (ids.length === 0 || !deciding.value) return;
    batch(() => {
      rows.guess(ids, choice);
      unanswered.value = true;
      failure.value = undefined;
    });
    bridge.send({ kind: 'choose', ids: [...ids], choice });
  };
  const activate = (key: string): void => {
    if (key === activeKey.value) return;
    activeKey.value = key;
    saver.schedule();
  };
  const moveTo = (line: TreeLine | undefined): void => {
    if (line === undefined) return;
    activate(line.node.key);
    focusRequest.value += 1;
  };
  const decide = (kind: 'apply' | 'reject'): void => {
    const seen = status.value;
    if (seen === undefined || !deciding.value || unanswered.value) return;
    failure.value = undefined;
    bridge.send({ kind, revision: seen.revision });
  };
  const setFilter = (change: Partial<RowFilter>): void =>
    batch(() => {
      filter.value = { ...filter.value, ...change };
      applyFilter();
      saver.schedule();
    });
  const showEverything = (): void =>
    batch(() => {
      collapsed.value = new Set();
      setFilter(everything);
    });

  return {
    get strings() {
      return strings();
    },
    status,
    rows,
    warnings,
    shown,
    lines,
    active,
    filter,
    filtered: computed(() => !isEverything(filter.value)),
    classNames,
    deciding,
    settled: computed(() => !unanswered.value && status.value?.comparing !== true),
    gone,
    failure,
    note,
    focusRequest,
    scrollTop: () => scrollTop,
    detailsHeight,
    resizeDetails(height): void {
      detailsHeight.value = height === undefined ? undefined : Math.round(Math.max(0, height));
      saver.schedule();
    },
    indexOf: key => places.value.get(key),
    path: id => paths.value[id] ?? rows.byId(id)?.path,
    activate,
    moveTo,
    reveal(id): void {
      if (!places.value.has(id)) showEverything();
      moveTo(lines.value[places.value.get(id) ?? -1]);
    },
    setExpanded(line, expanded): void {
      const next = new Set(collapsed.value);
      if (expanded) next.delete(line.node.key);
      else next.add(line.node.key);
      collapsed.value = next;
      saver.schedule();
    },
    setFilter,
    choose(row, choice): void {
      note.value = undefined;
      const { choice: made, follows, moved, kept } = rows.now(row);
      if (made !== choice || follows !== null || moved || kept) send([row.id], choice);
    },
    chooseAll(which, choice): void {
      const { ids, deletionsLeft } = bulkChoice(which, choice);
      const { deletionsLeftOne, deletionsLeftMany } = strings().bulk;
      note.value = deletionsLeft === 0 ? undefined : count(deletionsLeft, deletionsLeftOne, deletionsLeftMany);
      send(ids, choice);
    },
    chooseDefaults(): void {
      note.value = undefined;
      for (const direction of ['push', 'pull'] as const)
        send(
          shown.value.filter(row => row.defaultSelection === direction).map(row => row.id),
          direction,
        );
    },
    skipUndecided(): void {
      note.value = undefined;
      send(
        shown.value.filter(row => rows.now(row).choice === null).map(row => row.id),
        'skip',
      );
    },
    openDiff: id => bridge.send({ kind: 'openDiff', id }),
    refresh: () => bridge.send({ kind: 'refresh' }),
    reviewAgain() {
      const saved = bridge.load();
      const view = saved?.sides === 'pluto' ? saved.placeName : undefined;
      bridge.send(view === undefined ? { kind: 'reviewAgain' } : { kind: 'reviewAgain', view });
    },
    apply: () => decide('apply'),
    reject: () => decide('reject'),
    nextUndecided(backwards = false): TreeLine | undefined {
      if (!lines.value.some(isUndecided)) showEverything();
      const all = lines.value;
      const from = places.value.get(active.value?.node.key ?? '') ?? 0;
      const step = backwards ? -1 : 1;
      for (let away = 1; away <= all.length; away += 1) {
        const line = all[(from + step * away + all.length * 2) % all.length];
        if (line !== undefined && isUndecided(line)) return line;
      }
      return undefined;
    },
    scrolled(top): void {
      scrollTop = top;
      saver.schedule();
    },
  };
}
