import * as z from 'zod';

/** The installed files of the Studio plugin, so that an update or removal changes only them. */
export const PluginReceipt = z.object({
  /** The version of Atlas Bridge that installed the plugin. */
  version: z.string(),
  /** The key in the installed files; missing if an older version installed them. */
  keyId: z.string().optional(),
  /** Absolute paths. */
  files: z.array(z.object({ path: z.string(), sha256: z.string() })),
});
export type PluginReceipt = z.infer<typeof PluginReceipt>;
