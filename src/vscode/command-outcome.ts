import type { AppError } from '../base/errors.ts';
import type { LiveState } from '../studio/live/live-control.ts';
import type { DeliveryResult } from '../studio/delivery/plugin-delivery.ts';
import type { ActionOutcome } from '../protocol/acknowledgement.ts';
import type { CommandAnswer } from '../protocol/command-answer.ts';
import type { SyncbackAnswer } from '../protocol/syncback-answer.ts';

/** The result of a command, with the same `outcome` values that tools use. */
export type WithOutcome<T = object> = T & { readonly outcome: ActionOutcome };

/** The result of a command that did nothing, with the reason. */
export type CommandRefused = WithOutcome<{
  readonly error?: { readonly code: string; readonly message: string; readonly hint: string };
}>;

/** The result of a command that failed with `error`. */
export const failedWith = ({ code, message, hint }: AppError): CommandRefused => ({
  outcome: 'failed',
  error: { code, message, hint },
});

/** Builds are written atomically, so a cancelled build changed nothing. */
export const buildOutcome = (answer: CommandAnswer): ActionOutcome =>
  answer.ok ? 'done' : answer.error.code === 'CANCELLED' ? 'refused' : 'failed';

export function syncbackOutcome(answer: SyncbackAnswer): ActionOutcome {
  if ('error' in answer) return answer.error.code === 'CANCELLED' ? 'refused' : 'failed';
  if (!answer.ok) return 'failed';
  return answer.written + answer.removed === 0 ? 'already' : 'done';
}

export const deliveryOutcome = ({ changed }: DeliveryResult): ActionOutcome =>
  changed.length === 0 ? 'already' : 'done';

/** The outcome of starting Live Sync. `waiting` is `accepted`: it begins when Studio connects. */
export function liveOutcome({ kind }: LiveState): ActionOutcome {
  switch (kind) {
    case 'on':
      return 'done';
    case 'starting':
    case 'waiting':
      return 'accepted';
    case 'off':
    case 'unsupported':
      return 'refused';
    case 'failed':
      return 'failed';
  }
}
