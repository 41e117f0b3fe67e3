/** Instances inside instances; deeper model files are refused, so that nobody who walks a model runs out of stack. */
export const MAX_INSTANCE_DEPTH = 512;
