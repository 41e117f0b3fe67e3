import { Emitter } from '../../base/emitter.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Random } from '../../ports/random.ts';
import type { Settings } from '../../ports/settings.ts';
import type { StudioChannel } from '../../ports/studio-channel.ts';
import { BUDGET_MS } from '../../protocol/limits.ts';
import { Hello, type Rejected, type Welcome } from '../../protocol/studio/stream.ts';
import type { ProjectInfo } from '../sync/project-session.ts';
import { createChannelLink } from './channel-link.ts';
import { createLegacyLink, type LegacyLinkDeps } from './legacy-link.ts';
import { parseJson } from '../../base/parse-json.ts';
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
  /** Whether a Studio is connected or shaking hands; a second one must be refused before its upgrade. */
  isTaken(): boolean;
  /** Whether a run of ours is being carried out by a plugin that acts on defaults and stages files by itself. */
  isDriving(): boolean;
  /** Takes ownership of `channel`: waits for its `hello`, answers `welcome` or `rejected`, and makes it the current Studio. */
  accept(channel: StudioChannel): void;
}

/** Why this place may not connect, or `undefined` when it may (`reference/studio-protocol.md`, section 5.8). */
function refusal(project: ProjectInfo | undefined, placeId: number): string | undefined {
  if (project?.servePlaceIds !== undefined && !project.servePlaceIds.includes(placeId))
    return `place ${placeId} is not among the servePlaceIds of project ${project.name}`;
  if (project?.blockedPlaceIds?.includes(placeId) === true)
    return `place ${placeId} is among the blockedPlaceIds of project ${project.name}`;
  return undefined;
}

export function createStudioDirectory(deps: StudioDirectoryDeps): OpenStudioDirectory {
  const changed = new Emitter<StudioLink | undefined>();
  let link: StudioLink | undefined;
  let channel: StudioChannel | undefined;
  let epoch = 0;
  let isDriving = (): boolean => false;

  const leave = (of: StudioChannel, reason: string): void => {
    if (channel !== of) return;
    const wasConnected = link !== undefined;
    channel = undefined;
    link = undefined;
    isDriving = () => false;
    deps.log.info('studio disconnected', { reason });
    if (wasConnected) changed.fire(undefined);
  };

  const reject = (of: StudioChannel, reason: string): void => {
    deps.log.warn('studio refused', { reason });
    of.send(JSON.stringify({ type: 'rejected', reason } satisfies Rejected));
    of.close(reason);
    leave(of, reason);
  };

  const welcome = (of: StudioChannel, hello: Hello): void => {
    epoch += 1;
    const projectName = deps.project()?.name ?? '';
    const answer: Welcome = { type: 'welcome', epoch, sessionId: deps.sessionId, projectName };
    const driven =
      hello.capabilities.length > 0 ? undefined : createLegacyLink(of, hello, epoch, { ...deps, ...deps.legacy });
    isDriving = () => driven?.isDriving() === true;
    link = driven ?? createChannelLink(of, hello, epoch, deps);
    if (hello.capabilities.length > 0) of.send(JSON.stringify(answer));
    deps.log.info('studio connected', { place: hello.placeName, placeId: hello.placeId, epoch });
    changed.fire(link);
  };

  return {
    current: () => link,
    onDidChange: changed.event,
    isTaken: () => channel !== undefined,
    isDriving: () => isDriving(),
    accept(incoming) {
      if (channel !== undefined) {
        incoming.send(JSON.stringify({ type: 'rejected', reason: 'another Studio is connected' } satisfies Rejected));
        incoming.close('another Studio is connected');
        return;
      }
      channel = incoming;
      const cancelTimer = deps.clock.after(BUDGET_MS.handshake * deps.settings.budgetScale(), () =>
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
      incoming.onClosed(({ reason }) => {
        cancelTimer();
        leave(incoming, reason);
      });
    },
    [Symbol.dispose]() {
      const open = channel;
      open?.close('the bridge stops');
      if (open !== undefined) leave(open, 'the bridge stops');
    },
  };
}
