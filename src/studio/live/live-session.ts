import { type NamedPath, namedPath } from '../../protocol/path-name.ts';
import { namesOnPath } from '../../project/tree/instance-path.ts';
import { plural } from '../../base/plural.ts';
import type { Ref } from '../../base/brand.ts';
import { DisposableStore } from '../../base/disposable-store.ts';
import { Emitter } from '../../base/emitter.ts';
import { AppError } from '../../base/errors.ts';
import { say, type Sentence } from '../../base/sentence.ts';
import { SerialQueue } from '../../base/serial-queue.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FileSystem } from '../../ports/file-system.ts';
import type { FileTransactions } from '../../ports/file-transactions.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { Logger } from '../../ports/logger.ts';
import type { LiveMode, Settings } from '../../ports/settings.ts';
import { BUDGET_MS } from '../../protocol/limits.ts';
import { failureReason } from '../../protocol/failure-reasons.ts';
import { type Reason, reasonOf, reasonSentence, reasonText } from '../../protocol/reason.ts';
import type { LiveFromPlugin, LiveStructureChange } from '../../protocol/studio/live.ts';
import type { SocketPacket } from '../../protocol/studio/messages.ts';
import type { AppliedItem, StudioInstance } from '../../protocol/studio/stream.ts';
import type { Instance } from '../../roblox/instances/instance.ts';
import type { Reflection } from '../../roblox/instances/reflection.ts';
import { parseRef } from '../../roblox/values/ref.ts';
import type { ServedProject } from '../served-project.ts';
import type { LiveChannel, UnreadableLive } from '../studio-link.ts';
import { ChangesFromStudio, type PartNames } from './changes-from-studio.ts';
import { type AgreedPart, captureParts, type LiveBase, livePartsOf } from './live-base.ts';
import { type WriteStructureDeps, type WrittenStructure, writeStructure } from './write-structure.ts';
import { type WriteOutcome } from '../write/write-context.ts';
import { knownAtStart } from './known-at-start.ts';
import { readRemoved } from './read-removed.ts';
import { namesOnDisk, writeLiveEdits } from './write-live-edits.ts';
import type { SyncOutcome } from './sync-outcome.ts';
import type { WrittenEdits } from './written-edits.ts';
import type { KnownInstances } from '../feed/patch-message.ts';
import type { TreeSubscriber } from '../feed/subscription.ts';
import { answeredIds, type CompletePush, failedResults, type PushJournal, reasonOfResult } from './push-journal.ts';

export interface LiveSessionDeps {
  readonly channel: LiveChannel;
  readonly served: ServedProject;
  /** The base of the place; `undefined` in tests without one. */
  readonly base?: LiveBase | undefined;
  /** Records what the session replaces in Studio. */
  readonly pushes: Pick<PushJournal, 'record'>;
  /** Shared across reconnects, because the plugin resends unacknowledged edits. */
  readonly written: WrittenEdits;
  readonly mode: Exclude<LiveMode, 'off'>;
  /** Returns a new start number, unique across all sessions of the link. */
  readonly nextStart: () => number;
  readonly clock: Clock;
  readonly files: FileSystem;
  readonly transactions: FileTransactions;
  readonly hasher: Hasher;
  readonly reflection: Reflection;
  readonly settings: Settings;
  readonly log: Logger;
  /** Called when both sides changed, or on a change that a live session does not sync: a person has to decide. */
  readonly needsSync: (reason: Sentence) => void;
  readonly onState: (state: LiveSessionState) => void;
  /** Called with the last instance of changes that both sides have now. */
  readonly onSynced: (change: LiveChange) => void;
  /** Called when instances that were created, renamed or moved in Studio have been written to files. */
  readonly onStructure: (written: WrittenStructure) => void;
}

/** A change that a live session carried to the other side. `path`: the names below the root. */
export interface LiveChange extends NamedPath {
  readonly from: 'disk' | 'studio';
}

/** `failed`: the session could not start, with the reason. */
export type LiveSessionState =
  | { readonly kind: 'starting' }
  | { readonly kind: 'on' }
  | { readonly kind: 'failed'; readonly reason: Reason };

/** Applies changes of the tree to one Studio with our plugin, and in mode `twoWay` edits in Studio to the files. */
export class LiveSession implements Disposable {
  readonly #deps: LiveSessionDeps;
  readonly #lifetime = new DisposableStore();
  readonly #closed = new AbortController();
  /** Orders messages, so that Studio gets the result of its edit before the resulting change on disk. */
  readonly #messages = new SerialQueue();
  /** The subscription to the tree, while the session is on. */
  #feed: TreeSubscriber | undefined;
  #inFlight:
    | {
        readonly cursor: number;
        readonly parts: ReadonlyMap<string, AgreedPart>;
        /** The changed instances, each of which has a result. */
        readonly ids: readonly string[];
        /** @param results the answer of Studio, if there is one */
        readonly settle: (results?: readonly AppliedItem[]) => void;
      }
    | undefined;
  /** The number of the last start. Messages about an earlier one are ignored. */
  #start = 0;
  readonly #fromStudio = new ChangesFromStudio();
  /** Whether both sides are compared for the last start. The plugin sends unanswered edits again before that. */
  #isReady = false;
  #cancelStartLimit = (): void => {};
  /** Whether the plugin can read what a change is about to remove. */
  #readsRemoved = false;
  /** Whether a person was asked since the last start, or it found differences that a person knows. */
  #hasDifferences = false;
  /** Whether the session failed since the last start. */
  #hasFailed = false;
  /** Whether the last change could not be recorded, which a person knows. */
  #isRecordFailing = false;
  /** The number of differences that the next start may find without another decision of a person. */
  #knownDifferences = 0;

  constructor(deps: LiveSessionDeps) {
    this.#deps = deps;
    if (deps.base !== undefined) this.#lifetime.add(deps.base);
    this.#lifetime.defer(() => this.#closed.abort());
    this.#lifetime.defer(() => this.#closeFeed('the live session ended'));
    this.#lifetime.add(deps.channel.onMessage(message => this.#receive(message)));
    this.#lifetime.add(deps.channel.onUnreadable(message => this.#unreadable(message)));
    this.#lifetime.add(deps.channel.onClosed(() => this.#closeFeed('Studio disconnected')));
    this.#begin(false);
  }

  /**
   * Compares both sides again if a person was asked: after a decision, the plugin has to know which differences remain. Does so too after
   * instances were created, removed or renamed, and if the session failed.
   *
   * @param hasQuestion whether a person was about to be asked when the sync ended
   */
  compareAgain({ left, isMoved }: SyncOutcome, hasQuestion: boolean): void {
    if (!this.#hasDifferences && !this.#hasFailed && !hasQuestion && !isMoved) return;
    this.#knownDifferences = hasQuestion ? 0 : left;
    this.#begin(true);
  }

  [Symbol.dispose](): void {
    void this.#deps.channel.send({ type: 'live', mode: 'off', isFresh: false, start: this.#deps.nextStart() });
    this.#lifetime[Symbol.dispose]();
  }

  #begin(isFresh: boolean): void {
    this.#closeFeed('the live session restarts');
    this.#deps.onState({ kind: 'starting' });
    const start = this.#deps.nextStart();
    this.#start = start;
    this.#isReady = false;
    this.#hasFailed = false;
    const { base, channel, mode } = this.#deps;
    const send = (): void => {
      if (this.#start !== start || this.#closed.signal.aborted) return;
      void channel.send({
        type: 'live',
        mode,
        isFresh,
        start,
        sendsMissed: true,
        sendsNew: true,
        ...(mode === 'twoWay' && { takes: ['created', 'renamed', 'moved'] }),
      });
      this.#limitStart();
    };
    if (base === undefined || !channel.appliesAtStart) send();
    else void base.beforeStart().then(send);
  }

  /** Reports a start that Studio does not answer. A late answer still starts the session. */
  #limitStart(): void {
    const { clock, settings, served, log } = this.#deps;
    const perInstance = BUDGET_MS.comparePerInstance * served.session.instanceCount();
    const budgetMs = (BUDGET_MS.compare + perInstance) * settings.timeoutMultiplier();
    this.#cancelStartLimit = clock.after(budgetMs, () => {
      const error = new AppError('STUDIO_BUSY', { signal: 'liveReady', budgetMs });
      log.warn('the live session did not start in time', { reason: error.message });
      this.#reportFailure(failureReason(error));
    });
  }

  #receive(message: LiveFromPlugin): void {
    // Older plugins do not send `start`.
    if ('start' in message && message.start !== undefined && message.start !== this.#start) return;
    switch (message.type) {
      case 'liveReady':
        return this.#ready(message);
      case 'liveApplied':
        return this.#applied(message.cursor, message.results);
      case 'liveInstancesPart':
      case 'liveInstances':
        // `readRemoved` reads them.
        return;
      case 'liveEdit':
        return this.#edited(message);
      case 'liveStructure':
        return this.#changedStructure(message);
      case 'liveNeedsSync':
        return this.#ask(reasonSentence(message.reason));
      case 'liveFailed':
        this.#deps.log.warn('the live session could not start', { reason: reasonText(message.message) });
        return this.#reportFailure(message.message);
    }
  }

  /**
   * The plugin awaits an answer to a change, and a session whose start is not reported would stay in that state. If the number of the change
   * is unknown, the session ends.
   */
  #unreadable({ type, seq, isOversized = false }: UnreadableLive): void {
    const isChange = type === 'liveEdit' || type === 'liveStructure' || type === 'failed';
    const reason = reasonOf(isChange && (isOversized || type === 'failed') ? 'change_too_large' : 'message_unreadable');
    if (isChange && seq !== undefined) void this.#deps.channel.send({ type: 'liveWritten', seq, results: [] });
    if (type !== 'liveReady' && type !== 'liveFailed') this.#ask(reasonSentence(reason));
    if (type === 'liveReady' || type === 'liveFailed' || (isChange && seq === undefined)) this.#fail(reason);
  }

  /** Ends the session in Studio too. */
  #fail(reason: Reason): void {
    this.#start = this.#deps.nextStart();
    this.#closeFeed('the live session failed');
    void this.#deps.channel.send({ type: 'live', mode: 'off', isFresh: false, start: this.#start });
    this.#reportFailure(reason);
  }

  /** A sync that changes something, or finds no difference, starts the session again. */
  #reportFailure(reason: Reason): void {
    this.#cancelStartLimit();
    this.#hasFailed = true;
    this.#deps.onState({ kind: 'failed', reason });
  }

  #ready({
    cursor,
    undecided,
    applied = [],
    missed = [],
    added = [],
    reason,
    readsRemoved = false,
  }: Extract<LiveFromPlugin, { type: 'liveReady' }>): void {
    const { served, log, base } = this.#deps;
    this.#isReady = true;
    this.#hasFailed = false;
    this.#readsRemoved = readsRemoved;
    // An older plugin applied the tree at `cursor`.
    if (base !== undefined && served.session.revision() === cursor) {
      const parts = applied.map(id => ({ id: id as Ref, names: ['Source'] }));
      base.learn(Array.from(captureParts(parts, served.session).values()));
    }
    this.#closeFeed('the live session restarts');
    const answer = served.feed.canSubscribe(cursor);
    if (answer === 'forgotten') return this.#begin(true);
    if (answer === 'full') return this.#fail(reasonOf('too_many_studios'));
    const feed = this.#createFeed();
    this.#feed = feed;
    served.feed.subscribe(feed, cursor, 'own', knownAtStart(served.session, missed, added));
    // Earlier changes are sent at once. If that fails, the session has failed.
    if (this.#feed !== feed) return;
    log.info('live session started', { mode: this.#deps.mode, cursor, undecided });
    this.#deps.onState({ kind: 'on' });
    const known = this.#knownDifferences;
    this.#knownDifferences = 0;
    this.#hasDifferences = undecided > 0;
    if (undecided <= known) return;
    const what = plural(
      undecided,
      say`1 instance differs between disk and Studio`,
      say`${undecided} instances differ between disk and Studio`,
    );
    this.#ask(reason === undefined ? what : say`${what}: ${reasonSentence(reason)}`);
  }

  /** Creates a feed whose `send` resolves when the plugin has acknowledged the packet. */
  #createFeed(): TreeSubscriber {
    const closed = new Emitter<{ readonly reason: string }>();
    let isOpen = true;
    const feed: TreeSubscriber = {
      onClosed: closed.event,
      close: reason => {
        if (!isOpen) return;
        isOpen = false;
        this.#inFlight?.settle();
        closed.fire({ reason });
        if (this.#feed !== feed) return;
        // The session did not close it: a change could not be sent, and Studio would get no other.
        this.#deps.log.error('the live session failed', { reason });
        this.#fail(reasonOf('unexpected_failure', reason));
      },
      send: (packet, known, hasMore) => (isOpen ? this.#send(packet, known, hasMore) : Promise.resolve()),
    };
    return feed;
  }

  #closeFeed(reason: string): void {
    this.#cancelStartLimit();
    const feed = this.#feed;
    this.#feed = undefined;
    feed?.close(reason);
  }

  #send(packet: SocketPacket, known: KnownInstances, hasMore: boolean): Promise<'unsent' | void> {
    const { channel, clock, settings, log, base, served, pushes } = this.#deps;
    const { messageCursor: cursor, messages } = packet.body;
    const [message] = messages;
    if (message === undefined) return Promise.resolve();
    const changed = livePartsOf(message);
    // The message was rendered in this turn, so its values are those of the tree.
    const parts = captureParts(changed, served.session);
    return new Promise(resolve => {
      const settled = new AbortController();
      let cancelTimer = (): void => {};
      const renewTimer = (): void => {
        cancelTimer();
        cancelTimer = clock.after(BUDGET_MS.applyMax * settings.timeoutMultiplier(), () => {
          log.warn('timed out waiting for Studio to confirm a change', { cursor });
          settle();
          // The comparison of the new session shows whether the change was applied.
          this.#begin(true);
        });
      };
      let complete: CompletePush | undefined;
      const settle = (results?: readonly AppliedItem[]): void => {
        cancelTimer();
        settled.abort();
        if (this.#inFlight?.settle === settle) this.#inFlight = undefined;
        complete?.(results);
        resolve();
      };
      this.#inFlight = { cursor, parts, ids: answeredIds(message, known), settle };
      renewTimer();
      const sendPatch = async (removed: ReadonlyMap<string, StudioInstance>): Promise<void> => {
        // Both are on disk before Studio changes anything.
        const recording = pushes.record(message, { known, removed, sent: parts }, id =>
          this.#fromStudio.take(id, served.session.get(id)),
        );
        const [recorded] = await Promise.allSettled([recording, base?.beforeChange(changed)]);
        const isInFlight = this.#inFlight?.settle === settle;
        if (recorded.status === 'rejected') {
          log.error('a change for Studio could not be recorded', recorded.reason);
          if (!isInFlight) return;
          cancelTimer();
          this.#inFlight = undefined;
          resolve('unsent');
          if (!this.#isRecordFailing)
            this.#ask(say`nothing is sent to Studio: ${reasonSentence(failureReason(recorded.reason))}`);
          this.#isRecordFailing = true;
          return;
        }
        this.#isRecordFailing = false;
        if (!isInFlight) return recorded.value('unsent');
        complete = recorded.value;
        await channel.send({ type: 'livePatch', cursor, message, ...(hasMore && { hasMore }) });
      };
      const readThenSend = async (): Promise<void> => {
        // Not in the queue: an edit that arrives meanwhile must not wait for it.
        const ids = this.#readsRemoved ? message.removed.filter(id => known.get(id as Ref) !== undefined) : [];
        const request = { channel, clock, cursor, known, onProgress: renewTimer };
        const removed = await readRemoved(ids, request, settled.signal);
        await this.#messages.run(this.#closed.signal, () => sendPatch(removed));
      };
      readThenSend().catch((error: unknown) => {
        const isInFlight = this.#inFlight?.settle === settle;
        settle();
        if (this.#closed.signal.aborted || !isInFlight) return;
        log.error('a change could not be sent to Studio', error);
        if (AppError.is(error, 'STUDIO_FAILED'))
          this.#ask(say`nothing was removed in Studio: ${reasonSentence(failureReason(error))}`);
        // Studio does not have the change, so both sides are compared again.
        this.#begin(true);
      });
    });
  }

  #applied(cursor: number, results: readonly AppliedItem[]): void {
    if (this.#inFlight?.cursor !== cursor) return;
    const { parts, ids, settle } = this.#inFlight;
    const applied = results.flatMap(({ id, ok }) => (ok ? (parts.get(id) ?? []) : []));
    this.#deps.base?.learn(applied);
    settle(results);
    const last = applied.at(-1)?.instance;
    if (last !== undefined) this.#synced(last.id, 'disk');
    const failed = failedResults(results, ids);
    for (const result of failed)
      this.#deps.log.warn('not applied in Studio', { id: result.id, reason: reasonText(reasonOfResult(result)) });
    const [first] = failed;
    if (first === undefined) return;
    const why = reasonSentence(reasonOfResult(first));
    this.#ask(
      plural(
        failed.length,
        say`1 change was not applied in Studio (${why})`,
        say`${failed.length} changes were not applied in Studio (${why})`,
      ),
    );
  }

  #edited({ seq, edits }: Extract<LiveFromPlugin, { type: 'liveEdit' }>): void {
    const { channel, mode, reflection } = this.#deps;
    const { signal } = this.#closed;
    const refuse = (): void =>
      void channel.send({ type: 'liveWritten', seq, results: edits.map(({ id }) => ({ id, ok: false })) });
    if (mode !== 'twoWay') return refuse();
    const deps = { ...this.#deps, mayBeResent: !this.#isReady };
    const work = async (): Promise<void> => {
      const outcomes = await writeLiveEdits(edits, deps, signal);
      const failed: Sentence[] = [];
      const results = edits.map((edit, index) => {
        const { id } = edit;
        const { what, outcome, reason }: WriteOutcome = outcomes[index] ?? { what: id, outcome: 'failed' };
        const ok = outcome === 'written' || outcome === 'same';
        if (outcome === 'written') {
          this.#noteEdit(id, instance => namesOnDisk(edit, instance, reflection));
          this.#deps.onSynced({ path: what, from: 'studio' });
        }
        if (!ok) failed.push(notWritten(what, reason));
        return { id, ok };
      });
      const [first] = failed;
      if (first !== undefined)
        this.#ask(
          plural(failed.length, first, say`${failed.length} changes in Studio were not written to files (${first})`),
        );
      void channel.send({ type: 'liveWritten', seq, results });
    };
    this.#run(work, refuse);
  }

  #changedStructure({ seq, changes }: Extract<LiveFromPlugin, { type: 'liveStructure' }>): void {
    const { channel, mode, onStructure, onSynced } = this.#deps;
    const { signal } = this.#closed;
    const deps: WriteStructureDeps = {
      ...this.#deps,
      onStructure: written => {
        onSynced({ path: written.paths.at(-1) ?? '', from: 'studio' });
        onStructure(written);
      },
    };
    const idOf = (change: LiveStructureChange): string => (change.kind === 'created' ? change.instance.id : change.id);
    const refuse = (): void =>
      void channel.send({ type: 'liveWritten', seq, results: changes.map(one => ({ id: idOf(one), ok: false })) });
    if (mode !== 'twoWay') return refuse();
    const work = async (): Promise<void> => {
      const outcomes = await writeStructure(changes, deps, signal);
      const results = changes.map((change, index) => {
        const { what, outcome, reason }: WriteOutcome = outcomes[index] ?? { what: idOf(change), outcome: 'failed' };
        const ok = outcome === 'written' || outcome === 'same';
        if (!ok) this.#ask(notWritten(what, reason));
        if (outcome === 'written') this.#noteFromStudio(change);
        return { id: idOf(change), ok };
      });
      void channel.send({ type: 'liveWritten', seq, results });
    };
    this.#run(work, refuse);
  }

  /** The instances of a change that the files have now. */
  #noteFromStudio(change: LiveStructureChange): void {
    if (change.kind === 'renamed') return this.#noteEdit(change.id, () => ['Name']);
    const { session } = this.#deps.served;
    const parent = parseRef(change.parentId);
    const name = change.kind === 'created' ? change.instance.name : change.name;
    const children = (parent && session.get(parent)?.children) ?? [];
    for (const id of children) if (session.get(id)?.name === name) this.#noteEdit(id, () => 'all');
    // The tree has a moved instance under a new id.
    const former = change.kind === 'moved' ? parseRef(change.id) : undefined;
    if (former !== undefined && session.get(former) === undefined) this.#fromStudio.add(former, undefined, 'all');
  }

  /** @param namesOf the parts of the instance that Studio has */
  #noteEdit(id: string, namesOf: (instance: Instance) => PartNames): void {
    const ref = parseRef(id);
    const now = ref && this.#deps.served.session.get(ref);
    if (now !== undefined) this.#fromStudio.add(now.id, now, namesOf(now));
  }

  #ask(reason: Sentence): void {
    this.#hasDifferences = true;
    this.#deps.needsSync(reason);
  }

  #synced(id: Ref, from: LiveChange['from']): void {
    const names = namesOnPath(this.#deps.served.session, id);
    const name = names.at(-1);
    if (name !== undefined) this.#deps.onSynced({ ...namedPath(names.join('/'), name), from });
  }

  /** Does the work after all earlier messages. */
  #run(work: () => Promise<void>, refuse: () => void): void {
    const { signal } = this.#closed;
    this.#messages.run(signal, work).catch((error: unknown) => {
      if (signal.aborted) return;
      this.#deps.log.error('an edit from Studio failed', error);
      this.#ask(say`an unexpected error occurred; see the Atlas Bridge log`);
      refuse();
    });
  }
}

/** The sentence about a change of Studio that was not written to files. */
const notWritten = (what: string, reason: Reason = reasonOf('not_planned')): Sentence =>
  say`${what}: ${reasonSentence(reason)}`;
