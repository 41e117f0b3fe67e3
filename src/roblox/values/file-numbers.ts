import { shortenFloat32 } from '../encoding/float32.ts';

/** A number of a project file; infinities and NaN, which JSON does not have, are text. */
export const toFileNumber = (value: number): number | string => (Number.isFinite(value) ? value : String(value));

/** A payload with its floats shortened to the fewest digits that read back as the same 32-bit floats. */
export function shortenFloats(payload: unknown): unknown {
  if (typeof payload === 'number') return toFileNumber(shortenFloat32(payload));
  if (Array.isArray(payload)) return payload.map(shortenFloats);
  if (typeof payload !== 'object' || payload === null) return payload;
  return Object.fromEntries(Object.entries(payload).map(([key, value]) => [key, shortenFloats(value)]));
}
