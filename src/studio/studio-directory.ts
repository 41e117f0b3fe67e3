import { Emitter } from '../base/emitter.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Random } from '../ports/random.ts';
import type { Settings } from '../ports/settings.ts';
import type { StudioChannel } from '../ports/studio-channel.ts';
import { BUDGET_MS, FEED_LIMITS } from '../protocol/limits.ts';
import { type Deciding, Hello, type Rejected, type Welcome } from '../protocol/studio/stream.ts';
import type { ProjectInfo } from '../project/project-session.ts';
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
  /** The loaded project, or `undefined` while there is none: then every place may connect. */
  readonly project: () => ProjectInfo | undefined;
  /** What a plugin that announces no capabilities is driven with. */
  readonly legacy: Pick<LegacyLinkDeps, 'session' | 'hasher' | 'lastRead'>;
}

/** A directory that new connections are handed to. */
export interface OpenStudioDirectory extends StudioDirectory, Disposable {
  /** Why no further Studio can be taken, so that it must be refused before its upgrade; `undefined` when one can. */
  full(): string | undefined;
  /** Whether a run of ours is being carried out by a plugin that acts on defaults and stages files by itself. */
  isActiveClient(): boolean;
  /** Whether a person is asked for a decision: what the windows of all plugins say. */
  setDeciding(isPending: boolean): void;
  /** Takes ownership of `channel`: waits for its `hello`, answers `welcome` or `rejected`, and lists the Studio. */
  accept(channel: StudioChannel): void;
}

/** What stands for any plugin that announces nothing: only one is there at a time. */
const LEGACY_ID = 'unmodified plugin';
const ALONE = 'a Studio with an unmodified plugin has this bridge to itself';

/** Why this place may not connect, or `undefined` when it may (`reference/studio-protocol.md`, section 5.8). */
function refusal(project: ProjectInfo | undefined, placeId: number): string | undefined {
  if (project?.servePlaceIds !== undefined && !project.servePlaceIds.includes(placeId))
    return `place ${placeId} is not among the servePlaceIds of project ${project.name}`;
  if (project?.blockedPlaceIds?.includes(placeId) === true)
    return `place ${placeId} is among the blockedPlaceIds of project ${project.name}`;
  return undefined;
}

interface Entry {
  readonly channel: StudioChannel;
  /** `undefined` before its greeting. */
  readonly link: StudioLink | undefined;
}

export function createStudioDirectory(deps: StudioDirectoryDeps): OpenStudioDirectory {
  const changed = new Emitter<void>();
  const handles = new StudioHandles();
  const entries = new Map<StudioChannel, Entry>();
  let legacy: LegacyLink | undefined;
  let epoch = 0;
  let lastRefusal = '';
  let isDeciding = false;

  const all = (): readonly StudioLink[] =>
    Array.from(entries.values()).flatMap(({ link }) => (link === undefined ? [] : [link]));

  const tellDeciding = (channel: StudioChannel): void =>
    channel.send(JSON.stringify({ type: 'deciding', isPending: isDeciding } satisfies Deciding));

  const leave = (channel: StudioChannel, reason: string): void => {
    const link = entries.get(channel)?.link;
    if (!entries.delete(channel)) return;
    if (link === legacy) legacy = undefined;
    deps.log.info('studio disconnected', { studio: link?.handle, reason });
    if (link !== undefined) changed.fire();
  };

  const reject = (channel: StudioChannel, reason: string): void => {
    // Some plugins try again for ever, every few seconds.
    deps.log[reason === lastRefusal ? 'debug' : 'warn']('studio refused', { reason });
    lastRefusal = reason;
    channel.send(JSON.stringify({ type: 'rejected', reason } satisfies Rejected));
    channel.close(reason);
    leave(channel, reason);
  };

  /** A plugin whose link broke unnoticed comes back before the old one is found dead: the new one counts. */
  const replaceOlder = (studioId: string | undefined): void => {
    if (studioId === undefined) return;
    for (const { channel, link } of Array.from(entries.values())) {
      if (link?.hello.studioId !== studioId) continue;
      channel.close('it connected again');
      leave(channel, 'it connected again');
    }
  };

  const welcome = (channel: StudioChannel, hello: Hello): void => {
    const isLegacy = hello.capabilities.length === 0;
    replaceOlder(hello.studioId);
    // What such a plugin has read of the tree is known only as long as nobody else reads it.
    if (legacy !== undefined || (isLegacy && all().length > 0)) return reject(channel, ALONE);
    epoch += 1;
    const who = { epoch, hello, handle: handles.of(isLegacy ? LEGACY_ID : hello.studioId) };
    if (isLegacy) legacy = createLegacyLink(channel, who, { ...deps, ...deps.legacy });
    const link = legacy ?? createChannelLink(channel, who, deps);
    entries.set(channel, { channel, link });
    const projectName = deps.project()?.name ?? '';
    const answer: Welcome = { type: 'welcome', epoch, sessionId: deps.sessionId, projectName, studio: who.handle };
    if (!isLegacy) channel.send(JSON.stringify(answer));
    if (!isLegacy && isDeciding) tellDeciding(channel);
    deps.log.info('studio connected', { studio: who.handle, place: hello.placeName, placeId: hello.placeId, epoch });
    changed.fire();
  };

  const full = (): string | undefined => {
    if (legacy !== undefined) return ALONE;
    return entries.size < FEED_LIMITS.studios ? undefined : `${entries.size} Studios are connected to this bridge`;
  };

  return {
    all,
    onDidChange: changed.event,
    full,
    isActiveClient: () => legacy?.isActiveClient() === true,
    setDeciding(isPending) {
      if (isPending === isDeciding) return;
      isDeciding = isPending;
      for (const { channel, link } of entries.values())
        if (link !== undefined && link !== legacy) tellDeciding(channel);
    },
    accept(incoming) {
      const reason = full();
      if (reason !== undefined) {
        incoming.send(JSON.stringify({ type: 'rejected', reason } satisfies Rejected));
        incoming.close(reason);
        return;
      }
      entries.set(incoming, { channel: incoming, link: undefined });
      const cancelTimer = deps.clock.after(BUDGET_MS.handshake * deps.settings.timeoutMultiplier(), () =>
        reject(incoming, `no hello within ${BUDGET_MS.handshake} ms`),
      );
      const greeting = incoming.onMessage(text => {
        greeting[Symbol.dispose]();
        cancelTimer();
        const hello = Hello.safeParse(parseJson(text));
        if (!hello.success) return reject(incoming, 'the first frame was not a hello');
        const refused = refusal(deps.project(), hello.data.placeId);
        return refused === undefined ? welcome(incoming, hello.data) : reject(incoming, refused);
      });
      incoming.onClosed(({ reason: why }) => {
        cancelTimer();
        leave(incoming, why);
      });
    },
    [Symbol.dispose]() {
      for (const { channel } of Array.from(entries.values())) {
        channel.close('the bridge stops');
        leave(channel, 'the bridge stops');
      }
    },
  };
}
