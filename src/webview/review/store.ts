import { fill } from '../fill.ts';
import { batch, computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { canMerge, choicesOf, textsOf } from '../../protocol/row-choices.ts';
import type {
  ReviewOutcome,
  ReviewRow,
  ReviewStatus,
  ToWebview,
  UntrackedList,
  UntrackedRow,
} from '../../protocol/review.ts';
import type { ReviewPageStrings, ReviewStrings } from '../../protocol/review-strings.ts';
import type { Choice } from '../../protocol/sync-request.ts';
import type { ChangeOutcome } from '../../protocol/sync-result.ts';
import type { EditorConnection, ViewState } from './editor-connection.ts';
import { everything, filterRows, isEverything, type RowFilter } from './row-filter.ts';
import { createRows, type Rows } from './rows.ts';
import { createSaver } from './debounced-saver.ts';
import { buildTree, bulkChoice, type TreeLine, visibleLines } from './tree-model.ts';

/** The texts for an ended review. `again`: whether a new review can be started in this window. */
interface EndedReview {
  readonly title: string;
  readonly text: string;
  readonly again: boolean;
}

/** The state of the page: the latest data of the extension, the view state, and unanswered clicks. */
export interface Store {
  /** The texts for the shown pair of sides. */
  readonly strings: ReviewStrings;
  readonly status: ReadonlySignal<ReviewStatus | undefined>;
  readonly rows: Rows;
  /** Items that could not be fully compared, one sentence each. */
  readonly warnings: ReadonlySignal<readonly string[]>;
  /** The properties that only Studio has; `undefined` while unknown. */
  readonly untracked: ReadonlySignal<UntrackedList | undefined>;
  /** The rows that match the filter. Bulk choices apply to these. */
  readonly shown: ReadonlySignal<readonly ReviewRow[]>;
  readonly lines: ReadonlySignal<readonly TreeLine[]>;
  readonly active: ReadonlySignal<TreeLine | undefined>;
  readonly filter: ReadonlySignal<RowFilter>;
  readonly filtered: ReadonlySignal<boolean>;
  readonly classNames: ReadonlySignal<readonly string[]>;
  /** Whether a change can be merged, so that the choices need more space. */
  readonly hasMerges: ReadonlySignal<boolean>;
  /** `deciding`: the user can still choose. `settled`: no click is unanswered. */
  readonly deciding: ReadonlySignal<boolean>;
  readonly settled: ReadonlySignal<boolean>;
  /** Set if the review of a restored page is not in this window. */
  readonly endedReview: ReadonlySignal<EndedReview | undefined>;
  readonly failure: Signal<string | undefined>;
  /** Reports the deletions that the last bulk choice skipped. */
  readonly note: ReadonlySignal<string | undefined>;
  /** The height of the details, in pixels; `undefined`: a share of the page. */
  readonly detailsHeight: ReadonlySignal<number | undefined>;
  resizeDetails(height: number | undefined): void;
  /** Increment it to move the keyboard focus to the active line. */
  readonly focusRequest: Signal<number>;
  /** The initial scroll position of the tree. */
  readonly scrollTop: () => number;
  /** The index of a line, from 0. */
  indexOf(key: string): number | undefined;
  path(id: string): string | undefined;
  activate(key: string): void;
  moveTo(line: TreeLine | undefined): void;
  /** Activates the line of a change. Clears filters and expands groups if they hide it. */
  reveal(id: string): void;
  setExpanded(line: TreeLine, expanded: boolean): void;
  setFilter(change: Partial<RowFilter>): void;
  /** Chooses for one change. */
  choose(row: ReviewRow, choice: Choice): void;
  /** Chooses for many changes. Skips deletions and reports them in `note`. */
  chooseAll(rows: readonly ReviewRow[], choice: Choice): void;
  chooseDefaults(): void;
  skipUndecided(): void;
  openDiff(id: string): void;
  /** Adds an untracked property to the review. */
  track(row: UntrackedRow): void;
  refresh(): void;
  reviewAgain(): void;
  apply(): void;
  reject(): void;
  nextUndecided(backwards?: boolean): TreeLine | undefined;
  scrolled(top: number): void;
}

/** Returns `one` for exactly one, otherwise `many` with the count filled in. */
export const count = (total: number, one: string, many: string): string => (total === 1 ? one : fill(many, total));

/** The text for the outcome of a change. */
export const outcomeText = ({ strings }: Store, { patchType }: ReviewRow, outcome: ChangeOutcome): string =>
  strings.outcomesOfKind[patchType]?.[outcome] ?? strings.outcomes[outcome];

/** The text for the effect of a choice. */
export const effectOf = ({ strings }: Store, { patchType }: ReviewRow, choice: Choice): string =>
  strings.effects[patchType][choice];

/**
 * The page may have been closed before it received the outcome. Runs are recorded in the storage of their window, so a missing record only
 * means "nothing was changed" if this is the same window.
 */
function describeEndedReview(
  { isElsewhere, outcome }: ReviewOutcome,
  saved: ViewState | undefined,
  { endedReview: texts }: ReviewStrings,
  storage: string,
): EndedReview {
  if (isElsewhere) return { title: texts.elsewhereTitle, text: texts.elsewhere, again: false };
  const { title, unknown, undecided, decided } = texts;
  const known = outcome ?? saved?.outcome;
  if (known != null || saved === undefined) return { title, text: known ?? unknown, again: true };
  if (saved.phase !== 'deciding') return { title, text: decided, again: true };
  return { title, text: saved.storage === storage ? undecided : unknown, again: true };
}

/** @param storage path of the storage folder of this window */
export function createStore(editor: EditorConnection, words: ReviewPageStrings, storage: string): Store {
  const strings = (): ReviewStrings =>
    words[status.value === undefined ? (editor.load()?.sides ?? 'studio') : textsOf(status.value)];
  const status = signal<ReviewStatus | undefined>(undefined);
  const rows = createRows();
  const paths = signal<Readonly<Record<string, string>>>({});
  const warnings = signal<readonly string[]>([]);
  const untracked = signal<UntrackedList | undefined>(undefined);
  const unanswered = signal(false);
  const endedReview = signal<EndedReview | undefined>(undefined);
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
  const deciding = computed(() => status.value?.phase === 'deciding' && endedReview.value === undefined);
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
    editor.save({ runId, sides, placeName, storage, phase, outcome, scrollTop, ...arranged });
  });
  /** Called only when the filter or the list changes, so that a line does not vanish when the user decides it. */
  const applyFilter = (): void => {
    const next = filterRows(rows.sent.value, filter.value, rows.now);
    const now = shown.value;
    // Keep the array if nothing changed, so that the tree is not built and rendered again.
    if (next.length !== now.length || next.some((row, index) => row !== now[index])) shown.value = next;
  };
  const isUndecided = (line: TreeLine): boolean =>
    line.node.row !== undefined && rows.now(line.node.row).choice === null;

  const begin = (runId: string): void => {
    const saved = editor.load();
    const same = saved?.runId === runId ? saved : undefined;
    collapsed.value = new Set(same?.collapsed);
    activeKey.value = same?.active;
    filter.value = { ...everything, ...same?.filter };
    scrollTop = same?.scrollTop ?? 0;
    // The layout is kept across runs.
    detailsHeight.value = saved?.detailsHeight;
    failure.value = undefined;
    note.value = undefined;
  };
  const setStatus = (next: ReviewStatus): void => {
    const entered = next.phase !== status.value?.phase;
    status.value = next;
    // Save now: the window may close at any time, and the restored page must know the phase.
    if (entered) saver.now();
  };
  const receive = (message: ToWebview): void => {
    unanswered.value = false;
    switch (message.kind) {
      case 'failed':
        failure.value = message.message;
        return;
      case 'ended':
        endedReview.value = describeEndedReview(message, editor.load(), strings(), storage);
        return;
      case 'delta':
        if (message.base !== status.value?.revision) return editor.send({ kind: 'ready' });
        rows.update(message.rows);
        setStatus(message.status);
        return;
      case 'snapshot': {
        const { rows: sent, paths: known, warnings: sentences, untracked: list, ...rest } = message.snapshot;
        if (rest.runId !== status.value?.runId) begin(rest.runId);
        endedReview.value = undefined;
        rows.replace(sent);
        paths.value = known;
        warnings.value = sentences;
        untracked.value = list;
        setStatus(rest);
        applyFilter();
        // Set only once, so that the active line stays active when it is decided.
        activeKey.value ??= sent.find(row => row.choice === null)?.id ?? sent[0]?.id;
      }
    }
  };
  editor.onMessage(message => batch(() => receive(message)));

  const send = (ids: readonly string[], choice: Choice): void => {
    if (ids.length === 0 || !deciding.value) return;
    batch(() => {
      rows.applyOptimistically(ids, choice);
      unanswered.value = true;
      failure.value = undefined;
    });
    editor.send({ kind: 'choose', ids: [...ids], choice });
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
    editor.send({ kind, revision: seen.revision });
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
    untracked,
    shown,
    lines,
    active,
    filter,
    filtered: computed(() => !isEverything(filter.value)),
    classNames,
    hasMerges: computed(() => rows.sent.value.some(row => canMerge(rows.now(row)))),
    deciding,
    settled: computed(() => !unanswered.value && status.value?.comparing !== true),
    endedReview,
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
      if (!choicesOf(rows.now(row), status.value?.restore).includes(choice)) return;
      const { choice: made, follows, isReopened, isRestored } = rows.now(row);
      if (made !== choice || follows !== null || isReopened || isRestored) send([row.id], choice);
    },
    chooseAll(which, choice): void {
      const { restore } = status.value ?? {};
      const possible = which.filter(row => choicesOf(rows.now(row), restore).includes(choice));
      const { ids, deletionsLeft } = bulkChoice(possible, choice);
      const { deletionsLeftOne, deletionsLeftMany } = strings().bulk;
      note.value = deletionsLeft === 0 ? undefined : count(deletionsLeft, deletionsLeftOne, deletionsLeftMany);
      send(ids, choice);
    },
    chooseDefaults(): void {
      note.value = undefined;
      for (const direction of ['push', 'pull', 'merge'] as const)
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
    openDiff: id => editor.send({ kind: 'openDiff', id }),
    track({ id, property }): void {
      failure.value = undefined;
      editor.send({ kind: 'track', id, property });
    },
    refresh: () => editor.send({ kind: 'refresh' }),
    reviewAgain() {
      const saved = editor.load();
      const view = saved?.sides === 'pluto' ? saved.placeName : undefined;
      editor.send(view === undefined ? { kind: 'reviewAgain' } : { kind: 'reviewAgain', view });
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
