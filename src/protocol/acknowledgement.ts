import * as z from 'zod';

/**
 * The outcome of an action. `done`: verified. `already`: the requested state existed, so nothing was sent. `accepted`: in progress.
 * `waiting_for_user`: a person has to decide. `refused`: not started, nothing changed. `failed`: started, but not completed.
 * `unknown`: sent, but not confirmed in time, so it may still happen. `unknown` and `failed` must not be confused.
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

/** The evidence for an outcome. */
export const Evidence = z.object({
  /** The received signal, such as `studio.compared`, `sides.verified`, `person.rejected`, `git.answered`. */
  kind: z.string(),
  /** `verified`: the result was read back. `reply`: the answer to this request. `observed`: an event of the expected kind. */
  strength: z.enum(['verified', 'reply', 'observed']),
  /** Number of instances that Studio has confirmed as changed. */
  instances: z.number().optional(),
  /** Number of changes whose files were written and verified. */
  files: z.number().optional(),
});
export type Evidence = z.infer<typeof Evidence>;

/** The states that an answer describes. Each number only increases; the answer says nothing about other states. */
export const Generations = z.object({
  /** Revision of the project's tree. */
  workspaceGen: z.number(),
  /** The number of the Studio connection, counted from 1 by this bridge; 0: Studio was not involved. */
  connectionEpoch: z.number(),
});
export type Generations = z.infer<typeof Generations>;

/** The part that the answers of all acting tools share. */
export const Acknowledgement = z.object({
  outcome: ActionOutcome,
  evidence: Evidence.optional(),
  at: Generations.optional(),
  elapsedMs: z.number(),
});
export type Acknowledgement = z.infer<typeof Acknowledgement>;
