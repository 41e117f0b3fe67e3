import type { RunLock } from '../../src/ports/run-lock.ts';

/** A run lock within one process. */
export function memoryRunLock(): RunLock {
  let held: string | undefined;
  return {
    holder: async () => held,
    async take(runId) {
      if (held !== undefined) return { holder: held };
      held = runId;
      return {
        holder: undefined,
        async release() {
          if (held === runId) held = undefined;
        },
      };
    },
  };
}
