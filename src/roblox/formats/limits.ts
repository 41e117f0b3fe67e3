import type { DecodeLimits } from '../../base/decode/decode-budget.ts';
import { MAX_DEPTH } from '../../protocol/limits.ts';

/** Maximum nesting of instances. Deeper model files are refused, so that code that walks a model does not overflow the stack. */
export const MAX_INSTANCE_DEPTH = 512;

/** Limits of a data, project or meta file: two million values take about 300 MB. */
export const TEXT_FILE_LIMITS: DecodeLimits = { bytes: 64 * 1024 * 1024, depth: MAX_DEPTH, elements: 2_000_000 };

/** Limits of a place or model file; the values of all properties are counted. */
export const MODEL_FILE_LIMITS: DecodeLimits = {
  bytes: 1024 * 1024 * 1024,
  depth: MAX_INSTANCE_DEPTH,
  elements: 24_000_000,
};
/** The memory of an instance, in values. */
export const VALUES_PER_INSTANCE = 12;
