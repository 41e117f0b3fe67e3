import { watchCollections } from '../collections.ts';
import { threadCpuTime } from '../cpu-time.ts';
import { median, type Row } from '../row.ts';

/** The longest turn of the event loop, in milliseconds. */
export interface Turn {
  /** CPU time of the thread, including garbage collection on it. */
  readonly cpuMs: number;
  /** Wall time, which includes waiting for other programs. */
  readonly wallMs: number;
  /** Upper bound of the garbage collection in `cpuMs`; the last collection may be missing. */
  readonly gcMs: number;
}

/** Longest allowed turn, see "Event loop" in docs/architecture.md. */
export const MAX_MS = 20;

/** Shorter turns are never the longest one without garbage collection. */
const MIN_KEPT_MS = 1;

export interface WatchedTurns {
  /**
   * Returns the longest turn, and the number of turns above the allowed time. `ownMs`: the longest CPU time of a turn without its garbage
   * collection, in milliseconds; a lower bound on a busy machine, where a collection also waits.
   */
  end(): { readonly longest: Turn; readonly tooLong: number; readonly ownMs: number };
}

const readClocks = () => ({
  now: performance.now(),
  cpu: threadCpuTime(),
  // Time in which the loop waits for events.
  idle: performance.eventLoopUtilization().idle,
});

/** Reads the clocks once in every turn of the event loop, without keeping the loop busy or the process alive. */
export function watchTurns(): WatchedTurns {
  let isOver = false;
  let [wallMs, tooLong] = [0, 0];
  let longest = { from: 0, to: 0, cpuMs: 0 };
  const turns: (typeof longest)[] = [];
  const collections = watchCollections();
  let last = readClocks();
  const tick = (): void => {
    const at = readClocks();
    const turn = at.cpu - last.cpu;
    const timed = { from: last.now, to: at.now, cpuMs: turn };
    if (turn > longest.cpuMs) longest = timed;
    if (turn > MIN_KEPT_MS) turns.push(timed);
    wallMs = Math.max(wallMs, at.now - last.now - (at.idle - last.idle));
    if (turn > MAX_MS) tooLong += 1;
    last = at;
    // The loop does not wait for events while it has another kind of immediate.
    if (!isOver) setImmediate(tick).unref();
  };
  setImmediate(tick).unref();
  return {
    end() {
      tick();
      isOver = true;
      collections.end();
      const collectionIn = ({ from, to }: typeof longest): number => collections.between(from, to);
      const { cpuMs } = longest;
      return {
        longest: { cpuMs, wallMs, gcMs: Math.min(cpuMs, collectionIn(longest)) },
        tooLong,
        ownMs: Math.max(0, ...turns.map(at => at.cpuMs - collectionIn(at))),
      };
    },
  };
}

/** Measures the longest turn during `work`, and the total time. */
export async function longestTurn<T>(
  work: () => Promise<T>,
): Promise<{ readonly longest: Turn; readonly ms: number; readonly result: T }> {
  // Earlier work and its garbage must not be counted.
  await new Promise(resolve => setTimeout(resolve, 20));
  const watched = watchTurns();
  const began = performance.now();
  const result = await work();
  const ms = performance.now() - began;
  await new Promise(resolve => setImmediate(resolve));
  return { longest: watched.end().longest, ms, result };
}

/** A row with the median of the rounds, because other load on the machine can slow a single round. */
export function turnRow(name: string, turns: readonly Turn[], note = ''): Row {
  const cpu = turns.map(turn => turn.cpuMs);
  const wall = turns.map(turn => turn.wallMs);
  const words = `CPU time of the longest turn in each round, median (longest of all ${Math.max(...cpu).toFixed(1)} ms${collectingOf(turns)}); wall time ${median(wall).toFixed(1)} ms`;
  return {
    name,
    unit: 'ms',
    value: median(cpu),
    runs: turns.length,
    limit: MAX_MS,
    detail: note === '' ? words : `${words}; ${note}`,
  };
}

function collectingOf(turns: readonly Turn[]): string {
  const [longest] = turns.toSorted((a, b) => b.cpuMs - a.cpuMs);
  return longest === undefined || longest.gcMs === 0
    ? ''
    : `, including up to ${longest.gcMs.toFixed(1)} ms of garbage collection`;
}
