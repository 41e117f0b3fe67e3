import { plural } from '../../base/plural.ts';
import * as z from 'zod';
import { defineTool } from '../../mcp/define-tool.ts';
import { Generations } from '../../protocol/acknowledgement.ts';
import { InstanceId, StudioHandle } from '../../protocol/sync.ts';
import type { ScriptMerge } from '../sync-engine.ts';
import type { SyncToolDeps } from './sync-tool-deps.ts';

const sides = { base: z.string(), disk: z.string(), studio: z.string() };

export const getMerge = defineTool({
  name: 'get_merge',
  title: 'Merge both sides of a script',
  description: `Merges a script that changed on disk and in Studio since their last common version. Changes nothing.

status is one of:
- "merged": text is the merged script. Apply it: atlas_sync {"overrides": [{"id": …, "direction": "merge", "studioHash": …, "diskHash": …}]}, with the hashes of this answer.
- "conflicts": both sides changed the same lines. text has markers, and conflicts has the lines of base, disk and studio. Resolve every conflict, and send the whole script as text of such an override.
- "not_compiling": text is merged, but Luau reports problem. Correct it, and send it as text.
- "no_base": no common version is known. Read Studio's text with get_script and merge it with the file.`,
  toolset: 'sync',
  effect: 'read',
  input: z
    .strictObject({
      id: InstanceId.optional().describe('The id of a change from an atlas_sync answer. Takes precedence over fsPath.'),
      fsPath: z.string().min(1).optional().describe('The fsPath of a change: relative to the project folder.'),
      studio: StudioHandle.optional(),
    })
    .refine(args => args.id !== undefined || args.fsPath !== undefined, 'requires id or fsPath'),
  output: z.object({
    status: z.enum(['merged', 'conflicts', 'not_compiling', 'no_base']),
    summary: z.string(),
    text: z.string().optional(),
    conflicts: z.array(z.object({ line: z.number(), ...sides })).optional(),
    problem: z.string().optional(),
    studioHash: z.string(),
    diskHash: z.string(),
    className: z.string(),
    instancePath: z.string(),
    id: z.string(),
    fsPath: z.string().nullable(),
    at: Generations,
  }),
  async run(deps: SyncToolDeps, args, call) {
    const { merge, ...script } = await deps.engine.readMerge(args, call.signal);
    return { ...script, ...answer(script.instancePath, merge) };
  },
  inWords: ({ summary, studioHash, diskHash }) => `${summary}\nstudioHash: ${studioHash}\ndiskHash: ${diskHash}`,
});

function answer(path: string, merge: ScriptMerge['merge']) {
  if (merge === undefined)
    return { status: 'no_base' as const, summary: `No common version of ${path} is known, so it cannot be merged.` };
  const { text, conflicts, problem } = merge;
  if (conflicts.length > 0) {
    const count = plural(conflicts.length, '1 conflict', `${conflicts.length} conflicts`);
    return { status: 'conflicts' as const, summary: `Merged ${path} with ${count}.`, text, conflicts: [...conflicts] };
  }
  if (problem !== undefined)
    return {
      status: 'not_compiling' as const,
      summary: `The merge of ${path} does not compile: ${problem}.`,
      text,
      problem,
    };
  return { status: 'merged' as const, summary: `Merged ${path} without conflicts.`, text };
}
