import * as z from 'zod';

/** The agent configuration entries that were written, so that they can be removed exactly. */
export const AgentReceipt = z.object({
  entries: z.array(
    z.object({
      client: z.string(),
      /** Absolute. */
      file: z.string(),
      /** Whether the file did not exist before. */
      created: z.boolean(),
    }),
  ),
});
export type AgentReceipt = z.infer<typeof AgentReceipt>;
