import { setTimeout as delay } from 'node:timers/promises';
import { type Turn, turnRow } from '../project/longest-turn.ts';
import type { Row } from '../row.ts';
import type { Watched } from './probe/questions.ts';
import type { ProbedVsCode } from './start-probe.ts';

/** What comes late belongs to what was asked for. */
const TAIL_MS = 500;

/** The turns of the extension host while `work` is done. */
export async function watch(vscode: ProbedVsCode, work: () => Promise<void>): Promise<Watched> {
  await delay(TAIL_MS);
  await vscode.ask('begin', {});
  await work();
  await delay(TAIL_MS);
  return vscode.ask('end', {});
}

/** Until VS Code has nothing left to do for its own start; on a machine that others use too, that may never be seen. */
export async function quiet(vscode: ProbedVsCode): Promise<void> {
  for (let calm = 0, looks = 0; calm < 3 && looks < 15; looks += 1) {
    await vscode.ask('begin', {});
    await delay(1_000);
    calm = (await vscode.ask('end', {})).longest.own < 5 ? calm + 1 : 0;
  }
}

const turns = (watched: readonly Watched[]): readonly Turn[] => watched.map(({ longest }) => longest);
export const besides = (...alone: readonly Watched[]): string => {
  const longest = Math.max(...turns(alone).map(({ own }) => own));
  return `without the extension VS Code's longest is ${longest.toFixed(1)} ms`;
};

export function row(what: string, watched: readonly Watched[], note: string): Row {
  const tooLong = watched.reduce((sum, each) => sum + each.tooLong, 0);
  const count = `${tooLong} turns over 20 ms in all rounds`;
  return turnRow(`extension host held up by ${what}`, turns(watched), note === '' ? count : `${count}; ${note}`);
}

/** What happens once in a window, and is promised by nobody. */
export const once = (what: string, { longest }: Watched, note: string): Row => ({
  name: `extension host held up by ${what}`,
  unit: 'ms',
  value: longest.own,
  runs: 1,
  detail: `own time of the longest turn, up to ${longest.collecting.toFixed(1)} ms of it garbage collection; by the clock ${longest.wall.toFixed(1)} ms; ${note}`,
});
