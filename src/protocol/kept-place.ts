import * as z from 'zod';

/** An entry of `KeptPlaces`, as stored. */
export const StoredKeptPlace = z.object({
  /** The absolute path of the place file. */
  place: z.string(),
  /** The name of the file with its content, beside the entry. */
  copy: z.string().regex(/^[0-9a-f-]{36}\.rbx[lm]x?$/),
  /** UTC, in ISO 8601. */
  keptAt: z.string(),
});
