import * as z from 'zod';

const Key = z.object({ id: z.string().regex(/^[0-9a-f]{16}$/), secret: z.string().regex(/^[0-9a-f]{64}$/) });

/** The file with the keys of Studio plugins. */
export const StoredStudioKeys = z.object({
  version: z.literal(1),
  machine: z.string().regex(/^[0-9a-f]{16}$/),
  installed: Key,
  paired: z.array(Key),
});

/** The keys file of another version of Atlas Bridge. */
export const OtherStudioKeys = z.object({ version: z.number().refine(version => version !== 1) });
