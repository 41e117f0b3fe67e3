import { AppError } from '../base/errors.ts';
import { Emitter } from '../base/emitter.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Random } from '../ports/random.ts';
import type { Settings } from '../ports/settings.ts';
import type { StudioChannel } from '../ports/studio-channel.ts';
import { liveCapability, LiveFromPlugin } from '../protocol/studio/live.ts';
import { BUDGET_MS } from '../protocol/limits.ts';
import {
  FromPlugin,
  requiredCapabilities,
  type Applied,
  type Compared,
  type Instances,
  type Script,
  type StudioCommand,
} from '../protocol/studio/stream.ts';
import { parseJson } from '../base/parse-json.ts';
import type { StudioIdentity, StudioLink } from './studio-link.ts';
import { logStudioOutput } from './studio-output.ts';

interface ChannelLinkDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly settings: Settings;
  readonly log: Logger;
}

/** Answers that somebody may still want at once. */
const MAX_LATE = 256;

type Reply = Compared | Instances | Applied | Script;
type CommandBody = StudioCommand extends infer C ? (C extends StudioCommand ? Omit<C, 'requestId'> : never) : never;

/** What a command waits for, and how long at most after it was received or last showed progress. */
interface Expectation<T extends Reply['type'] = Reply['type']> {
  readonly signal: T;
  readonly budgetMs: number;
  /** What is going on meanwhile, for the error that ends the wait. */
  readonly phase: string;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  readonly onLate?: ((reply: Extract<Reply, { type: T }>) => void) | undefined;
}

interface Waiter {
  readonly expectation: Omit<Expectation, 'onLate'>;
  settle(outcome: { readonly reply: Reply } | { readonly error: AppError }): void;
  restart(signal: string, ms: number): void;
}

/** One Studio over one channel: request ids, budgets, and every waiter ended when the channel closes. */
export function createChannelLink(channel: StudioChannel, who: StudioIdentity, deps: ChannelLinkDeps): StudioLink {
  const { hello } = who;
  const waiters = new Map<string, Waiter>();
  /** Commands that were given up and whose answer somebody still wants, oldest first. */
  const late = new Map<string, (reply: Reply) => void>();
  const closed = new Emitter<{ readonly reason: string }>();
  const missing = requiredCapabilities.filter(capability => !hello.capabilities.includes(capability));
  const liveMessage = new Emitter<LiveFromPlugin>();
  let open = true;

  channel.onMessage(text => {
    const frame = parseJson(text);
    const live = LiveFromPlugin.safeParse(frame);
    if (live.success) return liveMessage.fire(live.data);
    const parsed = FromPlugin.safeParse(frame);
    if (!parsed.success) return deps.log.warn('frame from Studio refused', { problem: parsed.error.message });
    const message = parsed.data;
    if (message.type === 'roblox_log') return logStudioOutput(message, deps.log);
    const waiter = waiters.get(message.requestId);
    if (waiter === undefined) {
      const onLate = message.type === 'applied' ? late.get(message.requestId) : undefined;
      if (onLate === undefined || message.type !== 'applied')
        return deps.log.debug('late reply from Studio dropped', { type: message.type });
      late.delete(message.requestId);
      return onLate(message);
    }
    switch (message.type) {
      case 'received':
        return waiter.restart(waiter.expectation.signal, waiter.expectation.budgetMs);
      case 'progress':
        waiter.expectation.onProgress?.(message.done, message.total);
        return waiter.restart(waiter.expectation.signal, waiter.expectation.budgetMs);
      case 'failed': {
        const { code, className } = message;
        const details = { reason: message.message, code, ...(className === undefined ? {} : { className }) };
        return waiter.settle({ error: new AppError('STUDIO_FAILED', details) });
      }
      default:
        if (message.type === waiter.expectation.signal) waiter.settle({ reply: message });
        else
          deps.log.warn('reply of the wrong kind dropped', { got: message.type, expected: waiter.expectation.signal });
    }
  });
  channel.onClosed(({ reason }) => {
    open = false;
    for (const waiter of Array.from(waiters.values()))
      waiter.settle({ error: new AppError('STUDIO_DISCONNECTED', { phase: waiter.expectation.phase }) });
    closed.fire({ reason });
  });

  const wantLate = (requestId: string, onLate: (reply: Reply) => void): void => {
    late.set(requestId, onLate);
    const oldest = late.keys().next();
    if (late.size > MAX_LATE && !oldest.done) late.delete(oldest.value);
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
    const sentAt = deps.clock.now();
    const reply = await new Promise<Reply>((resolve, reject) => {
      let cancelTimer = (): void => {};
      const giveUp = (error: AppError): void => {
        if (open) channel.send(JSON.stringify({ type: 'cancel', requestId } satisfies StudioCommand));
        if (expectation.onLate !== undefined) wantLate(requestId, expectation.onLate as (reply: Reply) => void);
        waiter.settle({ error });
      };
      const onAbort = (): void => giveUp(new AppError('CANCELLED', { phase: expectation.phase }));
      const waiter: Waiter = {
        expectation,
        settle(outcome) {
          cancelTimer();
          signal.removeEventListener('abort', onAbort);
          if (!waiters.delete(requestId)) return;
          if ('reply' in outcome) resolve(outcome.reply);
          else reject(outcome.error);
        },
        restart(awaited, ms) {
          cancelTimer();
          const budgetMs = ms * deps.settings.timeoutMultiplier();
          cancelTimer = deps.clock.after(budgetMs, () =>
            giveUp(new AppError('STUDIO_NOT_RESPONDING', { signal: awaited, budgetMs })),
          );
        },
      };
      // The waiter stands before the command leaves: a reply can then never come to nobody.
      waiters.set(requestId, waiter);
      waiter.restart('received', BUDGET_MS.received);
      signal.addEventListener('abort', onAbort, { once: true });
      channel.send(JSON.stringify({ ...body, requestId }));
    });
    // How the budgets fit is seen in logs of real days.
    deps.log.debug('Studio answered', { signal: expectation.signal, ms: Math.round(deps.clock.now() - sentAt) });
    // The waiter is settled by a reply of the expected type only.
    return reply as Extract<Reply, { type: T }>;
  }

  return {
    ...who,
    isOpen: () => open,
    latencyMs: () => channel.latencyMs?.(),
    onClosed: closed.event,
    live: hello.capabilities.includes(liveCapability)
      ? {
          send: message => channel.send(JSON.stringify(message, inWords)),
          onMessage: liveMessage.event,
          onClosed: closed.event,
        }
      : undefined,
    async compare(overrides, signal, onProgress, tree) {
      if (tree !== undefined && !hello.capabilities.includes('otherTrees'))
        throw new AppError('STUDIO_UNSUPPORTED', { missing: ['otherTrees'] });
      return await request(
        { type: 'compare', overrides, ...(tree === undefined ? {} : { tree }) },
        { signal: 'compared', budgetMs: BUDGET_MS.compare, phase: 'comparing', onProgress },
        signal,
      );
    },
    read(compareId, ids, signal) {
      return request(
        { type: 'read', compareId, ids },
        { signal: 'instances', budgetMs: BUDGET_MS.read, phase: 'reading from Studio' },
        signal,
      );
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

/** JSON has no infinities and no NaN; the plugin reads them as words. */
const inWords = (_: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
