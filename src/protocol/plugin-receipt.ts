import * as z from 'zod';

/** What was installed of the Studio plugin, so that an update or a removal touches exactly that. */
export const PluginReceipt = z.object({
  /** Version of the program that it came with. */
  version: z.string(),
  /** Absolute paths. */
  files: z.array(z.object({ path: z.string(), sha256: z.string() })),
});
export type PluginReceipt = z.infer<typeof PluginReceipt>;
