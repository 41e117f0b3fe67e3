/** The line that `atlas-bridge pluto test --json` prints, as the Testing view reads it. Later versions may add fields. */
import * as z from 'zod';

const PlutoTestResult = z.object({
  name: z.string(),
  passed: z.boolean(),
  output: z.string().optional().describe('of a failed test: what it printed, and the reason'),
  stack: z
    .array(z.object({ file: z.string().describe('relative to the current folder'), line: z.number() }))
    .optional()
    .describe('of a failed test: where it failed, innermost first'),
});

const Finding = z.object({ severity: z.string(), message: z.string(), file: z.string(), line: z.number() });

export const PlutoTestAnswer = z.object({
  success: z.boolean(),
  results: z.array(PlutoTestResult).optional(),
  /** Of a module that has errors. */
  diagnostics: z.array(Finding).optional(),
  error: z.object({ message: z.string(), hint: z.string().optional() }).optional(),
});

export type PlutoTestAnswer = z.infer<typeof PlutoTestAnswer>;
export type PlutoTestResult = z.infer<typeof PlutoTestResult>;
