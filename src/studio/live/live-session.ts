import { DisposableStore } from '../../base/disposable-store.ts';
import { Emitter } from '../../base/emitter.ts';
import { SerialQueue } from '../../base/serial-queue.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { Logger } from '../../ports/logger.ts';
import type { LiveMode, Settings } from '../../ports/settings.ts';
import type { StudioFeed } from '../../ports/studio-feed.ts';
import { BUDGET_MS } from '../../protocol/limits.ts';
import type { LiveFromPlugin } from '../../protocol/studio/live.ts';
import type { SocketPacket } from '../../protocol/studio/messages.ts';
import type { AppliedItem } from '../../protocol/studio/stream.ts';
import type { ServedProject } from '../served-project.ts';
import type { LiveChannel } from '../studio-link.ts';
import { takeEdit } from './take-edit.ts';
import type { WrittenEdits } from './written-edits.ts';

export interface LiveSessionDeps {
  readonly channel: LiveChannel;
  readonly served: ServedProject;
  /** Outlives the link, as what the plugin has in flight does. */
  readonly written: WrittenEdits;
  readonly mode: Exclude<LiveMode, 'off'>;
  /** Another number each time, for all sessions on that link. */
  readonly nextStart: () => number;
  readonly clock: Clock;
  readonly hasher: Hasher;
  readonly settings: Settings;
  readonly log: Logger;
  /** Both sides moved, or something happened that a live session does not carry: somebody has to look at it. */
  readonly needsSync: (reason: string) => void;
  readonly onState: (state: LiveSessionState) => void;
}

/** `failed`: the plugin could not begin, and says why. */
export type LiveSessionState =
  | { readonly kind: 'starting' }
  | { readonly kind: 'on' }
  | { readonly kind: 'failed'; readonly reason: string };

/** Keeps one Studio with our plugin in step with the tree, and in mode `twoWay` the files in step with Studio. */
export class LiveSession implements Disposable {
  readonly #deps: LiveSessionDeps;
  readonly #lifetime = new DisposableStore();
  readonly #closed = new AbortController();
  /** What Studio is told of an edit comes before what disk makes of it afterwards. */
  readonly #messages = new SerialQueue();
  /** Ends the feed of the tree, if there is one. */
  #feed: StudioFeed | undefined;
  #waiting: { readonly cursor: number; readonly settle: () => void } | undefined;

  #start = 0;

  constructor(deps: LiveSessionDeps) {
    this.#deps = deps;
    this.#lifetime.defer(() => this.#closed.abort());
    this.#lifetime.defer(() => this.#feed?.close('the live session ends'));
    this.#lifetime.add(deps.channel.onMessage(message => this.#receive(message)));
    this.#lifetime.add(deps.channel.onClosed(() => this.#feed?.close('the link to Studio broke')));
    this.#begin(false);
  }

  [Symbol.dispose](): void {
    this.#deps.channel.send({ type: 'live', mode: 'off', isFresh: false, start: this.#deps.nextStart() });
    this.#lifetime[Symbol.dispose]();
  }

  #begin(isFresh: boolean): void {
    this.#feed?.close('the live session begins again');
    this.#deps.onState({ kind: 'starting' });
    this.#start = this.#deps.nextStart();
    this.#deps.channel.send({ type: 'live', mode: this.#deps.mode, isFresh, start: this.#start });
  }

  #receive(message: LiveFromPlugin): void {
    // A plugin of before does not say which start it answers.
    if ('start' in message && message.start !== undefined && message.start !== this.#start) return;
    switch (message.type) {
      case 'liveReady':
        return this.#ready(message.cursor, message.undecided);
      case 'liveApplied':
        return this.#applied(message.cursor, message.results);
      case 'liveEdit':
        return this.#edited(message);
      case 'liveNeedsSync':
        return this.#deps.needsSync(message.reason);
      case 'liveFailed':
        this.#deps.log.warn('no live session', { reason: message.message });
        return this.#deps.onState({ kind: 'failed', reason: message.message });
    }
  }

  #ready(cursor: number, undecided: number): void {
    const { served, log } = this.#deps;
    this.#feed?.close('the live session begins again');
    const feed = this.#createFeed();
    this.#feed = feed;
    const answer = served.feed.subscribe(feed, cursor, 'own');
    if (answer === 'forgotten') return this.#begin(true);
    if (answer === 'full')
      return this.#deps.onState({ kind: 'failed', reason: 'too many Studios listen to this bridge already' });
    log.info('live session', { mode: this.#deps.mode, cursor, undecided });
    this.#deps.onState({ kind: 'on' });
    if (undecided > 0) this.#deps.needsSync(`${undecided} instances differ between disk and Studio`);
  }

  /** A feed whose packets count as sent when the plugin has said what became of them. */
  #createFeed(): StudioFeed {
    const closed = new Emitter<{ readonly reason: string }>();
    let isOpen = true;
    const close = (reason: string): void => {
      if (!isOpen) return;
      isOpen = false;
      this.#waiting?.settle();
      closed.fire({ reason });
    };
    return {
      onClosed: closed.event,
      close,
      send: packet => (isOpen ? this.#send(packet) : Promise.resolve()),
    };
  }

  #send(packet: SocketPacket): Promise<void> {
    const { channel, clock, settings, log } = this.#deps;
    const { messageCursor: cursor, messages } = packet.body;
    const [message] = messages;
    if (message === undefined) return Promise.resolve();
    return new Promise(resolve => {
      const cancelTimer = clock.after(BUDGET_MS.applyMax * settings.timeoutMultiplier(), () => {
        log.warn('Studio did not say what became of a change', { cursor });
        settle();
        // Whether it was applied shows when the tree is compared again.
        this.#begin(true);
      });
      const settle = (): void => {
        cancelTimer();
        this.#waiting = undefined;
        resolve();
      };
      this.#waiting = { cursor, settle };
      const tell = async (): Promise<void> => {
        if (this.#waiting?.settle === settle) channel.send({ type: 'livePatch', cursor, message });
      };
      this.#messages.run(this.#closed.signal, tell).catch(settle);
    });
  }

  #applied(cursor: number, results: readonly AppliedItem[]): void {
    if (this.#waiting?.cursor !== cursor) return;
    this.#waiting.settle();
    const failed = results.filter(result => !result.ok);
    for (const { id, code, reason } of failed) this.#deps.log.warn('not applied in Studio', { id, code, reason });
    const [first] = failed;
    if (first !== undefined)
      this.#deps.needsSync(`${failed.length} changes were not applied in Studio (${first.reason ?? first.code ?? ''})`);
  }

  #edited({ seq, edits }: Extract<LiveFromPlugin, { type: 'liveEdit' }>): void {
    const { channel, served, written, mode, hasher, log } = this.#deps;
    const { signal } = this.#closed;
    const refuse = (reason: string): void =>
      channel.send({ type: 'liveWritten', seq, results: edits.map(({ id }) => ({ id, ok: false, reason })) });
    if (mode !== 'twoWay') return refuse('the live session goes from disk to Studio only');
    const work = async (): Promise<void> => {
      const results: { id: string; ok: boolean; reason?: string }[] = [];
      for (const edit of edits) {
        const { what, outcome, reason = outcome } = await takeEdit(edit, served, hasher, written, signal);
        const ok = outcome === 'written' || outcome === 'same';
        results.push({ id: edit.id, ok, ...(!ok && { reason }) });
        if (!ok) this.#deps.needsSync(`${what}: ${reason}`);
      }
      channel.send({ type: 'liveWritten', seq, results });
    };
    this.#messages.run(signal, work).catch((error: unknown) => {
      if (signal.aborted) return;
      log.error('an edit from Studio failed', error);
      refuse('something unexpected happened; see the log of the bridge');
    });
  }
}
