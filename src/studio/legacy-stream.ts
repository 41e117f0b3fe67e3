import type { Event } from '../base/emitter.ts';
import { AppError } from '../base/errors.ts';
import { SerialQueue } from '../base/serial-queue.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Random } from '../ports/random.ts';
import type { Settings } from '../ports/settings.ts';
import type { StudioChannel } from '../ports/studio-channel.ts';
import { BUDGET_MS } from '../protocol/limits.ts';
import {
  type LegacyCommand,
  LegacyScriptResult,
  LegacySyncResult,
  type LegacyOverride,
} from '../protocol/studio/legacy-stream.ts';
import { OversizedMessage } from '../protocol/studio/read-items.ts';
import { tooLarge } from '../protocol/studio/read-message.ts';
import { RobloxLog } from '../protocol/studio/stream.ts';
import { onJsonFrame } from './json-frames.ts';
import { JsonSender } from './json-sender.ts';
import { logStudioOutput } from './studio-output.ts';

export interface LegacyStreamDeps {
  /** Fires when an unmodified plugin requests something over HTTP, and when it has its answer. */
  readonly onRequest: Event<void>;
  readonly clock: Clock;
  readonly random: Random;
  readonly settings: Settings;
  readonly log: Logger;
}

/** A script that the plugin sent. */
export interface LegacyScript {
  readonly requestId: string;
  readonly source: string;
  readonly studioHash: string;
  readonly className: string;
  readonly instancePath: string;
  readonly isDraft: boolean;
}

interface Waiter {
  readonly requestId: string;
  readonly phase: string;
  /** Starts the time limit again. */
  renew(): void;
  settle(outcome: { readonly reply: unknown } | { readonly error: Error }): void;
}

/** The part of a Zod schema that is used here. */
interface Schema<T> {
  safeParse(
    value: unknown,
  ): { readonly success: true; readonly data: T } | { readonly success: false; readonly error: Error };
}

/**
 * Sends commands to an unmodified plugin, one at a time and in order. The plugin reports no progress: its requests over HTTP, and the parts
 * of a large reply, are the only signs of life. It does not support cancellation, so a cancelled command continues in Studio.
 */
export class LegacyStream {
  readonly #sender: JsonSender;
  readonly #deps: LegacyStreamDeps;
  readonly #queue = new SerialQueue();
  #waiter: Waiter | undefined;
  #isOpen = true;

  constructor(channel: StudioChannel, deps: LegacyStreamDeps) {
    this.#sender = new JsonSender(channel, deps.clock);
    this.#deps = deps;
    const renew = (): void => this.#waiter?.renew();
    onJsonFrame(channel, deps.clock, passThrough, frame => this.#receive(frame), renew);
    const requests = deps.onRequest(renew);
    channel.onClosed(() => {
      requests[Symbol.dispose]();
      this.#isOpen = false;
      this.#waiter?.settle({ error: new AppError('STUDIO_DISCONNECTED', { phase: this.#waiter.phase }) });
    });
  }

  isOpen(): boolean {
    return this.#isOpen;
  }

  sync(
    mode: 'dryrun' | 'fastfail',
    overrides: readonly LegacyOverride[],
    phase: string,
    signal: AbortSignal,
    /** Instances of the project: comparing more takes longer. */
    instanceCount: number,
  ): Promise<LegacySyncResult> {
    const command = { type: 'sync', requestId: this.#deps.random.uuid(), mode, overrides } as const;
    const budgetMs = BUDGET_MS.compare + BUDGET_MS.comparePerInstance * instanceCount;
    return this.#request(command, LegacySyncResult, { phase, budgetMs, signal });
  }

  /** @throws AppError STUDIO_FAILED with the plugin's reason and the code derived from it */
  async getScript(id: string, fromDraft: boolean, signal: AbortSignal): Promise<LegacyScript> {
    const command = { type: 'getScript', requestId: this.#deps.random.uuid(), id, fromDraft } as const;
    const options = { phase: 'reading a script', budgetMs: BUDGET_MS.received + BUDGET_MS.read, signal };
    const reply = await this.#request(command, LegacyScriptResult, options);
    // A plugin that does not report `isDraft` sends the text of the editor as requested.
    const { status, message = '', source, studioHash, className, instancePath, isDraft = fromDraft } = reply;
    if (
      status !== 'success' ||
      source === undefined ||
      studioHash === undefined ||
      className === undefined ||
      instancePath === undefined
    )
      throw new AppError('STUDIO_FAILED', { reason: message || status, ...codeOfMessage(message) });
    return { requestId: reply.requestId, source, studioHash, className, instancePath, isDraft };
  }

  #request<T>(
    command: LegacyCommand,
    schema: Schema<T>,
    options: { readonly phase: string; readonly budgetMs: number; readonly signal: AbortSignal },
  ): Promise<T> {
    return this.#queue.run(options.signal, async () => {
      const parsed = schema.safeParse(await this.#exchange(command, options));
      if (parsed.success) return parsed.data;
      this.#deps.log.warn('invalid reply of the plugin', { problem: parsed.error.message });
      throw new AppError('STUDIO_FAILED', {
        reason: 'the plugin sent a reply that Atlas Bridge does not support',
      });
    });
  }

  #exchange(
    command: LegacyCommand,
    { phase, budgetMs, signal }: { readonly phase: string; readonly budgetMs: number; readonly signal: AbortSignal },
  ): Promise<unknown> {
    if (!this.#isOpen) throw new AppError('STUDIO_DISCONNECTED', { phase });
    if (signal.aborted) throw new AppError('CANCELLED', { phase });
    const { clock, settings } = this.#deps;
    const scaled = budgetMs * settings.timeoutMultiplier();
    return new Promise((resolve, reject) => {
      const onAbort = (): void => waiter.settle({ error: new AppError('CANCELLED', { phase }) });
      let cancelTimer = (): void => {};
      const giveUp = (): void => {
        const named = command.type === 'sync' ? 'the result of the sync' : 'the script';
        const isRead = command.type === 'getScript' || command.mode === 'dryrun';
        const details = { signal: named, budgetMs: scaled };
        waiter.settle({ error: new AppError(isRead ? 'STUDIO_BUSY' : 'STUDIO_NOT_RESPONDING', details) });
      };
      const waiter: Waiter = {
        requestId: command.requestId,
        phase,
        renew() {
          cancelTimer();
          cancelTimer = clock.after(scaled, giveUp);
        },
        settle: outcome => {
          cancelTimer();
          signal.removeEventListener('abort', onAbort);
          if (this.#waiter !== waiter) return;
          this.#waiter = undefined;
          if ('reply' in outcome) resolve(outcome.reply);
          else reject(outcome.error);
        },
      };
      this.#waiter = waiter;
      waiter.renew();
      signal.addEventListener('abort', onAbort, { once: true });
      this.#sender.send(command).catch((error: Error) => waiter.settle({ error }));
    });
  }

  #receive(frame: unknown): void {
    const { log } = this.#deps;
    const line = RobloxLog.safeParse(frame);
    if (line.success) return logStudioOutput(line.data, log);
    if (frame instanceof OversizedMessage) {
      const error = new AppError('STUDIO_FAILED', { reason: tooLarge(frame), code: 'too_large' });
      return this.#waiter?.settle({ error });
    }
    const requestId: unknown =
      typeof frame === 'object' && frame !== null && 'requestId' in frame ? frame.requestId : '';
    if (this.#waiter !== undefined && this.#waiter.requestId === requestId) this.#waiter.settle({ reply: frame });
    else log.debug('late reply from Studio dropped', { requestId: String(requestId) });
  }
}

// oxlint-disable-next-line require-yield -- each reply is validated by the command that waits for it
function* passThrough(frame: unknown) {
  return frame;
}

/** Derives an error code from the message of the plugin, which sends no codes. */
function codeOfMessage(message: string): { readonly code: string; readonly className?: string } {
  if (/not a (?:lua ?source|script)|is a .*not a script/i.test(message)) {
    const className = /\((\w+)\)/.exec(message)?.[1];
    return { code: 'not_a_script', ...(className !== undefined && { className }) };
  }
  if (/deleted/i.test(message)) return { code: 'deleted' };
  if (/stale|not found/i.test(message)) return { code: 'stale_id' };
  return { code: /dryrun|no (?:earlier|previous|prior)|first/i.test(message) ? 'no_comparison' : 'engine' };
}
