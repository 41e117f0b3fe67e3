import { readFileSync } from 'node:fs';

/** The durations of the turns of this process's event loop. */
export interface LongestTurn {
  /** CPU time of the thread, garbage collection on it included. It does not depend on other programs. */
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly megabytes: number;
}

/** CPU time of this thread in milliseconds. */
const cpuTime = (): number => Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ', 1)[0]) / 1e6;

/** Measures the turns of the event loop and the memory of this process. */
export function watchTurns(): { readonly end: () => LongestTurn } {
  let isOver = false;
  let [cpuMs, wallMs, bytes] = [0, 0, 0];
  let last = { now: performance.now(), cpu: cpuTime() };
  const tick = (): void => {
    const at = { now: performance.now(), cpu: cpuTime() };
    cpuMs = Math.max(cpuMs, at.cpu - last.cpu);
    wallMs = Math.max(wallMs, at.now - last.now);
    last = at;
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  const sampling = setInterval(() => (bytes = Math.max(bytes, process.memoryUsage.rss())), 20);
  return {
    end() {
      tick();
      isOver = true;
      clearInterval(sampling);
      return { cpuMs, wallMs, megabytes: bytes / 1024 / 1024 };
    },
  };
}
