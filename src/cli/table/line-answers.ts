/** The answers that `headless`, `test` and `pluto` print with `--json`. Documented in docs/command-line.md, and checked by tests. */
import * as z from 'zod';
import { HeadlessEvent } from '../../protocol/headless.ts';
import { GameTestEvent } from '../../protocol/game-tests.ts';

/** Commands that print several lines, by the kinds of their lines. */
export const lineAnswers: Readonly<
  Record<'headless' | 'test', z.ZodType & { readonly options: readonly z.ZodObject[] }>
> = { headless: HeadlessEvent, test: GameTestEvent };

const Finding = z.strictObject({
  severity: z.enum(['error', 'warning']),
  code: z.string(),
  message: z.string(),
  file: z.string().describe('relative to the current folder'),
  line: z.number(),
  column: z.number(),
  span: z.strictObject({ start: z.number(), end: z.number() }).describe('UTF-8 bytes'),
});
const diagnostics = z.array(Finding).describe('findings').optional();
const success = z.boolean();
const PlutoError = z.looseObject({ code: z.string(), message: z.string(), hint: z.string() });
const failed = z.array(z.strictObject({ path: z.string(), error: PlutoError }));

/** The answers of `pluto`, by its own command. `run` prints the output of the program instead. */
export const plutoAnswers = {
  check: z.strictObject({ success, diagnostics }),
  test: z.strictObject({
    success,
    passed: z.number(),
    failed: z.number(),
    results: z.array(
      z.looseObject({
        name: z.string(),
        passed: z.boolean(),
        stack: z.array(z.strictObject({ file: z.string(), line: z.number() })).optional(),
      }),
    ),
    summary: z.string().optional(),
    error: PlutoError.optional().describe('the limit that stopped the tests'),
    diagnostics,
  }),
  compile: z.strictObject({ success, output_path: z.string().optional().describe('absolute'), diagnostics }),
  analyze: z.strictObject({
    success,
    stats: z.strictObject({ functions_analyzed: z.number(), error_sets_computed: z.number() }),
    diagnostics,
  }),
  'generate-pt': z.strictObject({
    success,
    generated: z.array(z.strictObject({ pluto_path: z.string(), pt_path: z.string() })).optional(),
    failed: failed.optional(),
    source: z.string().optional().describe('with -o -'),
    output: z.string().optional().describe('with -o <file>: absolute path'),
  }),
  sync: z.strictObject({
    success,
    status: z.enum(['synced', 'already', 'unresolved']),
    synced: z.string().describe('the module'),
    changes: z.array(
      z.strictObject({
        id: z.string(),
        kind: z.string(),
        name: z.string(),
        change: z.string(),
        take: z.enum(['pt', 'pluto']).nullable(),
        why: z.string(),
      }),
    ),
  }),
  migrate: z.strictObject({ success, migrated: z.array(z.string()), failed }),
  'emit-ast': z.strictObject({ success, output: z.string().describe('absolute'), bytes: z.number() }),
  fmt: z.strictObject({
    success,
    source: z.string().optional().describe('without --write'),
    path: z.string().optional(),
    changed: z.boolean().optional(),
  }),
} as const satisfies Readonly<Record<string, z.ZodObject>>;

/** The answer of every `pluto` command that fails. */
export const PlutoFailedAnswer = z.strictObject({
  success: z.literal(false),
  error: z.strictObject({
    code: z.string().describe('see errors.md'),
    message: z.string(),
    hint: z.string(),
    details: z.looseObject({}),
  }),
  diagnostics: z.array(Finding),
});
