import * as z from 'zod';

/** A running bridge on this machine, as it announces itself to other programs of the same user. */
export const AnnouncedBridge = z.object({
  /** The process of the bridge. `processStart` and `instance` distinguish it from another process with the same id. */
  owner: z.object({
    pid: z.int().positive(),
    processStart: z.string().optional(),
    instance: z.string().optional(),
  }),
  /** The absolute path of the project folder, with links resolved. */
  folder: z.string().min(1),
  /** File name of the project file, if it is not the default one of the folder. */
  projectFile: z.string().optional(),
  mcpUrl: z.url(),
  /** Like `mcpUrl`, with the tools of all projects of the window. */
  projectsUrl: z.url().optional(),
  /** The token for `mcpUrl`, valid while the bridge runs. */
  token: z.string().min(1),
  /** ISO 8601, UTC. */
  startedAt: z.string(),
  /** The program that runs it. A bridge of a VS Code window replaces those of other programs. */
  program: z.enum(['vscode', 'serve', 'mcp', 'sync']).default('vscode'),
});
export type AnnouncedBridge = z.infer<typeof AnnouncedBridge>;
