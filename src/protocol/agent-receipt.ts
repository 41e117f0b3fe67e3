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
      /** The folder of an entry in a file that has one for each folder. */
      folder: z.string().optional(),
    }),
  ),
});
export type AgentReceipt = z.infer<typeof AgentReceipt>;
