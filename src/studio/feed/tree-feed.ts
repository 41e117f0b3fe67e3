import type { Ref } from '../../base/brand.ts';
import { DisposableStore } from '../../base/disposable-store.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { StudioFeed } from '../../ports/studio-feed.ts';
import { FEED_LIMITS } from '../../protocol/limits.ts';
import type { SocketPacket, StudioDialect } from '../../protocol/studio/messages.ts';
import type { Instance } from '../../roblox/instances/instance.ts';
import type { Reflection } from '../../roblox/instances/reflection.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import { type Known, patchMessage } from './patch-message.ts';
import { Subscription } from './subscription.ts';
import { TreeHistory } from './tree-history.ts';

export interface TreeFeedDeps {
  readonly session: ProjectSession;
  readonly reflection: Reflection;
  readonly clock: Clock;
  readonly log: Logger;
  readonly sessionId: string;
  /** Changes of single instances that are kept for those who connect again; FEED_LIMITS.historyChanges unless said otherwise. */
  readonly historyChanges?: number;
}

/** Who listens: a plugin of a group over its socket, or our own, which says what it has applied. */
export type FeedGroup = StudioDialect | 'own';

/** Tells every Studio that listens what changes in the tree of one project, each from the revision that it has read. */
export interface TreeFeed extends Disposable {
  /**
   * Tells `feed` of everything after `cursor`, from now until it closes.
   *
   * @returns `forgotten`: so much has changed since that the tree must be read again; `full`: FEED_LIMITS.feeds are open
   */
  subscribe(feed: StudioFeed, cursor: number, group: FeedGroup): 'subscribed' | 'forgotten' | 'full';
  /** Whether a subscription from `cursor` would be taken. */
  canSubscribe(cursor: number): 'subscribed' | 'forgotten' | 'full';
  /** Somebody of that group has read the tree as it is now. */
  noteRead(group: FeedGroup): void;
  /** The revision of the latest such reading. */
  lastRead(group: FeedGroup): number | undefined;
  /** Whether no Studio of that group can have seen yet what the tree holds of `id`. */
  isUnseen(group: FeedGroup, id: Ref): boolean;
  /** The Studio of that group holds `instance` by itself, so it is not told again; has no effect unless exactly one listens. */
  assume(group: FeedGroup, id: Ref, instance: Instance | undefined): Disposable;
  /** New instances for which `isKnown` answers true are not told to the one Studio of that group. */
  assumeNew(group: FeedGroup, isKnown: (instance: Instance) => boolean): Disposable;
  /** Open subscriptions. */
  count(group?: FeedGroup): number;
  readonly onDidChangeCount: Event<void>;
}

export function createTreeFeed(deps: TreeFeedDeps): TreeFeed {
  const { session, reflection, clock, log, sessionId } = deps;
  const history = new TreeHistory(session.revision(), deps.historyChanges ?? FEED_LIMITS.historyChanges);
  const subscriptions = new Map<Subscription, FeedGroup>();
  const readAt = new Map<FeedGroup, number>();
  const knownNew = new Map<FeedGroup, (instance: Instance) => boolean>();
  const countChanged = new Emitter<void>();
  const lifetime = new DisposableStore();

  const render = (known: Known) => {
    const message = patchMessage(session, known, reflection);
    if (message === undefined) return undefined;
    const cursor = session.revision();
    const packet: SocketPacket = {
      sessionId,
      packetType: 'messages',
      body: { messageCursor: cursor, messages: [message] },
    };
    const ids = new Set([
      ...message.removed,
      ...Object.keys(message.added),
      ...message.updated.map(update => update.id),
    ]);
    return { packet, ids, cursor };
  };

  const of = (group: FeedGroup): readonly Subscription[] =>
    Array.from(subscriptions).flatMap(([subscription, spoken]) => (spoken === group ? [subscription] : []));
  const only = (group: FeedGroup): Subscription | undefined => {
    const all = of(group);
    return all.length === 1 ? all[0] : undefined;
  };

  lifetime.add(
    session.onDidChange(change => {
      history.add(change);
      for (const [subscription, group] of subscriptions) {
        const isKnown = only(group) === subscription ? knownNew.get(group) : undefined;
        subscription.add({ before: isKnown === undefined ? change.before : withoutKnown(session, change, isKnown) });
      }
    }),
  );

  const canSubscribe = (cursor: number): 'subscribed' | 'forgotten' | 'full' => {
    if (subscriptions.size >= FEED_LIMITS.feeds) return 'full';
    return history.since(cursor) === undefined ? 'forgotten' : 'subscribed';
  };

  return {
    canSubscribe,
    subscribe(feed, cursor, group) {
      const answer = canSubscribe(cursor);
      if (answer !== 'subscribed') {
        feed.close(answer === 'full' ? 'too many feeds are open' : 'too much has changed since that cursor');
        return answer;
      }
      const subscription = new Subscription(feed, cursor, {
        clock,
        render,
        cursor: () => session.revision(),
        crossingMs: group === 'own' ? 0 : FEED_LIMITS.crossingMs,
      });
      subscriptions.set(subscription, group);
      feed.onClosed(({ reason }) => {
        subscription.ended();
        if (!subscriptions.delete(subscription)) return;
        log.info('feed closed', { group, reason });
        countChanged.fire();
      });
      log.info('feed opened', { group, cursor, revision: session.revision() });
      subscription.add({ before: history.since(cursor) ?? new Map() });
      countChanged.fire();
      return answer;
    },
    noteRead: group => void readAt.set(group, session.revision()),
    lastRead: group => readAt.get(group),
    isUnseen(group, id) {
      const all = of(group);
      if (all.length > 0) return all.some(subscription => subscription.isBehind(id));
      return history.since(readAt.get(group) ?? -1)?.has(id) !== false;
    },
    assume: (group, id, instance) => only(group)?.assume(id, instance) ?? nothing,
    assumeNew(group, isKnown) {
      knownNew.set(group, isKnown);
      return { [Symbol.dispose]: () => void knownNew.delete(group) };
    },
    count: group => (group === undefined ? subscriptions.size : of(group).length),
    onDidChangeCount: countChanged.event,
    [Symbol.dispose]() {
      lifetime[Symbol.dispose]();
      for (const subscription of subscriptions.keys()) subscription.close('the bridge stops');
      subscriptions.clear();
    },
  };
}

const nothing: Disposable = { [Symbol.dispose]: () => {} };

/** The patch without the new instances that are known, and all that is new below them. */
function withoutKnown(
  session: ProjectSession,
  change: { readonly before: Known },
  isKnown: (instance: Instance) => boolean,
): Known {
  const hidden = new Set<Ref>();
  for (const [id, before] of change.before) {
    const now = before === undefined ? session.get(id) : undefined;
    if (now === undefined || !isKnown(now)) continue;
    for (const below of session.descendants(id)) hidden.add(below.id);
  }
  return new Map(Array.from(change.before).filter(([id]) => !hidden.has(id)));
}
