/**
 * The answers that commands print as one line with `--json`; the other commands are in `line-answers.ts`. Documented in
 * docs/command-line.md, and checked by tests.
 */
import * as z from 'zod';
import { SyncResult } from '../../protocol/sync-result.ts';
import { UploadDone } from '../../protocol/upload-answer.ts';
import type { CommandName } from './command-table.ts';

const Problem = z.strictObject({
  file: z.string().describe('relative to the folder of the project'),
  line: z.number(),
  column: z.number(),
  severity: z.enum(['error', 'warning']),
  message: z.string(),
});
const Problems = z.array(Problem).describe('problems of the project files');
const Note = z.strictObject({ path: z.string(), reason: z.string() });
const done = { ok: z.literal(true) };

/** The answer of every command that fails. */
export const FailedAnswer = z.strictObject({
  ok: z.literal(false),
  error: z.strictObject({
    code: z.string().describe('see errors.md'),
    message: z.string(),
    hint: z.string().describe('the next step'),
  }),
  problems: Problems,
});

export const commandAnswers: Readonly<
  Record<Exclude<CommandName, 'mcp' | 'headless' | 'test' | 'pluto'>, z.ZodObject>
> = {
  init: z.strictObject({
    ...done,
    kind: z.enum(['place', 'model', 'plugin', 'library']),
    folder: z.string().describe('absolute'),
    created: z.array(z.string()).describe('relative to the folder'),
    kept: z.array(z.string()).describe('files that existed'),
    git: z.enum(['created', 'existing', 'skipped', 'failed']),
  }),
  build: z.strictObject({
    ...done,
    output: z.string().describe('absolute path of the file'),
    instances: z.number(),
    bytes: z.number(),
    warnings: z.array(z.string()).describe('one sentence for each omission'),
    problems: Problems,
  }),
  syncback: z.strictObject({
    ok: z.boolean().describe('whether all of the place was written'),
    dryRun: z.boolean(),
    writing: z.array(z.string()).describe('relative to the folder of the project'),
    removing: z.array(z.string()),
    refused: z.array(Note).describe('contents that cannot be written to files'),
    notes: z.array(Note).describe('files that are not changed'),
  }),
  sourcemap: z.strictObject({
    ...done,
    output: z.string().describe('absolute path of the file; without --output, the line is the sourcemap'),
    bytes: z.number(),
    problems: Problems,
  }),
  'fmt-project': z.strictObject({
    ok: z.boolean().describe('false with --check if the file is not formatted'),
    file: z.string().describe('absolute'),
    changed: z.boolean(),
  }),
  upload: UploadDone,
  sync: z.strictObject({
    ok: z.boolean(),
    ...SyncResult.shape,
    saved: z.string().optional().describe('the place file that was written'),
  }),
  restore: z.strictObject({
    ...done,
    runs: z
      .array(z.looseObject({ runId: z.string() }))
      .optional()
      .describe('without --run: the recorded syncs'),
    dryRun: z.boolean().optional(),
    restored: z.array(z.string()).optional().describe('with --run: the files'),
  }),
  serve: z.strictObject({
    studioUrl: z.string(),
    mcpUrl: z.string(),
    tokenFile: z.string(),
    sessionId: z.string().optional(),
    projectName: z.string().nullable().optional(),
    plugin: z.enum(['atlas', 'rojo']).optional(),
    dialect: z.enum(['atlas', 'rojo']).optional().describe('old name of plugin'),
    relaysTo: z.string().optional().describe('the program that runs the bridge already'),
  }),
  plugin: z.strictObject({
    ...done,
    changed: z.array(z.string()).describe('files that were written or removed, absolute'),
    current: z.array(z.string()).describe('files that were up to date'),
  }),
  doc: z.strictObject({ ...done, page: z.string().describe('absolute path') }),
  completions: z.strictObject({ ...done, shell: z.string(), script: z.string() }),
  man: z.strictObject({ ...done, page: z.string().describe('text for man') }),
};
