import { err, ok, type Result } from '../base/result.ts';

export const placeIdUsage = `  --place-id <number>       What game.PlaceId is, which no file says; for a project that lists servePlaceIds or blockedPlaceIds.`;

/** Reads the value of `--place-id`; `undefined` where it was not given. */
export function readPlaceId(text: string | undefined): Result<number | undefined, string> {
  if (text === undefined) return ok(undefined);
  const id = Number(text);
  if (!/^\d+$/.test(text) || id < 1 || !Number.isSafeInteger(id))
    return err(`${text} is no place id; it is a whole number`);
  return ok(id);
}
