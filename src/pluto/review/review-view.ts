import { plural } from '../../base/plural.ts';
import type { ProjectPath } from '../../base/brand.ts';
import { AppError } from '../../base/errors.ts';
import type { Event } from '../../base/emitter.ts';
import { formatSentence, say, type Sentence } from '../../base/sentence.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FileWatcher } from '../../ports/file-watcher.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { JournalStore } from '../../ports/journal-store.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Random } from '../../ports/random.ts';
import type { ReviewSurface } from '../../ports/review-surface.ts';
import { journalLimitsOf, type Settings } from '../../ports/settings.ts';
import { asksForApproval, type OverrideRules } from '../../protocol/override-policy.ts';
import { forPerson } from '../../protocol/error-body.ts';
import { discardedDigest, type OverrideResult } from '../session/views/compare-with-module.ts';
import type { ViewSync, ViewSyncRequest as DecidedViewSync } from '../session/views/sync-view.ts';
import { createViewJournal, type ViewJournal } from '../session/views/view-journal.ts';
import type { ViewReviewState, ViewModules } from '../session/views/view-modules.ts';
import { untilAborted } from '../../base/until-aborted.ts';
import { followSides } from '../../review/follow-sides.ts';
import { saveChoices, restoreChoices } from '../../review/saved-choices.ts';
import { createReviewSession, type ReviewSession } from '../../review/review-session.ts';
import { takeByChoice, type ViewRow, viewRow } from './view-row.ts';
import { viewSides } from './view-sides.ts';
import type { ViewSyncRequest, ViewSyncResult } from './view-sync-request.ts';

export interface ReviewViewDeps {
  readonly modules: ViewModules;
  readonly watcher: FileWatcher;
  readonly clock: Clock;
  readonly random: Random;
  readonly hasher: Hasher;
  readonly log: Logger;
  readonly settings: OverrideRules & Pick<Settings, 'reviewTimeoutMinutes' | 'journalMaxMegabytes' | 'journalMaxDays'>;
  /** `undefined`: replaced files are not recorded. */
  readonly journal: JournalStore | undefined;
  /** `undefined` where no person can be asked. */
  readonly surface: ReviewSurface | undefined;
}

export interface ReviewViewObserver {
  reviewing(review: ReviewSession<ViewRow> | undefined): void;
  /** The run can no longer be cancelled. */
  pointOfNoReturn(): void;
}

/** Syncs a `.pt` with its module, and asks a person if the mode requires it. Compares again whenever a side changes during the review. */
export async function reviewView(
  runId: string,
  request: ViewSyncRequest,
  deps: ReviewViewDeps,
  observer: ReviewViewObserver,
  signal: AbortSignal,
): Promise<ViewSyncResult> {
  const { modules, settings } = deps;
  const { path, overrides, mode, requestedBy } = request;
  const journal = journalFor(requestedBy, deps);
  const sync = (decided: DecidedViewSync): Promise<ViewSync> => {
    signal.throwIfAborted();
    observer.pointOfNoReturn();
    return modules.sync(decided, signal, journal);
  };
  if (modules.isReadOnly) throw new AppError('PLUTO_READ_ONLY', { action: 'sync_pt' });
  const asked = { path, overrides, requiresOrigin: mode !== 'fastfail', rules: settings };
  if (mode === 'fastfail' && !mayAsk(settings, overrides)) return sync(asked);
  const first = await modules.compare(asked, signal);
  const isAsking = asksForApproval(settings, first.verdicts);
  if (mode === 'fastfail')
    return isAsking ? { ...first, status: 'unresolved', isAsking } : sync({ ...asked, state: first.state });
  const isOpen = isUndecided(first) || isAsking;
  if (first.changes.length === 0 || (mode === 'standard' && !isOpen)) return sync({ ...asked, state: first.state });
  const { surface } = deps;
  if (surface === undefined && request.canDecide !== true) {
    if (isOpen) return { ...first, status: 'unresolved', isAsking };
    throw new AppError('REVIEW_UNAVAILABLE', { reason: 'neither VS Code nor the client that asked can show it' });
  }

  const { drafts, translate } = surface ?? {};
  const sides = viewSides(first.view, translate);
  let snapshot = first;
  let rows = toRows(first);
  /** Writes the merged declarations into the `.pt`, which a push then takes over. Resolves with the comparison to sync. */
  const writeMerges = async (): Promise<Pick<ViewReviewState, 'state'>> => {
    const merged = rows.flatMap(({ change: { id }, choice, personMerge }) =>
      choice === 'merge' && personMerge?.text != null ? [{ id, text: personMerge.text }] : [],
    );
    if (merged.length === 0) return snapshot;
    const now = await modules.compare(asked, signal);
    if (now.state !== snapshot.state) throw new AppError('FILE_CHANGED', { file: snapshot.view });
    signal.throwIfAborted();
    observer.pointOfNoReturn();
    await modules.writeInto(now, merged, journal);
    return await modules.compare(asked, signal);
  };
  const keeping = drafts === undefined ? undefined : { ...deps, drafts, sides };
  const place = `pluto ${path}`;
  const kept = keeping && (await restoreChoices(place, rows, keeping));
  const reviewing = new AbortController();
  const onDidMove = onDidChangeSides(first, deps);
  const review = createReviewSession({
    runId,
    placeName: first.view,
    requestedBy,
    sides,
    translate,
    changes: rows,
    restoredIds: kept ?? new Set(),
    refresh: () => follower.refresh(),
    async texts({ change: { name, before, after } }) {
      await follower.settled();
      return {
        title: name,
        disk: after === undefined ? undefined : { fsPath: null, text: after },
        studio: before === undefined ? undefined : { text: before },
        base: undefined,
      };
    },
    async checkMerge({ change: { id } }, text) {
      await follower.settled();
      await modules.checkMerge(snapshot, [{ id, text }]);
    },
  });
  using follower = followSides({
    clock: deps.clock,
    review,
    onDidChangeSide: onDidMove,
    // A hint may be wrong, and a comparison is cheap.
    hasChanged: () => true,
    async compare() {
      snapshot = await compareWhenItParses(() => modules.compare(asked, signal), onDidMove, reviewing.signal);
      rows = toRows(snapshot);
      return rows;
    },
  });
  using saved = keeping && saveChoices(place, review, keeping);
  observer.reviewing(review);
  try {
    await surface?.show(review, signal);
    const decision = await untilAborted(Promise.race([review.decision, follower.failed]), signal);
    observer.reviewing(undefined);
    if (decision === 'reject')
      return { ...snapshot, verdicts: finalVerdicts(snapshot.verdicts, []), status: 'rejected' };
    // The digests are those of the texts that the person saw, so a change of the module since then is refused.
    const decided = rows.map(row => {
      const take = takeByChoice[row.choice ?? 'skip'];
      return { id: row.change.id, take, digest: discardedDigest(row.change, take) };
    });
    const { state } = await writeMerges();
    const synced = await sync({ path, overrides: decided, state });
    for (const row of rows)
      row.outcome = row.choice === 'merge' ? 'merged' : outcomeOf[takeByChoice[row.choice ?? 'skip']];
    await saved?.keepOnly(() => false);
    review.setPhase('ended', formatSentence(summaryOf(synced, rows), translate));
    const asked = new Set(snapshot.verdicts.map(({ id }) => id));
    const changes = synced.changes.map(change => (asked.has(change.id) ? change : { ...change, why: change.moved }));
    return { ...synced, changes, verdicts: finalVerdicts(snapshot.verdicts, decided) };
  } catch (error) {
    const failure = forPerson(AppError.from(error));
    const outcome = (await saved?.explainIn(failure)) ?? failure;
    review.setPhase('ended', formatSentence(outcome, translate));
    throw error;
  } finally {
    reviewing.abort();
  }
}

const mayAsk = (rules: OverrideRules, overrides: readonly unknown[]): boolean =>
  overrides.length > 0 && rules.overridesApproval() === 'ask';

const outcomeOf = { pt: 'applied', pluto: 'written', skip: 'skipped' } as const;

const isUndecided = ({ changes, verdicts }: ViewReviewState): boolean =>
  changes.some(({ take }) => take === undefined) || verdicts.some(({ verdict }) => verdict !== 'accepted');

function toRows({ changes, verdicts }: ViewReviewState): readonly ViewRow[] {
  const byId = new Map<string, OverrideResult>(verdicts.map(one => [one.id, one]));
  return changes.map(change => viewRow(change, byId.get(change.id)));
}

/** The verdicts after the decision of a person. An override that the person did not follow was declined. */
const finalVerdicts = (
  verdicts: readonly OverrideResult[],
  decided: readonly Pick<OverrideResult, 'id' | 'take'>[],
): readonly OverrideResult[] =>
  verdicts.map(one => {
    const isFollowed = decided.some(({ id, take }) => id === one.id && take === one.take);
    return one.verdict === 'accepted' && !isFollowed ? { ...one, verdict: 'declined' } : one;
  });

function journalFor(
  requestedBy: string,
  { journal, settings, random, clock, log }: ReviewViewDeps,
): ViewJournal | undefined {
  if (journal === undefined) return undefined;
  const limits = () => journalLimitsOf(settings);
  return createViewJournal({ journal, limits, random, clock, log }, requestedBy);
}

/** Fires when the `.pt` or its module may have changed, on disk or in memory. */
function onDidChangeSides(
  { path, view }: ViewReviewState,
  { modules: { onDidChange }, watcher }: ReviewViewDeps,
): Event<void> {
  const concerns = (hint: ProjectPath): boolean =>
    hint === view || hint === path || view.startsWith(`${hint}/`) || (hint as string) === '';
  return listener => {
    const onDisk = watcher.watch(hint => {
      if (concerns(hint)) listener();
    });
    const inMemory = onDidChange(({ modules }) => {
      if (modules.includes(path)) listener();
    });
    return {
      [Symbol.dispose]() {
        onDisk[Symbol.dispose]();
        inMemory[Symbol.dispose]();
      },
    };
  };
}

/** Waits until the `.pt` parses: the user may be typing. */
async function compareWhenItParses(
  compare: () => Promise<ViewReviewState>,
  onDidMove: Event<void>,
  signal: AbortSignal,
): Promise<ViewReviewState> {
  for (;;) {
    const { promise: moved, resolve } = Promise.withResolvers<void>();
    using _subscription = onDidMove(resolve);
    try {
      return await compare();
    } catch (error) {
      if (!AppError.is(error, 'PLUTO_SOURCE_INVALID')) throw error;
      await untilAborted(moved, signal);
    }
  }
}

function summaryOf({ path, view }: ViewSync, rows: readonly ViewRow[]): Sentence {
  const skipped = rows.filter(({ choice }) => choice === 'skip').length;
  if (skipped === 0) return say`${path} and ${view} are in sync.`;
  return plural(
    skipped,
    say`${path} and ${view} are in sync, except 1 skipped declaration.`,
    say`${path} and ${view} are in sync, except ${skipped} skipped declarations.`,
  );
}
