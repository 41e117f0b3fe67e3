import * as z from 'zod';

const Problem = z.object({
  file: z.string(),
  line: z.number(),
  column: z.number(),
  severity: z.enum(['error', 'warning']),
  message: z.string(),
});

/** The line that `atlas-bridge build` and `atlas-bridge sourcemap` print with `--json`. */
export const CommandAnswer = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    /** The absolute path of the written file. */
    output: z.string(),
    bytes: z.number(),
    instances: z.number().optional(),
    /** One sentence for each omission. */
    warnings: z.array(z.string()).default([]),
    problems: z.array(Problem),
  }),
  z.object({
    ok: z.literal(false),
    error: z.object({ code: z.string(), message: z.string(), hint: z.string() }),
    problems: z.array(Problem),
  }),
]);
export type CommandAnswer = z.infer<typeof CommandAnswer>;
