import type { Ref } from '../../base/brand.ts';
import type { StudioFeed } from '../../ports/studio-feed.ts';
import type { Clock } from '../../ports/clock.ts';
import type { SocketPacket } from '../../protocol/studio/messages.ts';
import type { Instance } from '../../roblox/instances/instance.ts';
import type { TreeChange } from '../../project/project-session.ts';
import type { Known } from './patch-message.ts';

interface SubscriptionDeps {
  readonly clock: Clock;
  /** The packet that brings `known` up to date with the tree, if anything is to be said; `ids`: what it speaks of. */
  readonly render: (
    known: Known,
  ) => { readonly packet: SocketPacket; readonly ids: ReadonlySet<string>; readonly cursor: number } | undefined;
  readonly cursor: () => number;
  /** Milliseconds for which a packet that was sent may not have been taken in; 0 where `send` waits for that. */
  readonly crossingMs: number;
}

/**
 * One Studio that is told of changes. Only one packet is under way at a time; what changes meanwhile is one packet again, so a slow
 * Studio costs no more memory than the instances that changed.
 */
export class Subscription {
  readonly #feed: StudioFeed;
  readonly #deps: SubscriptionDeps;
  /** What the Studio knows of instances that it has to be told of. */
  #pending = new Map<Ref, Instance | undefined>();
  #inFlight: ReadonlySet<string> = new Set();
  /** When it was last told of an instance; only the latest, by age. */
  readonly #told = new Map<string, number>();
  readonly #assumed = new Map<Ref, Instance | undefined>();
  #isSending = false;
  #isClosed = false;
  #cursor: number;

  constructor(feed: StudioFeed, cursor: number, deps: SubscriptionDeps) {
    this.#feed = feed;
    this.#cursor = cursor;
    this.#deps = deps;
  }

  /** Up to which revision everything has left this process. */
  cursor(): number {
    return this.#cursor;
  }

  add(change: Pick<TreeChange, 'before'>): void {
    for (const [id, before] of change.before)
      if (!this.#pending.has(id)) this.#pending.set(id, this.#assumed.has(id) ? this.#assumed.get(id) : before);
    void this.#pump();
  }

  /** Whether the Studio has not yet been told what the tree holds of `id`, or so lately that it may have edited before it heard. */
  isBehind(id: Ref): boolean {
    return this.#pending.has(id) || this.#inFlight.has(id) || this.#isFresh(this.#told.get(id));
  }

  /**
   * The Studio has the instance as `instance` by itself (`undefined`: has it no more), and need not be told once the tree holds the
   * same. Counts until it is disposed.
   */
  assume(id: Ref, instance: Instance | undefined): Disposable {
    this.#assumed.set(id, instance);
    return { [Symbol.dispose]: () => void this.#assumed.delete(id) };
  }

  close(reason: string): void {
    this.#isClosed = true;
    this.#feed.close(reason);
  }

  ended(): void {
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
      // The changes of this packet are lost: a new connection starts from the tree as it is.
      this.close(`the changes could not be sent: ${String(error)}`);
    } finally {
      this.#inFlight = new Set();
      this.#isSending = false;
    }
  }

  #remember(ids: ReadonlySet<string>): void {
    for (const [id, at] of this.#told) {
      if (this.#isFresh(at)) break;
      this.#told.delete(id);
    }
    const now = this.#deps.clock.now();
    for (const id of ids) {
      this.#told.delete(id);
      this.#told.set(id, now);
    }
  }

  #isFresh(at: number | undefined): boolean {
    return at !== undefined && this.#deps.clock.now() - at < this.#deps.crossingMs;
  }
}
