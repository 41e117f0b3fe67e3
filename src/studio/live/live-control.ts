import { DisposableStore } from '../../base/disposable-store.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import { formatSentence, joinWithSemicolons, say, type Sentence } from '../../base/sentence.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FileSystem } from '../../ports/file-system.ts';
import type { FileTransactions } from '../../ports/file-transactions.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { JournalStore } from '../../ports/journal-store.ts';
import type { Random } from '../../ports/random.ts';
import type { Logger } from '../../ports/logger.ts';
import type { LiveMode, Settings } from '../../ports/settings.ts';
import type { RunResult } from '../../protocol/run-result.ts';
import type { SyncInput } from '../../protocol/sync-request.ts';
import type { Reflection } from '../../roblox/instances/reflection.ts';
import type { ServedProject } from '../served-project.ts';
import type { LiveChannel, StudioDirectory, StudioLink } from '../studio-link.ts';
import type { LiveBases } from './live-base.ts';
import { PushJournal } from './push-journal.ts';
import { type LiveChange, LiveSession, type LiveSessionState } from './live-session.ts';
import { outcomeOf } from './sync-outcome.ts';
import type { WrittenStructure } from './write-structure.ts';
import { WrittenEdits } from './written-edits.ts';

const WORST_FIRST: readonly LiveState['kind'][] = ['failed', 'unsupported', 'starting', 'on'];
type OpenLiveMode = Exclude<LiveMode, 'off'>;

/** Delay before a review starts, to combine the reasons for it. */
const QUIET_MS = 500;

/** Interval of looking whether the run of another window, which prevents a review, has ended. */
const OTHER_RUN_MS = 2000;

/**
 * State of Live Sync. `waiting`: on, but no Studio or project is available. `unsupported`: the connected plugin does not support live
 * sessions from here. With several Studios, the worst of their states.
 */
export type LiveState = { readonly kind: 'off' | 'waiting' | 'unsupported' } | LiveSessionState;

/** The part of the sync engine that live sessions use. */
export interface SyncStarter {
  current():
    | { readonly result: Promise<Pick<RunResult, 'changes' | 'status' | 'studio' | 'restoredSide'>> }
    | undefined;
  /** Fires when a run starts, changes its phase, or ends. */
  readonly onDidChange: Event<void>;
  start(request: SyncInput & { readonly requestedBy: string }): { readonly result: Promise<Pick<RunResult, 'status'>> };
  /** The run of another window or program that changes the project now. */
  runElsewhere(): Promise<string | undefined>;
}

export interface LiveControlDeps {
  readonly studios: StudioDirectory;
  readonly served: () => ServedProject | undefined;
  /** Fires when `served` returns another project. */
  readonly onDidServe: Event<void>;
  readonly engine: SyncStarter;
  readonly bases: LiveBases;
  readonly files: FileSystem;
  readonly transactions: FileTransactions;
  readonly journal: JournalStore;
  readonly random: Random;
  /** Whether a person can be asked. */
  readonly canReview: boolean;
  readonly clock: Clock;
  readonly hasher: Hasher;
  readonly reflection: Reflection;
  readonly settings: Settings;
  readonly log: Logger;
}

/** Manages the live sessions with our plugin, one for each Studio. */
export interface LiveControl extends Disposable {
  mode(): LiveMode;
  /** Overrides the configured mode until the bridge stops; `undefined` restores the configured mode. */
  setMode(mode: LiveMode | undefined): void;
  state(): LiveState;
  /** The last change that a live session carried over; `undefined` before the first one. */
  lastChange(): LiveChange | undefined;
  /** Fires when the mode, the state or the last change differs. */
  readonly onDidChange: Event<void>;
  /** Fires with the reason when a live session needs a decision. A review follows if a person can be asked. */
  readonly onDidNeedSync: Event<Sentence>;
  /** Fires when instances that were created, renamed or moved in Studio have been written to files. */
  readonly onDidWriteStructure: Event<WrittenStructure>;
}

export function createLiveControl(deps: LiveControlDeps): LiveControl {
  const { studios, settings, clock, log } = deps;
  const changed = new Emitter<void>();
  const needed = new Emitter<Sentence>();
  const structure = new Emitter<WrittenStructure>();
  const lifetime = new DisposableStore();
  let chosen: LiveMode | undefined;
  const sessions = new Map<StudioLink, { readonly session: LiveSession; state: LiveState }>();
  let served: ServedProject | undefined;
  let written = new WrittenEdits(deps.hasher);
  let modeOfSessions: LiveMode = 'off';
  /** Reasons for a pending review, by Studio. */
  const reasons = new Map<StudioLink, Map<string, Sentence>>();
  let cancelTimer = (): void => {};
  let starts = 0;
  let lastChange: LiveChange | undefined;

  const mode = (): LiveMode => chosen ?? settings.live();
  const state = (): LiveState => {
    if (mode() === 'off') return { kind: 'off' };
    const links = studios.all();
    if (links.length === 0 || served === undefined) return { kind: 'waiting' };
    const states = links.map((link): LiveState => sessions.get(link)?.state ?? { kind: 'unsupported' });
    const worst = WORST_FIRST.flatMap(kind => states.filter(one => one.kind === kind));
    return worst[0] ?? { kind: 'waiting' };
  };

  /** Starts one review for all pending reasons of a Studio; waits for a run in progress. */
  const startReview = (): void => {
    const running = deps.engine.current();
    if (running !== undefined) return void running.result.then(() => scheduleReview());
    const [next] = reasons;
    if (next === undefined) return;
    const [link, found] = next;
    reasons.delete(link);
    const all = joinWithSemicolons(Array.from(found.values()));
    const reason = studios.all().length > 1 ? say`${link.handle} (${link.hello.placeName}): ${all}` : all;
    log.warn('disk and Studio need a decision', { reason: formatSentence(reason) });
    needed.fire(reason);
    if (deps.canReview && link.isOpen()) {
      const { result } = deps.engine.start({
        mode: 'manual',
        overrides: [],
        requestedBy: 'Live Sync',
        studio: link.handle,
      });
      void result.then(({ status }) => {
        if (status !== 'sync_in_progress' || !sessions.has(link)) return;
        // A run of another window prevented the review.
        reasons.set(link, new Map([...found, ...(reasons.get(link) ?? [])]));
        reviewAfterOtherRun();
      });
    }
    if (reasons.size > 0) scheduleReview();
  };
  const scheduleReview = (): void => {
    cancelTimer();
    cancelTimer = clock.after(QUIET_MS, startReview);
  };
  const reviewAfterOtherRun = (): void => {
    cancelTimer();
    cancelTimer = clock.after(OTHER_RUN_MS, () => {
      const isFree = deps.engine.runElsewhere().then(
        other => other === undefined,
        () => false,
      );
      void isFree.then(free => (free ? startReview() : reasons.size > 0 && reviewAfterOtherRun()));
    });
  };

  let followed: ReturnType<SyncStarter['current']>;
  /** Lets the sessions compare again after a run that answers their questions. */
  const followRuns = (): void => {
    const run = deps.engine.current();
    if (run === followed) return;
    followed = run;
    void run?.result.then(result => {
      const outcome = outcomeOf(result);
      if (outcome === undefined) return;
      for (const [link, { session }] of sessions) {
        const isOwn = result.studio === undefined || result.studio === link.handle;
        if (isOwn) session.compareAgain(outcome, reasons.delete(link));
        // A person does not know the differences of another Studio by what the run left.
        else if (result.status !== 'empty') session.compareAgain({ ...outcome, left: 0 }, reasons.delete(link));
      }
    });
  };

  const end = (link: StudioLink): void => {
    sessions.get(link)?.session[Symbol.dispose]();
    sessions.delete(link);
    reasons.delete(link);
  };

  const begin = (link: StudioLink, channel: LiveChannel, project: ServedProject, wanted: OpenLiveMode): void => {
    const entry: { state: LiveState } = { state: { kind: 'starting' } };
    const session = new LiveSession({
      ...deps,
      channel,
      served: project,
      base: deps.bases.open(project.session, link.hello),
      pushes: new PushJournal({ ...deps, session: project.session, place: link.hello.placeName }),
      written,
      mode: wanted,
      nextStart: () => (starts += 1),
      log: log.child('live'),
      onState(next) {
        entry.state = next;
        changed.fire();
      },
      onSynced(change) {
        lastChange = change;
        changed.fire();
      },
      onStructure: written => structure.fire(written),
      needsSync(reason) {
        // A session that has ended may still be comparing an edit. The next one finds the difference.
        if (sessions.get(link) !== entry) return;
        reasons.set(link, (reasons.get(link) ?? new Map()).set(formatSentence(reason), reason));
        scheduleReview();
      },
    });
    sessions.set(link, Object.assign(entry, { session }));
  };

  /** Starts a session for each Studio that supports it and ends outdated ones; keeps the others. */
  const updateSessions = (): void => {
    const wanted = mode();
    const project = deps.served();
    const links = new Set(wanted === 'off' || project === undefined ? [] : studios.all());
    const hasChanged = wanted !== modeOfSessions || project !== served;
    for (const link of Array.from(sessions.keys())) if (hasChanged || !links.has(link)) end(link);
    if (project !== served) written = new WrittenEdits(deps.hasher);
    modeOfSessions = wanted;
    served = project;
    if (wanted !== 'off' && project !== undefined)
      for (const link of links)
        if (link.live !== undefined && !sessions.has(link)) begin(link, link.live, project, wanted);
    changed.fire();
  };

  lifetime.add(studios.onDidChange(updateSessions));
  lifetime.add(deps.onDidServe(updateSessions));
  lifetime.add(deps.engine.onDidChange(followRuns));
  lifetime.defer(() => cancelTimer());
  updateSessions();

  return {
    mode,
    setMode(next) {
      chosen = next;
      // A session that failed starts again only when it is requested.
      for (const [link, { state: now }] of Array.from(sessions)) if (now.kind === 'failed') end(link);
      updateSessions();
    },
    state,
    lastChange: () => lastChange,
    onDidChange: changed.event,
    onDidNeedSync: needed.event,
    onDidWriteStructure: structure.event,
    [Symbol.dispose]() {
      lifetime[Symbol.dispose]();
      for (const link of Array.from(sessions.keys())) end(link);
    },
  };
}
