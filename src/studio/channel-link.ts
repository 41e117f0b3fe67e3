import { AppError } from '../base/errors.ts';
import { Emitter } from '../base/emitter.ts';
import { runInSlices, TimeSlice } from '../base/time-slice.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Random } from '../ports/random.ts';
import type { Settings } from '../ports/settings.ts';
import type { StudioChannel } from '../ports/studio-channel.ts';
import {
  explorerCapability,
  type Found,
  type Inspected,
  type Listed,
  type Selected,
} from '../protocol/studio/explorer.ts';
import { liveCapability, liveMissedCapability, type LiveFromPlugin } from '../protocol/studio/live.ts';
import { reviewCapability, type ReviewFromPlugin, type ReviewToPlugin } from '../protocol/studio/review.ts';
import { BUDGET_MS, READ_REPLY_BYTES } from '../protocol/limits.ts';
import {
  type FromPlugin,
  requiredCapabilities,
  type Applied,
  type Compared,
  type Instances,
  type Script,
  type StudioCommand,
  type Untracked,
  untrackedCapability,
} from '../protocol/studio/stream.ts';
import { reasonSentence } from '../protocol/reason.ts';
import { type ReadMessage, readMessage } from '../protocol/studio/read-message.ts';
import { onJsonFrame } from './json-frames.ts';
import { JsonSender } from './json-sender.ts';
import { partsOfApplied, partsOfCompared, partsOfInstances, partsOfListed, type ReplyParts } from './reply-parts.ts';
import type { StudioExplorer, StudioIdentity, StudioLink, UnreadableLive } from './studio-link.ts';
import { logStudioOutput } from './studio-output.ts';

interface ChannelLinkDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly settings: Settings;
  readonly log: Logger;
}

/** Maximum number of given-up commands whose late reply is still processed. */
const MAX_LATE_REPLIES = 256;

type Reply = Compared | Untracked | Instances | Applied | Script | Listed | Found | Inspected | Selected;
type CommandBody = StudioCommand extends infer C ? (C extends StudioCommand ? Omit<C, 'requestId'> : never) : never;

/** The reply that a command waits for, and the time limit after it was received or last reported progress. */
interface Expectation<T extends Reply['type'] = Reply['type']> {
  readonly signal: T;
  readonly budgetMs: number;
  /** Name of the step, for error messages. */
  readonly phase: string;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  readonly parts?: ReplyParts<Extract<Reply, { type: T }>> | undefined;
  readonly onLate?: ((reply: Extract<Reply, { type: T }>) => void) | undefined;
}

interface Waiter {
  readonly expectation: Omit<Expectation, 'onLate' | 'parts'>;
  readonly parts: Pick<ReplyParts<never>, 'take'> | undefined;
  /** Whether a reply that cannot be read ends the wait. It does not end an apply, whose outcome it would hide. */
  readonly endsOnOversized: () => boolean;
  settle(outcome: { readonly reply: Reply } | { readonly error: Error }): void;
  restart(signal: string, ms: number): void;
  /** Starts the current time limit again. */
  renew(): void;
}

/** Creates the link to one Studio over a channel: matches replies to requests, enforces time limits, and rejects pending requests on close. */
export function createChannelLink(channel: StudioChannel, who: StudioIdentity, deps: ChannelLinkDeps): StudioLink {
  const { hello } = who;
  const waiters = new Map<string, Waiter>();
  /** Handlers for late messages of given-up commands, oldest first. They return whether they used the message. */
  const late = new Map<string, (message: FromPlugin) => boolean>();
  const closed = new Emitter<{ readonly reason: string }>();
  const missing = requiredCapabilities.filter(capability => !hello.capabilities.includes(capability));
  const liveMessage = new Emitter<LiveFromPlugin>();
  const liveUnreadable = new Emitter<UnreadableLive>();
  const reviewMessage = new Emitter<ReviewFromPlugin>();
  const childrenChanged = new Emitter<readonly string[]>();
  const sender = new JsonSender(channel, deps.clock);
  let open = true;

  const receive = (message: FromPlugin): void => {
    if (message.type === 'roblox_log') return logStudioOutput(message, deps.log);
    if (message.type === 'childrenChanged') return childrenChanged.fire(message.ids);
    const waiter = waiters.get(message.requestId);
    if (waiter === undefined) {
      if (late.get(message.requestId)?.(message) !== true)
        deps.log.debug('ignored a late reply from Studio', { type: message.type });
      return;
    }
    switch (message.type) {
      case 'received':
        return waiter.restart(waiter.expectation.signal, waiter.expectation.budgetMs);
      case 'progress':
        if (message.total > 0) waiter.expectation.onProgress?.(message.done, message.total);
        return waiter.restart(waiter.expectation.signal, waiter.expectation.budgetMs);
      case 'failed': {
        const { code, className } = message;
        const details = {
          reason: reasonSentence(message.message),
          code,
          ...(className === undefined ? {} : { className }),
        };
        return waiter.settle({ error: new AppError('STUDIO_FAILED', details) });
      }
      default:
        if (message.type === waiter.expectation.signal) waiter.settle({ reply: message });
        else if (takePart(waiter, message)) waiter.restart(waiter.expectation.signal, waiter.expectation.budgetMs);
        else
          deps.log.warn('ignored a reply of the wrong type', {
            got: message.type,
            expected: waiter.expectation.signal,
          });
    }
  };
  const dispatch = (frame: ReadMessage): void => {
    if ('live' in frame) return liveMessage.fire(frame.live);
    if ('review' in frame) return reviewMessage.fire(frame.review);
    if ('message' in frame) return receive(frame.message);
    const { problem, isOversized = false, of } = frame;
    deps.log.warn('invalid message from Studio', { problem, type: of?.type });
    // Our plugin answers `failed` for a message that it could not send. Without a request id, it was one of a live session.
    const isLive = of?.type.startsWith('live') === true || (of?.type === 'failed' && of.requestId === undefined);
    if (isLive) return liveUnreadable.fire({ ...of, isOversized });
    if (!isOversized) return;
    const own = of?.requestId === undefined ? undefined : waiters.get(of.requestId);
    // Without its request id, it belongs to any of them.
    for (const waiter of own === undefined ? Array.from(waiters.values()) : [own])
      if (waiter.endsOnOversized())
        waiter.settle({ error: new AppError('STUDIO_FAILED', { reason: problem, code: 'too_large' }) });
  };
  const renewAll = (): void => {
    for (const waiter of waiters.values()) waiter.renew();
  };
  onJsonFrame(channel, deps.clock, readMessage, dispatch, renewAll);
  channel.onClosed(({ reason }) => {
    open = false;
    for (const waiter of Array.from(waiters.values()))
      waiter.settle({ error: new AppError('STUDIO_DISCONNECTED', { phase: waiter.expectation.phase }) });
    closed.fire({ reason });
  });

  const expectLateReply = <T extends Reply['type']>(requestId: string, expectation: Expectation<T>): void => {
    const { signal, parts, onLate } = expectation;
    if (onLate === undefined) return;
    late.set(requestId, message => {
      try {
        if (parts?.take(message) === true) return true;
      } catch (error) {
        deps.log.error('failed to read a late reply', error);
        late.delete(requestId);
        return true;
      }
      if (message.type !== signal) return false;
      late.delete(requestId);
      const reply = message as Extract<Reply, { type: T }>;
      joinParts(reply, parts).then(onLate, (error: unknown) => deps.log.error('failed to read a late reply', error));
      return true;
    });
    const oldest = late.keys().next();
    if (late.size > MAX_LATE_REPLIES && !oldest.done) late.delete(oldest.value);
  };

  const joinParts = async <R extends Reply>(reply: R, parts: ReplyParts<R> | undefined): Promise<R> =>
    parts === undefined ? reply : await runInSlices(parts.join(reply), new TimeSlice(deps.clock));

  async function request<T extends Reply['type']>(
    body: CommandBody,
    expectation: Expectation<T>,
    signal: AbortSignal,
  ): Promise<Extract<Reply, { type: T }>> {
    if (missing.length > 0 && body.type !== 'getScript') throw new AppError('STUDIO_UNSUPPORTED', { missing });
    if (!open) throw new AppError('STUDIO_DISCONNECTED', { phase: expectation.phase });
    if (signal.aborted) throw new AppError('CANCELLED', { phase: expectation.phase });
    const requestId = deps.random.uuid();
    const timeout = body.type === 'apply' ? 'STUDIO_NOT_RESPONDING' : 'STUDIO_BUSY';
    const sentAt = deps.clock.now();
    const reply = await new Promise<Reply>((resolve, reject) => {
      let isSent = false;
      let cancelTimer = (): void => {};
      const giveUp = (error: AppError): void => {
        if (open) void sender.send({ type: 'cancel', requestId } satisfies StudioCommand);
        expectLateReply(requestId, expectation);
        waiter.settle({ error });
      };
      const onAbort = (): void => giveUp(new AppError('CANCELLED', { phase: expectation.phase }));
      let limit: { readonly signal: string; readonly ms: number } = { signal: 'received', ms: BUDGET_MS.received };
      const waiter: Waiter = {
        expectation,
        parts: expectation.parts,
        endsOnOversized: () => body.type !== 'apply' && limit.signal !== 'received',
        settle(outcome) {
          cancelTimer();
          signal.removeEventListener('abort', onAbort);
          if (!waiters.delete(requestId)) return;
          if ('reply' in outcome) resolve(outcome.reply);
          else reject(outcome.error);
        },
        restart(awaited, ms) {
          limit = { signal: awaited, ms };
          waiter.renew();
        },
        renew() {
          cancelTimer();
          const budgetMs = limit.ms * deps.settings.timeoutMultiplier();
          // A large message is sent only after it was serialized in slices.
          const onTimeout = (): void =>
            isSent ? giveUp(new AppError(timeout, { signal: limit.signal, budgetMs })) : waiter.renew();
          cancelTimer = deps.clock.after(budgetMs, onTimeout);
        },
      };
      // Register the waiter before sending, so that no reply is missed.
      waiters.set(requestId, waiter);
      signal.addEventListener('abort', onAbort, { once: true });
      const onSent = (): void => {
        isSent = true;
        if (waiters.has(requestId)) waiter.renew();
      };
      sender.send({ ...body, requestId }, onSent).catch((error: Error) => waiter.settle({ error }));
    });
    deps.log.debug('Studio answered', { signal: expectation.signal, ms: Math.round(deps.clock.now() - sentAt) });
    // The waiter is settled by a reply of the expected type only.
    return await joinParts(reply as Extract<Reply, { type: T }>, expectation.parts);
  }

  const compare = async (
    isAside: boolean,
    ...[overrides, signal, onProgress, tree, tracked]: Parameters<StudioLink['compare']>
  ): Promise<Compared> => {
    if (tree !== undefined && !hello.capabilities.includes('otherTrees'))
      throw new AppError('STUDIO_UNSUPPORTED', { missing: ['otherTrees'] });
    return await request(
      {
        type: 'compare',
        overrides,
        inParts: true,
        renames: true,
        ...(tree === undefined ? {} : { tree }),
        ...(isAside ? { isAside } : {}),
        ...(tracked === undefined ? {} : { tracked }),
      },
      { signal: 'compared', budgetMs: BUDGET_MS.compare, phase: 'comparing', onProgress, parts: partsOfCompared() },
      signal,
    );
  };

  const explorer: StudioExplorer = {
    async children(id, signal) {
      const body = { type: 'children', ...(id === undefined ? {} : { id }) } as const;
      return (await request(body, { ...exploring('listed'), parts: partsOfListed() }, signal)).instances;
    },
    find: (query, signal) => request({ type: 'find', ...query }, exploring('found'), signal),
    inspect: (id, signal) => request({ type: 'inspect', id }, exploring('inspected'), signal),
    select: (id, signal) => request({ type: 'select', id }, exploring('selected'), signal),
    onDidChangeChildren: childrenChanged.event,
  };

  return {
    ...who,
    isOpen: () => open,
    latencyMs: () => channel.latencyMs?.(),
    onClosed: closed.event,
    explorer: hello.capabilities.includes(explorerCapability) ? explorer : undefined,
    live: hello.capabilities.includes(liveCapability)
      ? {
          send: message => sender.send(message),
          onMessage: liveMessage.event,
          onUnreadable: liveUnreadable.event,
          appliesAtStart: !hello.capabilities.includes(liveMissedCapability),
          onClosed: closed.event,
        }
      : undefined,
    review:
      who.isProved === true && hello.capabilities.includes(reviewCapability)
        ? {
            send: (message: ReviewToPlugin) => void sender.send(message),
            onMessage: reviewMessage.event,
          }
        : undefined,
    compare: (...request) => compare(false, ...request),
    compareAside: hello.capabilities.includes('asideComparisons')
      ? (...request) => compare(true, ...request)
      : undefined,
    untracked: hello.capabilities.includes(untrackedCapability)
      ? (command, signal) =>
          request(
            { type: 'untracked', ...command },
            { signal: 'untracked', budgetMs: BUDGET_MS.compare, phase: 'reading properties of Studio' },
            signal,
          )
      : undefined,
    read(compareId, ids, signal) {
      return request(
        { type: 'read', compareId, ids, maxBytes: READ_REPLY_BYTES, inParts: true },
        { signal: 'instances', budgetMs: BUDGET_MS.read, phase: 'reading from Studio', parts: partsOfInstances() },
        signal,
      );
    },
    apply(command, signal, onLate, onProgress) {
      const perInstance = BUDGET_MS.applyPerInstance * command.decisions.length;
      const budgetMs = Math.min(BUDGET_MS.apply + perInstance, BUDGET_MS.applyMax);
      return request(
        { type: 'apply', ...command, inParts: true },
        { signal: 'applied', budgetMs, phase: 'applying', onLate, onProgress, parts: partsOfApplied() },
        signal,
      );
    },
    getScript(id, fromDraft, signal, names) {
      const byPath = names !== undefined && hello.capabilities.includes('scriptsByPath');
      return request(
        { type: 'getScript', id, fromDraft, ...(byPath ? { names } : {}) },
        { signal: 'script', budgetMs: BUDGET_MS.read, phase: 'reading a script' },
        signal,
      );
    },
  };
}

const exploring = <T extends Reply['type']>(signal: T): Expectation<T> => ({
  signal,
  budgetMs: BUDGET_MS.read,
  phase: 'reading the tree of Studio',
});

/** Whether the message is a part of the reply that the waiter expects. Ends the wait if it has too many items. */
function takePart(waiter: Waiter, message: FromPlugin): boolean {
  try {
    return waiter.parts?.take(message) === true;
  } catch (error) {
    waiter.settle({ error: AppError.from(error) });
    return true;
  }
}
