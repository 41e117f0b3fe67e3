import type { Ref } from '../../base/brand.ts';
import type { StudioFeed } from '../../ports/studio-feed.ts';
import type { Clock } from '../../ports/clock.ts';
import { FEED_LIMITS } from '../../protocol/limits.ts';
import type { SocketPacket } from '../../protocol/studio/messages.ts';
import type { Instance } from '../../roblox/instances/instance.ts';
import type { TreeChange } from '../../project/project-session.ts';
import type { KnownInstances } from './patch-message.ts';
import { reflectsChange } from './reflects-change.ts';
import { TimeSlice } from '../../base/time-slice.ts';
import { isScriptClass } from '../../protocol/script-class.ts';

/** A feed that also gets the state of the changed instances before each packet. */
export interface TreeSubscriber extends Omit<StudioFeed, 'send'> {
  /**
   * As in `StudioFeed`. `unsent`: Studio did not get the packet, so its changes are sent again with the next one.
   *
   * @param hasMore whether more packets of the revision follow
   */
  send(packet: SocketPacket, known: KnownInstances, hasMore: boolean): Promise<'unsent' | void>;
}

/** Time until changes are sent again that were not sent, if there is no other change before. */
const RETRY_MS = 30_000;

interface SubscriptionDeps {
  readonly clock: Clock;
  /**
   * Renders the packet that updates `known` to the current tree, if anything changed. `ids`: the instances in the packet.
   *
   * @param cursor the revision that Studio has afterwards
   */
  readonly render: (
    known: KnownInstances,
    cursor: number,
  ) => { readonly packet: SocketPacket; readonly ids: ReadonlySet<string> } | undefined;
  readonly cursor: () => number;
  /** Whether `send` waits for the acknowledgement of Studio. Without it, a packet may still be unprocessed for a while after sending. */
  readonly isAcknowledged: boolean;
  /** Instances in one packet, if Studio acknowledges packets. */
  readonly maxPacketChanges: number;
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
  /** Large changes that are not part of `#pending` yet, in their order. */
  readonly #unmerged: KnownInstances[] = [];
  #inFlight: ReadonlySet<string> = new Set();
  /** The last change of each instance that was sent, oldest first; only recent entries are kept. */
  readonly #sent = new Map<string, SentChange>();
  /** States that the Studio already has, so they are not sent. */
  readonly #assumed = new Map<Ref, Instance | undefined>();
  /** The new instances among the unsent changes, which are sent before the others; `undefined` if there may be other changes to send first. */
  #added: readonly Ref[] | undefined;
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
    this.#added = undefined;
    const known = this.#assumed.size === 0 ? change.before : this.#withAssumed(change.before);
    // Earlier large changes are merged first, because the first change of an instance has the state that Studio knows.
    if (known.size > this.#deps.maxPacketChanges || this.#unmerged.length > 0) this.#unmerged.push(known);
    else for (const [id, before] of known) this.#merge(id, before);
    void this.#pump();
  }

  #withAssumed(known: KnownInstances): KnownInstances {
    return new Map(Array.from(known, ([id, before]) => [id, this.#assumed.has(id) ? this.#assumed.get(id) : before]));
  }

  #merge(id: Ref, before: Instance | undefined): void {
    if (!this.#pending.has(id)) this.#pending.set(id, before);
  }

  async #mergeAll(): Promise<void> {
    const slice = new TimeSlice(this.#deps.clock);
    for (let next = this.#unmerged[0]; next !== undefined; next = this.#unmerged[0]) {
      for (const [id, before] of next) {
        await slice.yieldToEventLoop();
        this.#merge(id, before);
      }
      this.#unmerged.shift();
    }
  }

  /**
   * Whether Studio may have made an edit of `id` before it received the latest state: that is unsent, or was sent without an acknowledgement.
   * @param source the text of the edit, which can show that Studio had received it
   */
  isBehind(id: Ref, source: string | undefined): boolean {
    if (this.#pending.has(id) || this.#inFlight.has(id) || this.#unmerged.some(one => one.has(id))) return true;
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
    this.#unmerged.length = 0;
  }

  async #pump(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    this.#cancelRetry();
    try {
      while ((this.#pending.size > 0 || this.#unmerged.length > 0) && !this.#isClosed) {
        if (this.#unmerged.length > 0) await this.#mergeAll();
        const isLarge = this.#deps.isAcknowledged && this.#pending.size > this.#deps.maxPacketChanges;
        const known = isLarge ? await this.#takeSome() : this.#takeAll();
        if (this.#isClosed) return;
        // Studio has the revision after the last of several packets.
        const hasMore = this.#pending.size > 0 || this.#unmerged.length > 0;
        const cursor = hasMore ? this.#cursor : this.#deps.cursor();
        const rendered = this.#deps.render(known, cursor);
        if (rendered !== undefined) {
          this.#inFlight = rendered.ids;
          const sent = this.#sentTexts(rendered.ids, known);
          if ((await this.#feed.send(rendered.packet, known, hasMore)) === 'unsent') return this.#retryLater(known);
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

  #takeAll(): KnownInstances {
    const known = this.#pending;
    this.#pending = new Map();
    return known;
  }

  /**
   * Takes the changes of the next of several packets: first what is removed, and everything with references, together with all new instances,
   * which may be their targets; then new instances, parents first; then the others.
   */
  async #takeSome(): Promise<KnownInstances> {
    const pending = this.#pending;
    const first = new Map<Ref, Instance | undefined>();
    const slice = new TimeSlice(this.#deps.clock);
    let added = this.#added;
    if (added === undefined) {
      const found: Ref[] = [];
      // `add` forgets it.
      this.#added = added = found;
      let hasReferences = false;
      for (const [id, before] of pending) {
        await slice.yieldToEventLoop();
        const now = this.#deps.get(id);
        if (now !== undefined && refersToOthers(now)) hasReferences = true;
        else if (now !== undefined && before !== undefined) continue;
        else if (now !== undefined) {
          found.push(id);
          continue;
        }
        first.set(id, before);
      }
      if (hasReferences) for (const id of found.splice(0)) first.set(id, undefined);
    }
    await slice.waitForNextTurn();
    const taken = first.size > 0 ? first : this.#takeFirst(added.length > 0 ? added : pending.keys());
    for (const id of taken.keys()) pending.delete(id);
    if (this.#added === added) this.#added = added.filter(id => pending.has(id));
    return taken;
  }

  #takeFirst(ids: Iterable<Ref>): Map<Ref, Instance | undefined> {
    const taken = new Map<Ref, Instance | undefined>();
    const take = (id: Ref): void => {
      const now = this.#deps.get(id);
      const isNew = this.#pending.get(id) === undefined;
      if (isNew && now !== undefined && !taken.has(now.parent) && this.#pending.has(now.parent)) take(now.parent);
      taken.set(id, this.#pending.get(id));
    };
    for (const id of ids) {
      if (taken.size >= this.#deps.maxPacketChanges) break;
      if (!taken.has(id)) take(id);
    }
    return taken;
  }

  /** Keeps the changes of a packet that was not sent. `known`: the states that Studio still has, which later changes did not replace. */
  #retryLater(known: KnownInstances): void {
    if (this.#isClosed) return;
    this.#pending = new Map([...this.#pending, ...known]);
    this.#added = undefined;
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

/** Whether a property of the instance is another instance. Those of scripts are not read, because that would decode their texts. */
const refersToOthers = ({ className, properties }: Instance): boolean =>
  !isScriptClass(className) && Array.from(properties.values()).some(({ type }) => type === 'Ref');
