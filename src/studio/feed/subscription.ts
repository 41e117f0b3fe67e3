import type { Ref } from '../../base/brand.ts';
import type { StudioFeed } from '../../ports/studio-feed.ts';
import type { Clock } from '../../ports/clock.ts';
import type { SocketPacket } from '../../protocol/studio/messages.ts';
import type { Instance } from '../../roblox/instances/instance.ts';
import type { TreeChange } from '../../project/project-session.ts';
import type { KnownInstances } from './patch-message.ts';

interface SubscriptionDeps {
  readonly clock: Clock;
  /** Renders the packet that updates `known` to the current tree, if anything changed. `ids`: the instances in the packet. */
  readonly render: (
    known: KnownInstances,
  ) => { readonly packet: SocketPacket; readonly ids: ReadonlySet<string>; readonly cursor: number } | undefined;
  readonly cursor: () => number;
  /** How long after sending a packet may still be unprocessed; 0 if `send` waits for the acknowledgement. */
  readonly crossingMs: number;
}

/**
 * Sends changes to one Studio, one packet at a time. Changes during a transmission are merged into the next packet, so a slow Studio needs
 * memory only for the changed instances.
 */
export class Subscription {
  readonly #feed: StudioFeed;
  readonly #deps: SubscriptionDeps;
  /** Unsent changes: the state of each changed instance that the Studio knows. */
  #pending = new Map<Ref, Instance | undefined>();
  #inFlight: ReadonlySet<string> = new Set();
  /** When each instance was last sent, oldest first; only recent entries are kept. */
  readonly #sentAt = new Map<string, number>();
  readonly #assumed = new Map<Ref, Instance | undefined>();
  #isSending = false;
  #isClosed = false;
  #cursor: number;

  constructor(feed: StudioFeed, cursor: number, deps: SubscriptionDeps) {
    this.#feed = feed;
    this.#cursor = cursor;
    this.#deps = deps;
  }

  /** The revision up to which all changes have been sent. */
  cursor(): number {
    return this.#cursor;
  }

  add(change: Pick<TreeChange, 'before'>): void {
    for (const [id, before] of change.before)
      if (!this.#pending.has(id)) this.#pending.set(id, this.#assumed.has(id) ? this.#assumed.get(id) : before);
    void this.#pump();
  }

  /** Whether the latest state of `id` is unsent, or was sent so recently that Studio may have edited the instance before receiving it. */
  isBehind(id: Ref): boolean {
    return this.#pending.has(id) || this.#inFlight.has(id) || this.#isFresh(this.#sentAt.get(id));
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

  markClosed(): void {
    this.#isClosed = true;
    this.#pending = new Map();
  }

  async #pump(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      while (this.#pending.size > 0 && !this.#isClosed) {
        const known = this.#pending;
        this.#pending = new Map();
        const cursor = this.#deps.cursor();
        const rendered = this.#deps.render(known);
        if (rendered !== undefined) {
          this.#inFlight = rendered.ids;
          await this.#feed.send(rendered.packet);
          this.#remember(rendered.ids);
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

  #remember(ids: ReadonlySet<string>): void {
    for (const [id, at] of this.#sentAt) {
      if (this.#isFresh(at)) break;
      this.#sentAt.delete(id);
    }
    const now = this.#deps.clock.now();
    for (const id of ids) {
      this.#sentAt.delete(id);
      this.#sentAt.set(id, now);
    }
  }

  #isFresh(at: number | undefined): boolean {
    return at !== undefined && this.#deps.clock.now() - at < this.#deps.crossingMs;
  }
}
