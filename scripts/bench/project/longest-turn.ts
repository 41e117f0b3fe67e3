import { PerformanceObserver } from 'node:perf_hooks';
import { ownTime } from '../own-time.ts';
import { median, type Row } from '../row.ts';

/** Milliseconds that the event loop was held up for at the longest. */
export interface Turn {
  /** Time on the processor: what the work itself takes, garbage collection on its thread included. */
  readonly own: number;
  /** By the clock: what other programs take from it counts too. */
  readonly wall: number;
  /** Of `own`, at most this was garbage collection; the last of all may be missing. */
  readonly collecting: number;
}

/** More than this at a time is what the design forbids. */
const MAX_MS = 20;

export interface WatchedTurns {
  /** The longest turn until now, and how many took more of the processor than the design allows. */
  end(): { readonly longest: Turn; readonly tooLong: number };
}

/** Looks at the clock once in every turn of the event loop. */
export function watchTurns(): WatchedTurns {
  let isOver = false;
  let [own, wall, tooLong] = [0, 0, 0];
  let longest = { from: 0, to: 0 };
  const pauses: { readonly from: number; readonly to: number }[] = [];
  const observer = new PerformanceObserver(list => {
    for (const { startTime, duration } of list.getEntries()) pauses.push({ from: startTime, to: startTime + duration });
  });
  observer.observe({ entryTypes: ['gc'] });
  let last = { now: performance.now(), own: ownTime() };
  const tick = (): void => {
    const at = { now: performance.now(), own: ownTime() };
    const turn = at.own - last.own;
    if (turn > own) [own, longest] = [turn, { from: last.now, to: at.now }];
    wall = Math.max(wall, at.now - last.now);
    if (turn > MAX_MS) tooLong += 1;
    last = at;
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  return {
    end() {
      tick();
      isOver = true;
      observer.disconnect();
      const paused = pauses
        .map(({ from, to }) => Math.min(to, longest.to) - Math.max(from, longest.from))
        .reduce((sum, ms) => sum + Math.max(0, ms), 0);
      return { longest: { own, wall, collecting: Math.min(own, paused) }, tooLong };
    },
  };
}

/** The longest turn while `work` ran, and how long it all took. */
export async function longestTurn<T>(
  work: () => Promise<T>,
): Promise<{ readonly longest: Turn; readonly ms: number; readonly result: T }> {
  // What was done before must not be counted, its garbage neither.
  await new Promise(resolve => setTimeout(resolve, 20));
  const watched = watchTurns();
  const began = performance.now();
  const result = await work();
  const ms = performance.now() - began;
  await new Promise(resolve => setImmediate(resolve));
  return { longest: watched.end().longest, ms, result };
}

/** The median over the rounds: once is what the rest of the machine did. */
export function turnRow(name: string, turns: readonly Turn[], note = ''): Row {
  const own = turns.map(turn => turn.own);
  const wall = turns.map(turn => turn.wall);
  const words = `own time of the longest turn of each round, median (longest of all ${Math.max(...own).toFixed(1)} ms${collectingOf(turns)}); by the clock ${median(wall).toFixed(1)} ms`;
  return {
    name,
    unit: 'ms',
    value: median(own),
    runs: turns.length,
    most: MAX_MS,
    detail: note === '' ? words : `${words}; ${note}`,
  };
}

function collectingOf(turns: readonly Turn[]): string {
  const [longest] = turns.toSorted((a, b) => b.own - a.own);
  return longest === undefined || longest.collecting === 0
    ? ''
    : `, up to ${longest.collecting.toFixed(1)} ms of it garbage collection`;
}
