import type { AppError } from '../base/errors.ts';
import type { LiveState } from '../studio/live/live-control.ts';
import type { Delivered } from '../studio/delivery/plugin-delivery.ts';
import type { ActionOutcome } from '../protocol/acknowledgement.ts';
import type { CommandAnswer } from '../protocol/command-answer.ts';
import type { SyncbackAnswer } from '../protocol/syncback-answer.ts';

/** What a command that acts answers: how it ended in the same word that tools use, beside what it did. */
export type WithOutcome<T = object> = T & { readonly outcome: ActionOutcome };

/** A command that did nothing of what it was asked for, and why. */
export type CommandRefused = WithOutcome<{
  readonly error?: { readonly code: string; readonly message: string; readonly hint: string };
}>;

export const failedWith = ({ code, message, hint }: AppError): CommandRefused => ({
  outcome: 'failed',
  error: { code, message, hint },
});

/** A file is written whole or not at all, so what was cancelled changed nothing. */
export const buildOutcome = (answer: CommandAnswer): ActionOutcome =>
  answer.ok ? 'done' : answer.error.code === 'CANCELLED' ? 'refused' : 'failed';

export function syncbackOutcome(answer: SyncbackAnswer): ActionOutcome {
  if ('error' in answer) return answer.error.code === 'CANCELLED' ? 'refused' : 'failed';
  if (!answer.ok) return 'failed';
  return answer.written + answer.removed === 0 ? 'already' : 'done';
}

export const deliveryOutcome = ({ changed }: Delivered): ActionOutcome => (changed.length === 0 ? 'already' : 'done');

/** Of starting live sync. `waiting` is `accepted`: it begins as soon as there is a Studio. */
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
