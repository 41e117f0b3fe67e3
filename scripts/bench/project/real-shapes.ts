import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createNodeFileSystem } from '../../../src/adapters/fs/node-file-system.ts';
import { replaceWholeFile } from '../../../src/adapters/fs/write-whole-file.ts';
import { nodeClock } from '../../../src/adapters/node/clock.ts';
import { nodeHasher } from '../../../src/adapters/node/hasher.ts';
import { nodeInflate } from '../../../src/adapters/node/inflate.ts';
import { installedStudioKey } from '../../../src/adapters/node/json-studio-keys.ts';
import { writeOutput } from '../../../src/app/write-output.ts';
import { TimeSlice } from '../../../src/base/time-slice.ts';
import { bundledFiles } from '../../../src/headless-studio/bundled-files.ts';
import { startHeadlessStudio } from '../../../src/headless-studio/headless-studio.ts';
import type { FileEdit } from '../../../src/ports/file-system.ts';
import { buildModel } from '../../../src/project/build/build-model.ts';
import { writeEdits } from '../../../src/project/writeback/write-edits.ts';
import { readModelInSlices, writeModelParts } from '../../../src/roblox/formats/model/model-file.ts';
import { median, type Row } from '../row.ts';
import { countInstances, gameOfScale, gamePlace } from '../shapes/game-place.ts';
import { type GameFiles, writeGameFiles } from '../shapes/game-files.ts';
import { log, openSession, reflection } from './generated-project.ts';
import { cpuOf, syncbackInto } from './real-project.ts';

const ROUNDS = 3;
/** A game of 5,600 instances with 26 MB of models. */
const modelGame = gameOfScale(45, 165_000);
/** A game of 14,000 instances in small files. */
const fileGame = gameOfScale(112);

function checked<T>(
  result: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: string },
): T {
  if (!result.ok) throw new Error(result.error);
  return result.value;
}

/** Builds, syncs back, opens and saves generated games with the shapes of published ones. `dist` must contain a build. */
export async function realShapes(dist: string): Promise<readonly Row[]> {
  using game = writeGameFiles(gamePlace(modelGame), reflection);
  const times = { read: [] as number[], build: [] as number[], headless: [] as number[] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    const read = await cpuOf(() => readAll(game));
    const build = await cpuOf(() => buildPlace(game));
    const headless = await cpuOf(() => openAndSave(game));
    if (round === 0) continue;
    times.read.push(read.ms);
    times.build.push(build.ms);
    times.headless.push(headless.ms);
  }
  const size = `${(game.bytes / 1e6).toFixed(0)} MB`;
  return [
    ratioRow(`build of ${size} of models against reading and decompressing them`, times.build, times.read, 3),
    memoryRow(game, join(dist, 'cli.js')),
    await syncbackRow(),
    ratioRow(
      `open and save of a place of ${size} in headless Studio against its build`,
      times.headless,
      times.build,
      5,
    ),
  ];
}

function ratioRow(name: string, times: readonly number[], against: readonly number[], limit: number): Row {
  const ratios = times.map((time, round) => time / (against[round] ?? Number.NaN));
  return {
    name,
    unit: 'ratio',
    value: median(ratios),
    runs: times.length,
    limit,
    detail: `CPU time of all threads ${median(times).toFixed(0)} ms, ${median(against).toFixed(0)} ms; medians of interleaved rounds`,
  };
}

async function readAll({ models }: GameFiles): Promise<void> {
  for (const file of models)
    checked(await readModelInSlices(readFileSync(file), reflection, nodeInflate, new TimeSlice(nodeClock)));
}

async function buildPlace({ project, folder }: GameFiles): Promise<void> {
  using session = await openSession(project, true);
  const built = buildModel(session, 'place', reflection);
  if (built === undefined) throw new Error('the project has no place');
  const parts = checked(writeModelParts(built.model, 'rbxl', reflection));
  const file = join(folder, 'built.rbxl');
  await writeOutput({ folder, file, command: 'build' }, parts, {
    env: { XDG_STATE_HOME: join(folder, 'state') },
    record: () => Promise.reject(new Error('the result of a build was recorded as the file of a person')),
  });
}

async function openAndSave({ place, folder }: GameFiles): Promise<void> {
  const key = installedStudioKey({ XDG_STATE_HOME: folder });
  await using studio = await startHeadlessStudio({ ...bundledFiles(), place, key, log });
  const saved = join(folder, 'saved.rbxl');
  await replaceWholeFile(saved, await studio.format(saved), () => true);
}

/** Writes to standard error how many kilobytes of memory a program had at most. `maxRSS` would include the program that started it. */
const report =
  'import { readFileSync } from "node:fs"; process.on("exit", () => process.stderr.write(readFileSync("/proc/self/status", "utf8")))';

/** The peak memory of the command, above that of the same command on a project without files. */
function memoryRow(game: GameFiles, cli: string): Row {
  const peakOf = (project: string): number => {
    const args = ['--import', `data:text/javascript,${report}`, cli, 'build', project, '-o'];
    const { stderr, status } = spawnSync(process.execPath, [...args, join(game.folder, 'memory.rbxl')], {
      encoding: 'utf8',
    });
    const peak = /^VmHWM:\s+(\d+) kB$/m.exec(stderr)?.[1];
    if (status !== 0 || peak === undefined) throw new Error(`the build failed: ${stderr}`);
    return Number(peak) * 1024;
  };
  const [peak, empty] = [peakOf(game.project), peakOf(game.emptyProject)];
  const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(0);
  return {
    name: 'memory of that build against the size of the models',
    unit: 'ratio',
    value: (peak - empty) / game.bytes,
    runs: 1,
    limit: 8,
    detail: `peak ${megabytes(peak)} MB, ${megabytes(empty)} MB for a project without models`,
  };
}

async function syncbackRow(): Promise<Row> {
  const place = gamePlace(fileGame);
  using game = writeGameFiles(place, reflection);
  const times = { syncback: [] as number[], write: [] as number[], plain: [] as number[] };
  let files = 0;
  for (let round = 0; round <= ROUNDS; round += 1) {
    const project = join(game.folder, `synced-${round}`);
    cpSync(game.emptyProject, project, { recursive: true });
    const syncback = await cpuOf(() => syncbackInto(project, game.place));
    const copy = join(game.folder, `copied-${round}`);
    mkdirSync(copy);
    const write = await cpuOf(() => writeEdits(syncback.result, createNodeFileSystem(copy, nodeHasher)));
    const plain = await cpuOf(() => writePlainly(join(game.folder, `plain-${round}`), syncback.result));
    files = syncback.result.length;
    if (round === 0) continue;
    times.syncback.push(syncback.ms);
    times.write.push(write.ms);
    times.plain.push(plain.ms);
  }
  const row = ratioRow(
    `syncback of ${countInstances(place)} instances into an empty project against writing the files`,
    times.syncback,
    times.write,
    4,
  );
  const plainly = `${median(times.plain).toFixed(0)} ms without flushing, checks and backup links`;
  return { ...row, detail: `${files} files; ${row.detail}; ${plainly}` };
}

async function writePlainly(folder: string, edits: readonly FileEdit[]): Promise<void> {
  for (const edit of edits) {
    if (edit.kind !== 'write') continue;
    const file = join(folder, edit.path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, edit.bytes);
  }
}
