import type { Ref } from '../../base/brand.ts';
import { DisposableStore } from '../../base/disposable-store.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import { FEED_LIMITS } from '../../protocol/limits.ts';
import type { SocketPacket, StudioDialect } from '../../protocol/studio/messages.ts';
import type { Instance } from '../../roblox/instances/instance.ts';
import type { Reflection } from '../../roblox/instances/reflection.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import { type KnownInstances, patchMessage } from './patch-message.ts';
import { Subscription, type TreeSubscriber } from './subscription.ts';
import { type HistoryLimits, TreeHistory } from './tree-history.ts';

export interface TreeFeedDeps {
  readonly session: ProjectSession;
  readonly reflection: Reflection;
  readonly clock: Clock;
  readonly log: Logger;
  readonly sessionId: string;
  /** The changes that are kept for reconnecting clients; FEED_LIMITS.history by default. */
  readonly historyLimits?: Partial<HistoryLimits>;
  /** Instances in one packet for our plugin; FEED_LIMITS.packetChanges by default. */
  readonly maxPacketChanges?: number | undefined;
}

/** Kind of subscriber: an unmodified plugin by dialect, or our plugin (`own`), which acknowledges changes. */
export type FeedGroup = StudioDialect | 'own';

/** Sends the changes of one project tree to all subscribed Studios, each from the revision that it has read. */
export interface TreeFeed extends Disposable {
  /**
   * Sends `feed` all changes after `cursor` until it closes.
   *
   * @param behind instances that this Studio has in an older state than that at `cursor`
   * @returns `forgotten` if the history no longer reaches back to `cursor`, so the tree must be read again; `full` if FEED_LIMITS.feeds are open
   */
  subscribe(
    feed: TreeSubscriber,
    cursor: number,
    group: FeedGroup,
    behind?: KnownInstances,
  ): 'subscribed' | 'forgotten' | 'full';
  /** Returns what `subscribe` would return, without subscribing. */
  canSubscribe(cursor: number): 'subscribed' | 'forgotten' | 'full';
  /** Records that a client of the group has read the current tree. */
  noteRead(group: FeedGroup): void;
  /** The revision of the latest read by the group. */
  lastRead(group: FeedGroup): number | undefined;
  /**
   * Whether the group may have made an edit of `id` before it received the latest state.
   * @param source the text of the edit, which can show that the group had received that state
   */
  isUnseen(group: FeedGroup, id: Ref, source?: string): boolean;
  /** Records that the Studio of the group already has `instance`, so it is not sent. Has no effect unless the group has one subscriber. */
  assume(group: FeedGroup, id: Ref, instance: Instance | undefined): Disposable;
  /** Does not send new instances for which `isKnown` returns true, if the group has one subscriber. */
  assumeNew(group: FeedGroup, isKnown: (instance: Instance) => boolean): Disposable;
  /** Number of open subscriptions. */
  count(group?: FeedGroup): number;
  readonly onDidChangeCount: Event<void>;
}

export function createTreeFeed(deps: TreeFeedDeps): TreeFeed {
  const { session, reflection, clock, log, sessionId } = deps;
  const history = new TreeHistory(session.revision(), { ...FEED_LIMITS.history, ...deps.historyLimits });
  const subscriptions = new Map<Subscription, FeedGroup>();
  const readAt = new Map<FeedGroup, number>();
  const knownNew = new Map<FeedGroup, (instance: Instance) => boolean>();
  const countChanged = new Emitter<void>();
  const lifetime = new DisposableStore();

  const render = (known: KnownInstances, cursor: number) => {
    const message = patchMessage(session, known, reflection);
    if (message === undefined) return undefined;
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
    return { packet, ids };
  };

  const subscriptionsOf = (group: FeedGroup): readonly Subscription[] =>
    Array.from(subscriptions).flatMap(([subscription, other]) => (other === group ? [subscription] : []));
  const only = (group: FeedGroup): Subscription | undefined => {
    const all = subscriptionsOf(group);
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
    subscribe(feed, cursor, group, behind = new Map()) {
      const answer = canSubscribe(cursor);
      if (answer !== 'subscribed') {
        feed.close(answer === 'full' ? 'too many feeds are open' : 'too much has changed since that cursor');
        return answer;
      }
      const subscription = new Subscription(feed, cursor, {
        clock,
        render,
        cursor: () => session.revision(),
        isAcknowledged: group === 'own',
        maxPacketChanges: deps.maxPacketChanges ?? FEED_LIMITS.packetChanges,
        get: id => session.get(id),
        sourceOf,
      });
      subscriptions.set(subscription, group);
      feed.onClosed(({ reason }) => {
        subscription.markClosed();
        if (!subscriptions.delete(subscription)) return;
        log.info('feed closed', { group, reason });
        countChanged.fire();
      });
      log.info('feed opened', { group, cursor, revision: session.revision() });
      subscription.add({ before: new Map([...(history.since(cursor) ?? []), ...behind]) });
      countChanged.fire();
      return answer;
    },
    noteRead: group => void readAt.set(group, session.revision()),
    lastRead: group => readAt.get(group),
    isUnseen(group, id, source) {
      const all = subscriptionsOf(group);
      if (all.length > 0) return all.some(subscription => subscription.isBehind(id, source));
      return history.since(readAt.get(group) ?? -1)?.has(id) !== false;
    },
    assume: (group, id, instance) => only(group)?.assume(id, instance) ?? nothing,
    assumeNew(group, isKnown) {
      knownNew.set(group, isKnown);
      return { [Symbol.dispose]: () => void knownNew.delete(group) };
    },
    count: group => (group === undefined ? subscriptions.size : subscriptionsOf(group).length),
    onDidChangeCount: countChanged.event,
    [Symbol.dispose]() {
      lifetime[Symbol.dispose]();
      for (const subscription of subscriptions.keys()) subscription.close('the bridge stops');
      subscriptions.clear();
    },
  };
}

function sourceOf(instance: Instance | undefined): string | undefined {
  const source = instance?.properties.get('Source');
  return source?.type === 'String' ? source.value : undefined;
}

const nothing: Disposable = { [Symbol.dispose]: () => {} };

/** Removes the known new instances and their descendants from the change. */
function withoutKnown(
  session: ProjectSession,
  change: { readonly before: KnownInstances },
  isKnown: (instance: Instance) => boolean,
): KnownInstances {
  const decided = new Map<Ref, boolean>();
  const isHidden = (id: Ref): boolean => {
    const known = decided.get(id);
    if (known !== undefined) return known;
    const now = session.get(id);
    const isNew = change.before.has(id) && change.before.get(id) === undefined;
    const hides = now !== undefined && ((isNew && isKnown(now)) || isHidden(now.parent));
    decided.set(id, hides);
    return hides;
  };
  const rest = new Map<Ref, Instance | undefined>();
  for (const [id, before] of change.before) if (!isHidden(id)) rest.set(id, before);
  return rest;
}
