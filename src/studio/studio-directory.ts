import { Emitter } from '../base/emitter.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Random } from '../ports/random.ts';
import type { Settings } from '../ports/settings.ts';
import type { ChannelFrame, StudioChannel } from '../ports/studio-channel.ts';
import { BUDGET_MS, FEED_LIMITS } from '../protocol/limits.ts';
import { reasonCodesCapability } from '../protocol/studio/reported-reason.ts';
import { type Deciding, Hello, type Rejected, type Welcome } from '../protocol/studio/stream.ts';
import type { ProjectInfo } from '../project/project-session.ts';
import { type PlaceClaims, placeRefusal } from './place-claims.ts';
import { createChannelLink } from './channel-link.ts';
import { createLegacyLink, type LegacyLink, type LegacyLinkDeps } from './legacy-link.ts';
import { parseJson } from '../base/parse-json.ts';
import { StudioHandles } from './studio-handles.ts';
import type { StudioDirectory, StudioLink } from './studio-link.ts';

export interface StudioDirectoryDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly settings: Settings;
  readonly log: Logger;
  readonly sessionId: string;
  /** The handles of Studios, if several directories share them. */
  readonly handles?: StudioHandles | undefined;
  /** The loaded project; without one every place may connect. */
  readonly project: () => ProjectInfo | undefined;
  /** The other projects of the window. */
  readonly otherProjects?: (() => readonly PlaceClaims[]) | undefined;
  /** Dependencies of the link for plugins that announce no capabilities. */
  readonly legacy: Pick<LegacyLinkDeps, 'session' | 'hasher' | 'lastRead' | 'onRequest'>;
}

/** The directory of Studios, which also accepts new connections. */
export interface OpenStudioDirectory extends StudioDirectory, Disposable {
  /** Closes every connection. Our plugin connects again and proves its key again. */
  disconnectAll(reason: string): void;
  /** Rejects connected Studios whose place belongs to another project by now. */
  rejectOthers(): void;
  /** Whether an unmodified plugin is applying one of our runs. It must then neither use defaults nor stage files. */
  isActiveClient(): boolean;
  /** Sets whether the plugin windows show that a decision is pending. */
  setDeciding(isPending: boolean): void;
  /**
   * Takes ownership of an admitted `channel`: waits for its `hello`, replies `welcome` or `rejected`, and lists the Studio.
   *
   * @param first its first message, if that has already arrived
   * @param isProved whether it proved a key
   */
  accept(channel: StudioChannel, first?: string, isProved?: boolean): void;
}

/** Id of any unmodified plugin; only one can be connected. */
const LEGACY_ID = 'unmodified plugin';
const EXCLUSIVE = 'a Studio with an unmodified plugin is connected, which allows no other connection';

interface Entry {
  readonly channel: StudioChannel;
  /** `undefined` until `hello` arrives. */
  readonly link: StudioLink | undefined;
}

export function createStudioDirectory(deps: StudioDirectoryDeps): OpenStudioDirectory {
  const changed = new Emitter<void>();
  const handles = deps.handles ?? new StudioHandles();
  const entries = new Map<StudioChannel, Entry>();
  let legacy: LegacyLink | undefined;
  let epoch = 0;
  let lastRefusal = '';
  let isDeciding = false;

  const all = (): readonly StudioLink[] =>
    Array.from(entries.values()).flatMap(({ link }) => (link === undefined ? [] : [link]));

  const sendDeciding = (channel: StudioChannel): void =>
    channel.send(JSON.stringify({ type: 'deciding', isPending: isDeciding } satisfies Deciding));

  const remove = (channel: StudioChannel, reason: string): void => {
    const link = entries.get(channel)?.link;
    if (!entries.delete(channel)) return;
    if (link === legacy) legacy = undefined;
    deps.log.info('Studio disconnected', { studio: link?.handle, reason });
    if (link !== undefined) changed.fire();
  };

  /** @param retry whether the plugin should try again, because the reason may be temporary */
  const reject = (channel: StudioChannel, reason: string, retry = false): void => {
    // Some plugins retry forever, every few seconds, so warn only once.
    deps.log[reason === lastRefusal ? 'debug' : 'warn']('Studio rejected', { reason });
    lastRefusal = reason;
    channel.send(JSON.stringify({ type: 'rejected', reason, ...(retry && { retry }) } satisfies Rejected));
    channel.close(reason);
    remove(channel, reason);
  };

  /** Closes an older connection of the same Studio, which can reconnect before its broken link is detected. */
  const replaceOlder = (studioId: string | undefined): void => {
    if (studioId === undefined) return;
    for (const { channel, link } of Array.from(entries.values())) {
      if (link?.hello.studioId !== studioId) continue;
      channel.close('the Studio reconnected');
      remove(channel, 'the Studio reconnected');
    }
  };

  const welcome = (channel: StudioChannel, hello: Hello, isProved: boolean): void => {
    const isLegacy = hello.capabilities.length === 0;
    replaceOlder(hello.studioId);
    // The revision that an unmodified plugin has read is known only while no other client reads the tree.
    if (legacy !== undefined || (isLegacy && all().length > 0)) return reject(channel, EXCLUSIVE, true);
    epoch += 1;
    const who = { epoch, hello, isProved, handle: handles.of(isLegacy ? LEGACY_ID : hello.studioId) };
    if (isLegacy) legacy = createLegacyLink(channel, who, { ...deps, ...deps.legacy });
    const link = legacy ?? createChannelLink(channel, who, deps);
    entries.set(channel, { channel, link });
    const projectName = deps.project()?.name ?? '';
    const answer: Welcome = {
      type: 'welcome',
      epoch,
      sessionId: deps.sessionId,
      projectName,
      studio: who.handle,
      capabilities: [reasonCodesCapability],
    };
    if (!isLegacy) channel.send(JSON.stringify(answer));
    if (!isLegacy && isDeciding) sendDeciding(channel);
    deps.log.info('Studio connected', { studio: who.handle, place: hello.placeName, placeId: hello.placeId, epoch });
    changed.fire();
  };

  const refusalOf = (placeId: number): string | undefined => {
    const project = deps.project();
    return project && placeRefusal(project, deps.otherProjects?.() ?? [], placeId);
  };

  const rejectionReason = (): string | undefined => {
    if (legacy !== undefined) return EXCLUSIVE;
    return entries.size < FEED_LIMITS.studios
      ? undefined
      : `the limit of ${FEED_LIMITS.studios} connected Studios is reached`;
  };

  const disconnectAll = (reason: string): void => {
    for (const { channel } of Array.from(entries.values())) {
      channel.close(reason);
      remove(channel, reason);
    }
  };

  return {
    all,
    onDidChange: changed.event,
    isActiveClient: () => legacy?.isActiveClient() === true,
    setDeciding(isPending) {
      if (isPending === isDeciding) return;
      isDeciding = isPending;
      for (const { channel, link } of entries.values())
        if (link !== undefined && link !== legacy) sendDeciding(channel);
    },
    accept(incoming, first, isProved = false) {
      const reason = rejectionReason();
      if (reason !== undefined) return reject(incoming, reason, true);
      entries.set(incoming, { channel: incoming, link: undefined });
      const budgetMs = BUDGET_MS.handshake * deps.settings.timeoutMultiplier();
      const cancelTimer = deps.clock.after(budgetMs, () =>
        reject(incoming, `timed out after ${budgetMs} ms waiting for hello`),
      );
      const greet = (frame: ChannelFrame): void => {
        cancelTimer();
        // A hello is small: a large frame is something else.
        const hello = Hello.safeParse(typeof frame === 'string' ? parseJson(frame) : undefined);
        if (!hello.success) return reject(incoming, 'the first message is not a hello');
        const refused = refusalOf(hello.data.placeId);
        return refused === undefined ? welcome(incoming, hello.data, isProved) : reject(incoming, refused);
      };
      incoming.onClosed(({ reason: why }) => {
        cancelTimer();
        remove(incoming, why);
      });
      if (first !== undefined) return greet(first);
      const greeting = incoming.onMessage(frame => {
        greeting[Symbol.dispose]();
        greet(frame);
      });
    },
    disconnectAll,
    rejectOthers() {
      for (const { channel, link } of Array.from(entries.values())) {
        const refused = link && refusalOf(link.hello.placeId);
        if (refused !== undefined) reject(channel, refused);
      }
    },
    [Symbol.dispose]: () => disconnectAll('the bridge stops'),
  };
}
