import { PerformanceObserver } from 'node:perf_hooks';

/** The garbage collections of this thread. V8 takes no samples of a profile during one. */
export interface Collections {
  /**
   * Milliseconds of garbage collection between two times of `performance.now()`: an upper bound of its CPU time, because a collection may wait
   * for other programs. The last collection may be missing.
   */
  between(from: number, to: number): number;
  end(): void;
}

/** Records the garbage collections of this thread until it is ended. */
export function watchCollections(): Collections {
  const pauses: { readonly from: number; readonly to: number }[] = [];
  const observer = new PerformanceObserver(list => {
    for (const { startTime, duration } of list.getEntries()) pauses.push({ from: startTime, to: startTime + duration });
  });
  observer.observe({ entryTypes: ['gc'] });
  return {
    between: (from, to) =>
      pauses
        .map(pause => Math.min(pause.to, to) - Math.max(pause.from, from))
        .reduce((sum, ms) => sum + Math.max(0, ms), 0),
    end: () => observer.disconnect(),
  };
}
