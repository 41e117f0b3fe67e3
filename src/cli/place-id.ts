import { err, ok, type Result } from '../base/result.ts';

/** Reads the value of `--place-id`; `undefined` without the option. */
export function readPlaceId(text: string | undefined): Result<number | undefined, string> {
  if (text === undefined) return ok(undefined);
  const id = Number(text);
  if (!/^\d+$/.test(text) || id < 1 || !Number.isSafeInteger(id))
    return err(`invalid place id '${text}' (a positive integer)`);
  return ok(id);
}
