import type { Ref } from '../../base/brand.ts';
import type { StudioFeed } from '../../ports/studio-feed.ts';
import type { Clock } from '../../ports/clock.ts';
import { FEED_LIMITS } from '../../protocol/limits.ts';
import type { SocketPacket } from '../../protocol/studio/messages.ts';
import type { Instance } from '../../roblox/instances/instance.ts';
import type { TreeChange } from '../../project/project-session.ts';
import type { KnownInstances } from './patch-message.ts';
import { reflectsChange } from './reflects-change.ts';

/** A feed that also gets the state of the changed instances before each packet. */
export interface TreeSubscriber extends Omit<StudioFeed, 'send'> {
  /** As in `StudioFeed`. `unsent`: Studio did not get the packet, so its changes are sent again with the next one. */
  send(packet: SocketPacket, known: KnownInstances): Promise<'unsent' | void>;
}

/** Time until changes are sent again that were not sent, if there is no other change before. */
const RETRY_MS = 30_000;

interface SubscriptionDeps {
  readonly clock: Clock;
  /** Renders the packet that updates `known` to the current tree, if anything changed. `ids`: the instances in the packet. */
  readonly render: (
    known: KnownInstances,
  ) => { readonly packet: SocketPacket; readonly ids: ReadonlySet<string>; readonly cursor: number } | undefined;
  readonly cursor: () => number;
  /** Whether `send` waits for the acknowledgement of Studio. Without it, a packet may still be unprocessed for a while after sending. */
  readonly isAcknowledged: boolean;
  /** The text of a script as the tree has it now; `undefined` for other instances. */
  readonly sourceOf: (instance: Instance | undefined) => string | undefined;
  readonly get: (id: Ref) => Instance | undefined;
}

/** One sent change of an instance. */
interface SentChange {
  readonly at: number;
  /** The text of a script before and after the change. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/**
 * Sends changes to one Studio, one packet at a time. Changes during a transmission are merged into the next packet, so a slow Studio needs
 * memory only for the changed instances.
 */
export class Subscription {
  readonly #feed: TreeSubscriber;
  readonly #deps: SubscriptionDeps;
  /** Unsent changes: the state of each changed instance that the Studio knows. */
  #pending = new Map<Ref, Instance | undefined>();
  #inFlight: ReadonlySet<string> = new Set();
  /** The last change of each instance that was sent, oldest first; only recent entries are kept. */
  readonly #sent = new Map<string, SentChange>();
  /** States that the Studio already has, so they are not sent. */
  readonly #assumed = new Map<Ref, Instance | undefined>();
  #isSending = false;
  #isClosed = false;
  #cursor: number;
  #cancelRetry = (): void => {};

  constructor(feed: TreeSubscriber, cursor: number, deps: SubscriptionDeps) {
    this.#feed = feed;
    this.#cursor = cursor;
    this.#deps = deps;
  }

  /** The revision up to which all changes have been sent. */
  cursor(): number {
    return this.#cursor;
  }

  /** Sends a change of the tree, after those that are being sent. */
  add(change: Pick<TreeChange, 'before'>): void {
    for (const [id, before] of change.before)
      if (!this.#pending.has(id)) this.#pending.set(id, this.#assumed.has(id) ? this.#assumed.get(id) : before);
    void this.#pump();
  }

  /**
   * Whether Studio may have made an edit of `id` before it received the latest state: that is unsent, or was sent without an acknowledgement.
   * @param source the text of the edit, which can show that Studio had received it
   */
  isBehind(id: Ref, source: string | undefined): boolean {
    if (this.#pending.has(id) || this.#inFlight.has(id)) return true;
    const sent = this.#sent.get(id);
    if (sent === undefined) return false;
    const { before, after, at } = sent;
    const age = this.#deps.clock.now() - at;
    if (age < FEED_LIMITS.crossingMs) return true;
    const isScript = source !== undefined && before !== undefined && after !== undefined;
    if (isScript && reflectsChange(source, before, after)) {
      this.#sent.delete(id);
      return false;
    }
    return isScript && age < FEED_LIMITS.unacknowledgedMs;
  }

  /**
   * Records that the Studio already has the instance in the state `instance` (`undefined`: removed it), so an equal state of the tree is not
   * sent. Valid until disposed.
   */
  assume(id: Ref, instance: Instance | undefined): Disposable {
    this.#assumed.set(id, instance);
    return { [Symbol.dispose]: () => void this.#assumed.delete(id) };
  }

  close(reason: string): void {
    this.#isClosed = true;
    this.#feed.close(reason);
  }

  /** Discards what is not sent, after the connection was closed. */
  markClosed(): void {
    this.#isClosed = true;
    this.#cancelRetry();
    this.#pending = new Map();
  }

  async #pump(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    this.#cancelRetry();
    try {
      while (this.#pending.size > 0 && !this.#isClosed) {
        const known = this.#pending;
        this.#pending = new Map();
        const cursor = this.#deps.cursor();
        const rendered = this.#deps.render(known);
        if (rendered !== undefined) {
          this.#inFlight = rendered.ids;
          const sent = this.#sentTexts(rendered.ids, known);
          if ((await this.#feed.send(rendered.packet, known)) === 'unsent') return this.#retryLater(known);
          if (!this.#deps.isAcknowledged) this.#remember(rendered.ids, sent);
          this.#inFlight = new Set();
        }
        this.#cursor = cursor;
      }
    } catch (error) {
      // The changes of this packet are lost; a new connection starts from the current tree.
      this.close(`the changes could not be sent: ${String(error)}`);
    } finally {
      this.#inFlight = new Set();
      this.#isSending = false;
    }
  }

  /** Keeps the changes of a packet that was not sent. `known`: the states that Studio still has, which later changes did not replace. */
  #retryLater(known: KnownInstances): void {
    if (this.#isClosed) return;
    this.#pending = new Map([...this.#pending, ...known]);
    this.#cancelRetry = this.#deps.clock.after(RETRY_MS, () => void this.#pump());
  }

  /** The texts of the scripts that were changed, not created. */
  #sentTexts(
    ids: ReadonlySet<string>,
    known: KnownInstances,
  ): ReadonlyMap<string, { readonly before: string; readonly after: string }> {
    const { sourceOf, get, isAcknowledged } = this.#deps;
    const texts = new Map<string, { readonly before: string; readonly after: string }>();
    if (isAcknowledged) return texts;
    for (const [id, instance] of known) {
      if (!ids.has(id)) continue;
      const [before, after] = [sourceOf(instance), sourceOf(get(id))];
      if (before !== undefined && after !== undefined && before !== after) texts.set(id, { before, after });
    }
    return texts;
  }

  #remember(
    ids: ReadonlySet<string>,
    texts: ReadonlyMap<string, { readonly before: string; readonly after: string }>,
  ): void {
    const at = this.#deps.clock.now();
    for (const [id, sent] of this.#sent) {
      if (at - sent.at < FEED_LIMITS.unacknowledgedMs) break;
      this.#sent.delete(id);
    }
    for (const id of ids) {
      this.#sent.delete(id);
      this.#sent.set(id, { at, before: texts.get(id)?.before, after: texts.get(id)?.after });
    }
  }
}
