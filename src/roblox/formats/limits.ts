/** Levels of instances; deeper model files are refused, so that code that walks a model does not overflow the stack. */
export const MAX_INSTANCE_DEPTH = 512;
