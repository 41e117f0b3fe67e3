import { isDone, type PropertyChange } from '../protocol/sync-result.ts';
import { DisposableStore } from '../base/disposable-store.ts';
import { Emitter, type Event } from '../base/emitter.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { ReviewControl } from '../ports/review-surface.ts';
import type { ReviewRow } from '../protocol/review.ts';
import type { ChangeResult, RunResult } from '../protocol/run-result.ts';
import type { SummaryFacts } from '../protocol/sync-summary.ts';
import type { StudioDirectory, StudioLink } from '../studio/studio-link.ts';
import type { ProjectSession } from '../project/project-session.ts';
import { isScriptClass } from '../protocol/script-class.ts';
import { variantFromWire } from '../roblox/values/variant-wire.ts';
import type { SyncEngine, SyncRun } from './sync-engine.ts';

/** One change for lists. `choice` is the choice in the review, or else the default; null = undecided. */
export type PendingChange = Pick<
  ReviewRow,
  'id' | 'path' | 'name' | 'className' | 'patchType' | 'fsPath' | 'choice' | 'defaultReason' | 'reason'
> & {
  readonly agent: NonNullable<ReviewRow['override']>['direction'] | null;
  /** Whether the text of a script differs, or is on one side only. */
  readonly hasSource: boolean;
  /** The names of a renamed instance. */
  readonly names?: { readonly studio: string; readonly disk: string };
  /** The properties that differ; `undefined` in a review, which shows them itself. */
  readonly properties?: ChangeResult['properties'];
};

/** The known differences between disk and Studio. */
export interface PendingState {
  /** `unknown`: nothing was compared yet, or the comparison is outdated. */
  readonly kind: 'unknown' | 'compared' | 'reviewing';
  readonly changes: readonly PendingChange[];
  readonly placeName: string | undefined;
  /** Time of the comparison, ISO 8601; `undefined` while unknown, and in a review, which updates itself. */
  readonly at: string | undefined;
  /** The open review, which decides. */
  readonly review: ReviewControl | undefined;
  /** Why the latest comparison failed. */
  readonly problem: SummaryFacts | undefined;
}

export interface PendingChanges extends Disposable {
  state(): PendingState;
  /** Whether a background comparison is in progress. */
  isComparing(): boolean;
  /** Whether the Studio that is compared is connected; if not, the changes are as old as the comparison. */
  isConnected(): boolean;
  /** The connected Studio that is compared. */
  studio(): StudioLink | undefined;
  readonly onDidChange: Event<void>;
  /** Compares now, and uses this Studio from now on. A requested run preempts the comparison. Resolves when the result is known. */
  refresh(studio?: string): Promise<void>;
  /** Schedules a comparison if automatic comparison is on. */
  scheduleRefresh(): void;
  setAutomatic(isOn: boolean): void;
}

export interface PendingChangesDeps {
  readonly engine: Pick<SyncEngine, 'start' | 'current' | 'onDidChange'>;
  readonly studios: StudioDirectory;
  readonly session: () => Pick<ProjectSession, 'onDidChange'> | undefined;
  readonly onDidChangeProject: Event<void>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Delay after a save, because a save touches several files, and people save repeatedly. */
const QUIET_MS = 800;
/** Automatic comparisons take at most one fifth of the time. */
const IDLE_FACTOR = 5;

const nothing: PendingState = {
  kind: 'unknown',
  changes: [],
  placeName: undefined,
  at: undefined,
  review: undefined,
  problem: undefined,
};

/** Keeps the list of pending changes up to date: from requested runs, and from dry runs in the background. */
export function followPendingChanges(deps: PendingChangesDeps): PendingChanges {
  const { engine, studios, clock, log } = deps;
  const store = new DisposableStore();
  const changed = new Emitter<void>();
  let state = nothing;
  let wantedStudio: string | undefined;
  let isAutomatic = false;
  let lastLink: StudioLink | undefined;
  let own: Promise<void> | undefined;
  let isComparing = false;
  let lastTookMs = 0;
  let cancelTimer = (): void => {};
  let followed: SyncRun | undefined;
  let watchedReview: ReviewControl | undefined;
  let whileReviewing = store.add(new DisposableStore());
  let whileOpen = store.add(new DisposableStore());

  const enter = (next: PendingState): void => {
    state = next;
    changed.fire();
  };
  const take = (result: RunResult): void => {
    const { status, place, changes } = result;
    if (changes.length === 0 && status !== 'empty') return enter({ ...state, problem: result });
    const left = changes.filter(({ outcome }) => !isDone(outcome));
    const at = clock.date();
    enter({ ...nothing, kind: 'compared', changes: left.map(ofResult), placeName: place?.name, at });
  };
  const link = (): StudioLink | undefined => {
    const open = studios.all().filter(one => one.isOpen());
    return open.find(({ handle }) => handle === wantedStudio) ?? open[0];
  };

  const compare = async (): Promise<void> => {
    const began = clock.now();
    let result: RunResult;
    isComparing = true;
    try {
      const run = engine.start({
        mode: 'dryrun',
        overrides: [],
        requestedBy: 'Changes',
        isBackground: true,
        studio: link()?.handle,
      });
      changed.fire();
      result = await run.result;
    } finally {
      isComparing = false;
    }
    lastTookMs = clock.now() - began;
    // A requested run took over; its result is newer.
    if (result.status === 'cancelled' || result.status === 'sync_in_progress') changed.fire();
    else take(result);
  };
  const refresh = async (): Promise<void> => {
    cancelTimer();
    own ??= compare().finally(() => (own = undefined));
    await own;
  };
  /** A plugin without capabilities applies its own defaults while it compares, so only a person starts that. */
  const mayCompare = (): boolean =>
    isAutomatic &&
    engine.current() === undefined &&
    deps.session() !== undefined &&
    (link()?.hello.capabilities.length ?? 0) > 0;
  const scheduleCompare = (): void => {
    cancelTimer();
    if (!mayCompare()) return;
    cancelTimer = clock.after(Math.max(QUIET_MS, lastTookMs * IDLE_FACTOR), () => {
      if (own !== undefined) scheduleCompare();
      else if (mayCompare())
        refresh().catch((error: unknown) => log.error('the pending changes could not be compared', error));
    });
  };

  const watchReview = (review: ReviewControl | undefined): void => {
    if (watchedReview === review) return;
    watchedReview = review;
    whileReviewing[Symbol.dispose]();
    whileReviewing = store.add(new DisposableStore());
    if (review === undefined) return;
    const draw = (): void => {
      const { rows, placeName } = review.snapshot();
      enter({ ...nothing, kind: 'reviewing', changes: rows.map(ofReview), placeName, review });
    };
    whileReviewing.add(review.onDidChange(draw));
    draw();
  };
  const followRuns = (): void => {
    const run = engine.current();
    const review = run?.review();
    if (review !== undefined || watchedReview !== undefined) watchReview(review);
    const ended = run === undefined ? followed : undefined;
    followed = run;
    const result = ended?.latest();
    if (result === undefined) return changed.fire();
    // A restore does not compare the project.
    const isRestore = result.restoredSide !== undefined;
    if (isRestore) enter(nothing);
    else take(result);
    if (isRestore || result.status === 'success' || result.status === 'partial') scheduleCompare();
  };
  /** The reason why nothing was compared may have ended. */
  const forgetProblem = (): void => {
    if (state.problem !== undefined) enter({ ...state, problem: undefined });
  };
  const followProject = (): void => {
    forgetProblem();
    whileOpen[Symbol.dispose]();
    whileOpen = store.add(new DisposableStore());
    const session = deps.session();
    if (session !== undefined) whileOpen.add(session.onDidChange(scheduleCompare));
    scheduleCompare();
  };
  store.add(engine.onDidChange(followRuns));
  store.add(deps.onDidChangeProject(followProject));
  store.add(
    studios.onDidChange(() => {
      // It also fires when a round trip was measured.
      if (link() !== lastLink) forgetProblem();
      lastLink = link();
      changed.fire();
      scheduleCompare();
    }),
  );
  store.defer(() => cancelTimer());
  followProject();

  return {
    state: () => state,
    isComparing: () => isComparing,
    isConnected: () => link() !== undefined,
    studio: link,
    onDidChange: changed.event,
    async refresh(studio) {
      wantedStudio = studio ?? wantedStudio;
      // A comparison in progress may have read the state before the requested one.
      if (own !== undefined) await own;
      await refresh();
    },
    scheduleRefresh: scheduleCompare,
    setAutomatic(isOn) {
      isAutomatic = isOn;
      scheduleCompare();
    },
    [Symbol.dispose]: () => store[Symbol.dispose](),
  };
}

type Identity = Pick<PendingChange, 'id' | 'path' | 'name' | 'className' | 'patchType' | 'fsPath'>;

const identityOf = ({ id, path, name, className, patchType, fsPath }: Identity): Identity => ({
  id,
  path,
  ...(name === undefined ? {} : { name }),
  className,
  patchType,
  fsPath,
});

function ofReview(row: ReviewRow): PendingChange {
  const { choice, defaultReason, reason, override, hasSource, properties } = row;
  const agent = override?.direction ?? null;
  return { ...identityOf(row), choice, defaultReason, reason, agent, hasSource, ...namesOf(properties['Name']) };
}

function ofResult(change: ChangeResult): PendingChange {
  const { className, patchType, direction, defaultReason, reason = null, properties } = change;
  return {
    ...identityOf(change),
    choice: direction === 'unresolved' ? null : direction,
    defaultReason,
    reason,
    agent: null,
    hasSource: isScriptClass(className) && (patchType !== 'Edit' || change.studioHash !== change.diskHash),
    ...namesOf(properties?.['changedName']),
    ...(properties === undefined ? {} : { properties }),
  };
}

function namesOf(change: PropertyChange | undefined): Pick<PendingChange, 'names'> {
  const [studio, disk] = [change?.current, change?.incoming].map(value => {
    const parsed = variantFromWire(value);
    return parsed.ok && typeof parsed.value.value === 'string' ? parsed.value.value : undefined;
  });
  return studio === undefined || disk === undefined ? {} : { names: { studio, disk } };
}
