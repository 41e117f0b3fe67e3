import * as z from 'zod';

/** The line that `atlas-bridge upload` prints with `--json` when it succeeds. */
export const UploadDone = z.strictObject({
  ok: z.literal(true),
  dryRun: z.boolean(),
  assetId: z.string(),
  universeId: z.string().nullable(),
  bytes: z.number(),
  versionType: z.enum(['saved', 'published']).optional(),
  versionNumber: z.number().nullable().optional(),
});

export const UploadAnswer = z.discriminatedUnion('ok', [
  UploadDone,
  z.object({
    ok: z.literal(false),
    error: z.object({ code: z.string(), message: z.string(), hint: z.string() }),
  }),
]);
export type UploadAnswer = z.infer<typeof UploadAnswer>;
