import type { DecodeLimits } from '../../base/decode/decode-budget.ts';
import { MAX_DEPTH } from '../../protocol/limits.ts';

/** Levels of instances; deeper model files are refused, so that code that walks a model does not overflow the stack. */
export const MAX_INSTANCE_DEPTH = 512;

/** What a data, project or meta file may ask of its reader: two million values take about 300 MB. */
export const TEXT_FILE_LIMITS: DecodeLimits = { bytes: 64 * 1024 * 1024, depth: MAX_DEPTH, elements: 2_000_000 };

/** What a place or model file may ask of its reader: the values of all properties. */
export const MODEL_FILE_LIMITS: DecodeLimits = {
  bytes: 1024 * 1024 * 1024,
  depth: MAX_INSTANCE_DEPTH,
  elements: 24_000_000,
};
/** An instance takes as much memory as so many values. */
export const VALUES_PER_INSTANCE = 12;
