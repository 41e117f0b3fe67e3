import { setTimeout as delay } from 'node:timers/promises';
import { MAX_MS, type Turn, turnRow } from '../project/longest-turn.ts';
import { median, type Row } from '../row.ts';
import type { Watched } from './probe/questions.ts';
import type { OwnTurn } from './record-turns.ts';
import type { ProbedVsCode } from './start-probe.ts';

/** Time for late effects of the measured work. */
const TAIL_MS = 500;

/** Measures the turns of the extension host's event loop during `work`. */
export async function watch(vscode: ProbedVsCode, work: () => Promise<void>): Promise<Watched> {
  await delay(TAIL_MS);
  await vscode.ask('begin', {});
  await work();
  await delay(TAIL_MS);
  return vscode.ask('end', {});
}

/** Waits until VS Code has finished its startup work, at most 15 s: a busy machine may never look idle. */
export async function quiet(vscode: ProbedVsCode): Promise<void> {
  for (let calm = 0, looks = 0; calm < 3 && looks < 15; looks += 1) {
    await vscode.ask('begin', {});
    await delay(1_000);
    calm = (await vscode.ask('end', {})).longest.cpuMs < 5 ? calm + 1 : 0;
  }
}

const turns = (watched: readonly Watched[]): readonly Turn[] => watched.map(({ longest }) => longest);
const countOf = (watched: readonly Watched[]): number => watched.reduce((sum, each) => sum + each.tooLong, 0);
export const besides = (...alone: readonly Watched[]): string => {
  const longest = Math.max(...turns(alone).map(({ cpuMs }) => cpuMs));
  return `without the extension, VS Code's longest is ${longest.toFixed(1)} ms (turns over 20 ms: ${countOf(alone)})`;
};

export function row(what: string, watched: readonly Watched[], note: string): Row {
  const own = Math.max(...watched.map(({ ownMs }) => ownMs));
  const count = `${countOf(watched)} turns over 20 ms in all rounds; the longest without garbage collection ${own.toFixed(1)} ms`;
  return turnRow(`extension host blocked by ${what}`, turns(watched), `${count}; ${note}`);
}

/**
 * The longest part of a turn that is code of Atlas Bridge, garbage collection in it included.
 *
 * @param starts the turns of each window, the longest first
 */
export function ownRow(what: string, starts: readonly (readonly OwnTurn[])[]): Row {
  const longest = starts.flatMap(([first]) => first ?? []).toSorted((a, b) => a.ownMs - b.ownMs);
  const worst = longest.at(-1);
  return {
    name: `code of the extension in one turn during ${what}`,
    unit: 'ms',
    value: median(longest.map(({ ownMs }) => ownMs)),
    runs: starts.length,
    limit: MAX_MS,
    detail: `CPU time of the longest turn of each window, with a profiler, median (${longest.map(({ ownMs }) => ownMs.toFixed(1)).join(', ')} ms); the longest of all contains up to ${(worst?.gcMs ?? 0).toFixed(1)} ms of garbage collection, which is that of the whole thread: ${worst?.functions.join(', ')}`,
  };
}

/** A row without a limit, for work that happens once in a window. The longest turn may be one of VS Code. */
export const once = (what: string, { longest, ownMs, tooLong }: Watched, note: string): Row => ({
  name: `extension host blocked by ${what}`,
  unit: 'ms',
  value: longest.cpuMs,
  runs: 1,
  detail: `CPU time of the longest turn, including up to ${longest.gcMs.toFixed(1)} ms of garbage collection; wall time ${longest.wallMs.toFixed(1)} ms; turns over 20 ms: ${tooLong}; the longest without garbage collection ${ownMs.toFixed(1)} ms; ${note}`,
});
