import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mapConcurrent } from '../../../src/base/map-concurrent.ts';
import { median, type Row } from '../row.ts';
import { collectGarbage } from './collect-garbage.ts';
import { generateProject, never } from './generated-project.ts';
import { longestTurn, type Turn, turnRow } from './longest-turn.ts';

const SCRIPTS = 10_000;
const SMALL_PROJECT_SCRIPTS = 100;
const CHANGED = 2_000;
const ROUNDS = 5;
/** Files that each round saves one by one. */
const SAVES = 20;
/** Number of files that the file system adapter reads at the same time. */
const READ_CONCURRENCY = 128;

/** Compares loading and updating a project of 10,000 scripts with the lower bound of each, in interleaved rounds. */
export async function projectLoad(): Promise<readonly Row[]> {
  using project = generateProject(SCRIPTS);
  using few = generateProject(SMALL_PROJECT_SCRIPTS);
  using some = generateProject(CHANGED);
  const times = { load: [] as number[], read: [] as number[], one: [] as number[], oneOfFew: [] as number[] };
  const batches = { changed: [] as number[], loaded: [] as number[] };
  const turns = { load: [] as Turn[], save: [] as Turn[], batch: [] as Turn[] };
  using smallSession = await few.open();
  for (let round = 0; round <= ROUNDS; round += 1) {
    const isWarm = round > 0;
    const note = <T>(list: T[], value: T): void => void (isWarm && list.push(value));
    const began = performance.now();
    await mapConcurrent(project.paths, READ_CONCURRENCY, path => readFile(join(project.folder, path)));
    note(times.read, performance.now() - began);
    const opened = performance.now();
    using session = await project.open();
    note(times.load, performance.now() - opened);
    // A separate loop, because measuring turns takes time.
    const loaded = await longestTurn(() => project.open());
    loaded.result[Symbol.dispose]();
    note(turns.load, loaded.longest);
    for (let save = 0; save < SAVES; save += 1)
      for (const [where, at, list] of [
        [project, session, times.one],
        [few, smallSession, times.oneOfFew],
      ] as const) {
        const paths = where.change(1, `save ${save} of round ${round}`);
        const saved = await longestTurn(() => at.refresh(never, paths));
        note(list, saved.ms);
        note(turns.save, saved.longest);
      }
    const patches = countPatches(session);
    const paths = project.change(CHANGED, `round ${round}`);
    const changed = performance.now();
    await session.refresh(never, paths);
    note(batches.changed, performance.now() - changed);
    if (patches() !== 1) throw new Error(`${patches()} patches instead of one`);
    const again = project.change(CHANGED, `again ${round}`);
    const batch = await longestTurn(() => session.refresh(never, again));
    note(turns.batch, batch.longest);
    some.change(CHANGED, `round ${round}`);
    const cold = performance.now();
    using alone = await some.open();
    note(batches.loaded, performance.now() - cold);
    if (Array.from(alone.descendants(alone.rootId)).length < CHANGED) throw new Error('not everything was loaded');
  }
  return [
    ratio('cold load of 10,000 scripts against reading the files', times.load, times.read, 2.5),
    await memory(project),
    ratio('one file saved, at 10,000 scripts against 100', times.one, times.oneOfFew, 1.5),
    ratio('2,000 files changed at once, one patch, against loading those', batches.changed, batches.loaded, 1.5),
    turnRow('event loop blocked by a cold load of 10,000 scripts', turns.load),
    turnRow('event loop blocked by one file saved', turns.save),
    turnRow('event loop blocked by 2,000 files changed at once', turns.batch),
  ];
}

function countPatches(session: { onDidChange(listener: () => void): unknown }): () => number {
  let count = 0;
  session.onDidChange(() => (count += 1));
  return () => count;
}

function ratio(name: string, ours: readonly number[], base: readonly number[], most: number): Row {
  const [a, b] = [median(ours), median(base)];
  const detail = `${a.toFixed(1)} ms, ${b.toFixed(1)} ms; medians, in turns`;
  return { name, unit: 'ratio', value: a / b, runs: ours.length, limit: most, detail };
}

/** Memory relative to the limit: three times the bytes of the sources, plus 60 MB. */
async function memory(project: ReturnType<typeof generateProject>): Promise<Row> {
  const used = (): number => {
    collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = used();
  using session = await project.open();
  const bytes = used() - before;
  if (session.revision() === 0) throw new Error('the project was not loaded');
  const limit = 3 * project.bytes + 60e6;
  const mega = (value: number): string => `${(value / 1e6).toFixed(1)} MB`;
  return {
    name: 'memory of a loaded project of 10,000 scripts, relative to 3 times its bytes plus 60 MB',
    unit: 'ratio',
    value: bytes / limit,
    runs: 1,
    limit: 1,
    detail: `${mega(bytes)} for ${mega(project.bytes)} of sources, after garbage collection`,
  };
}
