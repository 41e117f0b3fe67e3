import * as z from 'zod';

/** A bridge that runs on this machine, as it says itself to the other programs of the same user. */
export const AnnouncedBridge = z.object({
  /** The process that serves it; `bootedAt` in seconds since the epoch tells its id from the same after a restart of the machine. */
  owner: z.object({ pid: z.int().positive(), bootedAt: z.number() }),
  /** The project folder, absolute, links followed. */
  folder: z.string().min(1),
  mcpUrl: z.url(),
  /** Good at that address as long as the bridge runs. */
  token: z.string().min(1),
  /** ISO 8601, UTC. */
  startedAt: z.string(),
});
export type AnnouncedBridge = z.infer<typeof AnnouncedBridge>;
