import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNodeFileSystem } from '../../../src/adapters/fs/node-file-system.ts';
import { nodeClock } from '../../../src/adapters/node/clock.ts';
import { nodeHasher } from '../../../src/adapters/node/hasher.ts';
import { nodeInflate } from '../../../src/adapters/node/inflate.ts';
import type { ProjectPath } from '../../../src/base/brand.ts';
import { mapConcurrent } from '../../../src/base/map-concurrent.ts';
import { TimeSlice } from '../../../src/base/time-slice.ts';
import type { FileEdit } from '../../../src/ports/file-system.ts';
import type { FileProjectSession } from '../../../src/project/session/file-project-session.ts';
import { planSessionSyncback } from '../../../src/project/session/plan-session-syncback.ts';
import { writeEdits } from '../../../src/project/writeback/write-edits.ts';
import { readModelInSlices } from '../../../src/roblox/formats/model/model-file.ts';
import { processCpuTime } from '../cpu-time.ts';
import { median, type Row } from '../row.ts';
import { writeGameFiles } from '../shapes/game-files.ts';
import { gameOfScale, gamePlace } from '../shapes/game-place.ts';
import { collectGarbage } from './collect-garbage.ts';
import { never, openSession, reflection } from './generated-project.ts';
import { reasonText } from '../../../src/protocol/reason.ts';

/** A project that was synced back from a generated place with the shapes of published ones. */
export interface RealProject extends Disposable {
  readonly folder: string;
  readonly place: string;
  readonly scripts: readonly ProjectPath[];
  readonly paths: readonly ProjectPath[];
  /** Appends a line to scripts. */
  change(paths: readonly ProjectPath[], mark: string): void;
}

/** @param scale about 124 instances, of these 20 scripts, per unit */
export async function realProject(scale: number): Promise<RealProject> {
  const folder = mkdtempSync(join(tmpdir(), 'atlas-bench-'));
  using game = writeGameFiles(gamePlace(gameOfScale(scale)), reflection);
  const [project, place] = [join(folder, 'game'), join(folder, 'game.rbxl')];
  cpSync(game.emptyProject, project, { recursive: true });
  cpSync(game.place, place);
  const edits = await syncbackInto(project, place);
  const paths = edits.filter(({ kind }) => kind === 'write').map(({ path }) => path);
  return {
    folder: project,
    place,
    paths,
    scripts: paths.filter(path => path.endsWith('.luau')),
    change(changed, mark) {
      for (const path of changed) writeFileSync(join(project, path), `-- ${mark}\nreturn {}\n`);
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** @returns the edits that were made */
export async function syncbackInto(project: string, place: string): Promise<readonly FileEdit[]> {
  using session = await openSession(project);
  const model = await readModelInSlices(readFileSync(place), reflection, nodeInflate, new TimeSlice(nodeClock));
  if (!model.ok) throw new Error(model.error);
  const plan = await planSessionSyncback(session, { model: model.value, kind: 'place' }, never);
  if (typeof plan === 'string') throw new Error(plan);
  const { problem } = await writeEdits(plan.edits, createNodeFileSystem(project, nodeHasher));
  const reason = problem === undefined ? plan.refused[0]?.reason : reasonText(problem);
  if (reason !== undefined) throw new Error(reason);
  return plan.edits;
}

const ROUNDS = 3;
const SAVES = 10;
/** A game of 14,000 instances. */
const LARGE = 112;
const SMALL = 5;

/** The rows of `project-load`, on a project with the shapes of published games. CPU times, in interleaved rounds. */
export async function realProjectLoad(): Promise<readonly Row[]> {
  using large = await realProject(LARGE);
  using small = await realProject(SMALL);
  using smallSession = await openSession(small.folder);
  const times = { read: [], load: [], one: [], oneOfFew: [], batch: [] } as Record<string, number[]>;
  for (let round = 0; round <= ROUNDS; round += 1) {
    const note = (name: string, ms: number): void => void (round > 0 && times[name]?.push(ms));
    note('read', (await cpuOf(() => mapConcurrent(large.paths, 128, path => readAndDecode(large.folder, path)))).ms);
    const load = await cpuOf(() => openSession(large.folder));
    using session = load.result;
    note('load', load.ms);
    for (let save = 0; save < SAVES; save += 1)
      for (const [name, project, at] of [
        ['one', large, session],
        ['oneOfFew', small, smallSession],
      ] as const)
        note(name, await saved(project, at, 1, `save ${save} of round ${round}`));
    note('batch', await saved(large, session, 2_000, `round ${round}`));
  }
  const row = (name: string, of: string, against: string, limit: number): Row => {
    const [a, b] = [median(times[of] ?? []), median(times[against] ?? [])];
    const detail = `CPU time of all threads ${a.toFixed(1)} ms, ${b.toFixed(1)} ms; medians`;
    return { name, unit: 'ratio', value: a / b, runs: times[of]?.length ?? 0, limit, detail };
  };
  return [
    row(
      `cold load of a real project of ${large.paths.length} files against reading and decoding them`,
      'load',
      'read',
      3,
    ),
    row('one file saved in that project against one of 620 instances', 'one', 'oneOfFew', 1.5),
    row('2,000 files of that project changed at once against its cold load', 'batch', 'load', 1.5),
  ];
}

async function readAndDecode(folder: string, path: ProjectPath): Promise<void> {
  const bytes = await readFile(join(folder, path));
  if (path.endsWith('.json')) JSON.parse(String(bytes));
  if (!path.endsWith('.rbxm')) return;
  const model = await readModelInSlices(bytes, reflection, nodeInflate, new TimeSlice(nodeClock));
  if (!model.ok) throw new Error(model.error);
}

async function saved(project: RealProject, session: FileProjectSession, count: number, mark: string): Promise<number> {
  const paths = project.scripts.slice(0, count);
  project.change(paths, mark);
  return (await cpuOf(() => session.refresh(never, paths))).ms;
}

/** CPU time of all threads in milliseconds. */
export async function cpuOf<T>(work: () => Promise<T>): Promise<{ readonly ms: number; readonly result: T }> {
  collectGarbage();
  const before = processCpuTime();
  const result = await work();
  return { ms: processCpuTime() - before, result };
}
