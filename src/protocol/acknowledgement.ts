import * as z from 'zod';

/**
 * How an action ended, in exactly one word. `done`: seen to have happened. `already`: it was so before, nothing was sent. `accepted`: it
 * goes on. `waiting_for_user`: a person is asked. `refused`: not begun, nothing changed. `failed`: begun, and not all of it happened.
 * `unknown`: sent, and no proof came in time, so it may still happen. `unknown` is never called `failed`, nor the other way round.
 */
export const ActionOutcome = z.enum([
  'done',
  'already',
  'accepted',
  'waiting_for_user',
  'refused',
  'failed',
  'unknown',
]);
export type ActionOutcome = z.infer<typeof ActionOutcome>;

/** What an outcome rests on. */
export const Evidence = z.object({
  /** The signal that came, as `studio.compared`, `sides.verified`, `person.rejected`, `git.answered`. */
  kind: z.string(),
  /** `verified`: read again at the source. `reply`: the answer to this very request. `observed`: an event of the right kind. */
  strength: z.enum(['verified', 'reply', 'observed', 'weak']),
  /** Instances that Studio is known to have changed. */
  instances: z.number().optional(),
  /** Changes whose files are known to be written. */
  files: z.number().optional(),
});
export type Evidence = z.infer<typeof Evidence>;

/** Which states an answer speaks of. Each number only grows; of another one the answer says nothing. */
export const Generations = z.object({
  /** Revision of the project's tree. */
  workspaceGen: z.number(),
  /** Which connection to Studio, counted from 1 by this bridge; 0: Studio had no part in it. */
  connectionEpoch: z.number(),
});
export type Generations = z.infer<typeof Generations>;

/** What the answer of everything that acts holds. */
export const Acknowledgement = z.object({
  outcome: ActionOutcome,
  evidence: Evidence.optional(),
  at: Generations.optional(),
  elapsedMs: z.number(),
});
export type Acknowledgement = z.infer<typeof Acknowledgement>;
