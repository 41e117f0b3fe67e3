import { AppError } from '../base/errors.ts';
import { Emitter } from '../base/emitter.ts';
import { type PausableWork, runInSlices, TimeSlice } from '../base/time-slice.ts';
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
  type PlaceInstance,
  type Selected,
} from '../protocol/studio/explorer.ts';
import { liveCapability, liveMissedCapability, type LiveFromPlugin } from '../protocol/studio/live.ts';
import { reviewCapability, type ReviewFromPlugin, type ReviewToPlugin } from '../protocol/studio/review.ts';
import { BUDGET_MS, MAX_CHANGES, MAX_LISTED_CHILDREN, READ_REPLY_BYTES } from '../protocol/limits.ts';
import {
  type FromPlugin,
  requiredCapabilities,
  type Applied,
  type Compared,
  type InstancePart,
  type Instances,
  type Script,
  type StudioChange,
  type StudioCommand,
  type StudioInstance,
  type Untracked,
  untrackedCapability,
} from '../protocol/studio/stream.ts';
import { reasonSentence } from '../protocol/reason.ts';
import { type ReadMessage, readMessage } from '../protocol/studio/read-message.ts';
import { onJsonFrame } from './json-frames.ts';
import { JsonSender } from './json-sender.ts';
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
  /** Gets the descendants that arrive before an `instances` reply. */
  readonly parts?: InstancePart[] | undefined;
  readonly onLate?: ((reply: Extract<Reply, { type: T }>) => void) | undefined;
}

interface Waiter {
  readonly expectation: Omit<Expectation, 'onLate'>;
  /** The changes of a comparison that arrived before its reply. */
  readonly changes: StudioChange[];
  /** The children of a list that arrived before its reply. */
  readonly listed: PlaceInstance[];
  /** The descendants of the instances of a reply that arrived before it. */
  readonly parts: InstancePart[];
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
  /** Handlers for late replies of given-up commands, oldest first. */
  const late = new Map<string, (reply: Reply) => void>();
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
      const onLate = message.type === 'applied' ? late.get(message.requestId) : undefined;
      if (onLate === undefined || message.type !== 'applied')
        return deps.log.debug('ignored a late reply from Studio', { type: message.type });
      late.delete(message.requestId);
      return onLate(message);
    }
    switch (message.type) {
      case 'received':
        return waiter.restart(waiter.expectation.signal, waiter.expectation.budgetMs);
      case 'progress':
        if (message.total > 0) waiter.expectation.onProgress?.(message.done, message.total);
        return waiter.restart(waiter.expectation.signal, waiter.expectation.budgetMs);
      case 'changes':
        if (waiter.changes.length + message.changes.length > MAX_CHANGES)
          return waiter.settle({ error: new AppError('STUDIO_FAILED', { reason: tooManyChanges, code: 'too_large' }) });
        for (const change of message.changes) waiter.changes.push(change);
        return waiter.restart(waiter.expectation.signal, waiter.expectation.budgetMs);
      case 'listedPart':
        if (waiter.listed.length + message.instances.length > MAX_LISTED_CHILDREN)
          return waiter.settle({
            error: new AppError('STUDIO_FAILED', { reason: tooManyChildren, code: 'too_large' }),
          });
        for (const instance of message.instances) waiter.listed.push(instance);
        return waiter.restart(waiter.expectation.signal, waiter.expectation.budgetMs);
      case 'instancesPart':
        if (waiter.parts.length + message.parts.length > MAX_CHANGES)
          return waiter.settle({
            error: new AppError('STUDIO_FAILED', { reason: tooManyInstances, code: 'too_large' }),
          });
        for (const part of message.parts) waiter.parts.push(part);
        return waiter.restart(waiter.expectation.signal, waiter.expectation.budgetMs);
      case 'listed':
        return waiter.settle({ reply: { ...message, instances: waiter.listed.concat(message.instances) } });
      case 'compared':
        if (waiter.changes.length > 0) {
          const changes = waiter.changes.concat(message.changes);
          return waiter.settle({ reply: { ...message, changes } });
        }
        return waiter.settle({ reply: message });
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
    const { problem, isOversized, of } = frame;
    deps.log.warn('invalid message from Studio', { problem });
    if (of?.type.startsWith('live') === true) return liveUnreadable.fire(of);
    // Its request id was not read. Studio answers one command at a time.
    if (isOversized !== true) return;
    for (const waiter of Array.from(waiters.values()))
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

  const expectLateReply = (requestId: string, onLate: (reply: Reply) => void): void => {
    late.set(requestId, onLate);
    const oldest = late.keys().next();
    if (late.size > MAX_LATE_REPLIES && !oldest.done) late.delete(oldest.value);
  };

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
        if (expectation.onLate !== undefined) expectLateReply(requestId, expectation.onLate as (reply: Reply) => void);
        waiter.settle({ error });
      };
      const onAbort = (): void => giveUp(new AppError('CANCELLED', { phase: expectation.phase }));
      let limit: { readonly signal: string; readonly ms: number } = { signal: 'received', ms: BUDGET_MS.received };
      const waiter: Waiter = {
        expectation,
        changes: [],
        listed: [],
        parts: expectation.parts ?? [],
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
    return reply as Extract<Reply, { type: T }>;
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
      { signal: 'compared', budgetMs: BUDGET_MS.compare, phase: 'comparing', onProgress },
      signal,
    );
  };

  const explorer: StudioExplorer = {
    async children(id, signal) {
      const body = { type: 'children', ...(id === undefined ? {} : { id }) } as const;
      return (await request(body, exploring('listed'), signal)).instances;
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
    async read(compareId, ids, signal) {
      const parts: InstancePart[] = [];
      const reply = await request(
        { type: 'read', compareId, ids, maxBytes: READ_REPLY_BYTES, inParts: true },
        { signal: 'instances', budgetMs: BUDGET_MS.read, phase: 'reading from Studio', parts },
        signal,
      );
      await runInSlices(addParts(reply.instances, parts), new TimeSlice(deps.clock));
      return reply;
    },
    apply(command, signal, onLate, onProgress) {
      const perInstance = BUDGET_MS.applyPerInstance * command.decisions.length;
      const budgetMs = Math.min(BUDGET_MS.apply + perInstance, BUDGET_MS.applyMax);
      return request(
        { type: 'apply', ...command },
        { signal: 'applied', budgetMs, phase: 'applying', onLate, onProgress },
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

const tooManyChildren = `more than ${MAX_LISTED_CHILDREN} instances have the same parent`;
const tooManyInstances = `more than ${MAX_CHANGES} instances are below one instance; sync fewer at a time`;
const tooManyChanges = `more than ${MAX_CHANGES} instances differ; sync fewer at a time, for example by ignoring folders in the project file`;

/** Adds each part to its parent, which is one of the instances or an earlier part. @throws AppError STUDIO_FAILED if it is neither */
function* addParts(instances: readonly StudioInstance[], parts: readonly InstancePart[]): PausableWork<void> {
  if (parts.length === 0) return;
  const byId = new Map<string, StudioInstance>();
  const open = [...instances];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    yield;
    byId.set(next.id, next);
    open.push(...next.children);
  }
  for (const { parentId, instance } of parts) {
    yield;
    const parent = byId.get(parentId);
    if (parent === undefined)
      throw new AppError('STUDIO_FAILED', { reason: 'the reply lacks a parent', code: 'engine' });
    parent.children.push(instance);
    byId.set(instance.id, instance);
  }
}
