import * as z from 'zod';
import { asLines, quoteName } from '../../mcp/answer-text.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import { Generations } from '../../protocol/acknowledgement.ts';
import { InstanceId, StudioHandle } from '../../protocol/sync-request.ts';
import type { SyncToolDeps } from './sync-tool-deps.ts';

export const getScript = defineTool({
  name: 'get_script',
  title: 'Read a script from Roblox Studio',
  description: `Reads the current text of one script in Roblox Studio, with the hash to pass in a later override.

id and fsPath come from the changes of an earlier atlas_sync answer. An fsPath of the project also works without such an answer, except with an old Studio plugin: then call atlas_sync {"mode": "dryrun"} first. isDraft reports whether fromDraft found an open editor.

A long script can be read in parts (startLine, maxLines); lines has the returned range and the total. running is a sync in progress that may change the script (without phase: elsewhere). studioHash is always that of the whole text; if it differs between two parts, start again.

To resolve a conflict without get_merge:
1. atlas_sync {"mode": "fastfail"}: the changes with their ids and studioHash; fails if any is undecided.
2. get_script {"id": …}: Studio's text of a conflicting script.
3. Merge it with the file at fsPath and save the file.
4. atlas_sync {"overrides": [{"id": …, "direction": "push", "studioHash": …from this answer…}]}.

studioHash is the SHA-1 of the git blob of the text in the answer. Pass the hash of the saved Source in an override, so that the sync fails if the script has changed since; overrides do not check drafts.`,
  toolset: 'sync',
  effect: 'read',
  input: z
    .strictObject({
      id: InstanceId.optional().describe('The id of a change from an atlas_sync answer. Takes precedence over fsPath.'),
      fsPath: z.string().min(1).optional().describe('The fsPath of a change: relative to the project folder.'),
      fromDraft: z.boolean().default(false).describe('Read the unsaved text of the open editor, if there is one.'),
      studio: StudioHandle.optional(),
      startLine: z.int().min(1).optional().describe('The first line to return, counted from 1.'),
      maxLines: z.int().min(1).optional().describe('The maximum number of lines to return.'),
    })
    .refine(args => args.id !== undefined || args.fsPath !== undefined, 'requires id or fsPath'),
  output: z.object({
    status: z.literal('success'),
    summary: z.string(),
    source: z.string(),
    studioHash: z.string(),
    className: z.string(),
    instancePath: z.string(),
    id: z.string(),
    fsPath: z.string().nullable(),
    isDraft: z.boolean(),
    at: Generations,
    running: z.object({ runId: z.string(), phase: z.string().optional() }).optional(),
    lines: z.object({ first: z.number(), last: z.number(), total: z.number() }).optional(),
  }),
  async run(deps: SyncToolDeps, args, call) {
    const { startLine, maxLines, ...request } = args;
    const whole = await deps.engine.readScript(request, call.signal);
    const running = await findRunningSync(deps);
    const isPart = startLine !== undefined || maxLines !== undefined;
    const script = isPart ? { ...whole, ...partOf(whole.source, startLine ?? 1, maxLines) } : whole;
    const summary = `Script source for ${quoteName(script.instancePath)} (${quoteName(script.className)})`;
    return {
      status: 'success' as const,
      summary: script.isDraft ? `${summary}, text of the editor` : summary,
      ...script,
      ...(running === undefined ? {} : { running }),
    };
  },
  formatText: ({ summary, studioHash, lines, running }) =>
    asLines(
      `${summary}${lines === undefined ? '' : `, lines ${lines.first} to ${lines.last} of ${lines.total}`}:`,
      `Hash: ${studioHash}`,
      ...(running === undefined
        ? []
        : [`A sync is running (${running.phase ?? elsewhere}, runId ${running.runId}), so the script may change.`]),
    ),
});

const elsewhere = 'in another project, window or program';

/** The sync in progress that may change scripts, in any window or program. */
async function findRunningSync({
  engine,
}: SyncToolDeps): Promise<{ readonly runId: string; readonly phase?: string } | undefined> {
  const current = engine.current();
  if (current?.isDryRun === false) return { runId: current.runId, phase: current.phase() };
  const runId = await engine.runElsewhere();
  return runId === undefined ? undefined : { runId };
}

/**
 * Returns whole lines with their ends, so that the parts of a text add up to it. A part after the end is empty: `last` is before `first`.
 */
function partOf(text: string, first: number, maxLines: number | undefined) {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const part = lines.slice(first - 1, maxLines === undefined ? undefined : first - 1 + maxLines);
  return { source: part.join(''), lines: { first, last: first - 1 + part.length, total: lines.length } };
}
