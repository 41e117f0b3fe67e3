import { getHeapStatistics, setFlagsFromString } from 'node:v8';

/**
 * Memory of a thread above its limit. When a thread reaches the end of its memory by one large block, V8 prints a trace and ends the whole
 * process, so the thread is stopped when half of this is used. The largest block that a program can get at once is a string of 512 MB.
 */
const SPARE_MEGABYTES = 1536;
/** The memory of a thread cannot grow by much in this time. */
const CHECK_MS = 25;

/** The heap limit of this process, in megabytes. */
export const heapMegabytes = (): number => Math.floor(getHeapStatistics().heap_size_limit / 2 ** 20);

/**
 * The `maxOldGenerationSizeMb` of a thread that `watchMemory` stops. Where Node was started with `--max-old-space-size`, that would limit
 * new threads too, so the flag is changed for them. VS Code's Electron forbids changes of flags.
 */
export function threadMegabytes(megabytes: number): number {
  const most = megabytes + SPARE_MEGABYTES;
  if (process.versions['electron'] === undefined) setFlagsFromString(`--max-old-space-size=${most}`);
  return most;
}

/**
 * Calls `onExceeded` once when this process has taken more memory than the limit of its thread, and half of the spare memory.
 * @returns a function that ends this
 */
export function watchMemory(megabytes: number, onExceeded: () => void): () => void {
  const most = process.memoryUsage.rss() + (megabytes + SPARE_MEGABYTES / 2) * 2 ** 20;
  const timer = setInterval(() => {
    if (process.memoryUsage.rss() <= most) return;
    clearInterval(timer);
    onExceeded();
  }, CHECK_MS);
  return () => clearInterval(timer);
}
