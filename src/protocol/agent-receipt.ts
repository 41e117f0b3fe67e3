import * as z from 'zod';

/** What was written for agents, so that it can be taken back exactly. */
export const AgentReceipt = z.object({
  entries: z.array(
    z.object({
      client: z.string(),
      /** Absolute. */
      file: z.string(),
      /** There was no such file before. */
      created: z.boolean(),
    }),
  ),
});
export type AgentReceipt = z.infer<typeof AgentReceipt>;
