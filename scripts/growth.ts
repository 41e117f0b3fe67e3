/**
 * Builds, syncs back and live-syncs generated games of growing size, and fails when time or memory grows faster than the number of
 * instances or written files: games with all shapes of published ones, and games with one shape each. `--games N` chooses how many have all
 * shapes (default 50), `--scale N` the scale of the largest (default 100, a game of 12,400 instances). `--shape NAME` runs only the games
 * with this shape.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Emitter } from '../src/base/emitter.ts';
import { createNodeFileSystem } from '../src/adapters/fs/node-file-system.ts';
import { nodeClock } from '../src/adapters/node/clock.ts';
import { nodeHasher } from '../src/adapters/node/hasher.ts';
import { nodeInflate } from '../src/adapters/node/inflate.ts';
import { inProcessConverter } from '../src/project/file-kinds/convert-data.ts';
import { createLineLogger } from '../src/adapters/node/logger.ts';
import { nodeRandom } from '../src/adapters/node/random.ts';
import { readReflectionFile } from '../src/adapters/node/reflection-file.ts';
import { buildModel } from '../src/project/build/build-model.ts';
import { openProjectSession } from '../src/project/session/open-project-session.ts';
import { writeEdits } from '../src/project/writeback/write-edits.ts';
import { readModel, writeModel } from '../src/roblox/formats/model/model-file.ts';
import type { Model } from '../src/roblox/instances/model.ts';
import { createReflection } from '../src/roblox/instances/reflection.ts';
import { createTreeFeed } from '../src/studio/feed/tree-feed.ts';
import { processCpuTime } from './bench/cpu-time.ts';
import { collectGarbage } from './bench/project/collect-garbage.ts';
import { countInstances, type GameSize, gameOfScale, gamePlace } from './bench/shapes/game-place.ts';
import { fasterThanLinear, type Sample } from './bench/shapes/growth-rate.ts';
import { reasonText } from '../src/protocol/reason.ts';
import { planSessionSyncback } from '../src/project/session/plan-session-syncback.ts';

const { values } = parseArgs({
  options: { games: { type: 'string' }, scale: { type: 'string' }, shape: { type: 'string' } },
});
const games = values.shape === undefined ? Number(values.games ?? 50) : 0;
const largest = Number(values.scale ?? 100);
const signal = new AbortController().signal;
const silentLog = createLineLogger(() => undefined, 'error');
const reflection = createReflection(await readReflectionFile());
const samples = new Map<string, Sample[]>();
/** The only shape of the game that is played, and the dialect of its files; `undefined` if it has all. */
let onlyShape: string | undefined;

function record(step: string, size: number, amount: number): void {
  const name = onlyShape === undefined ? step : `${onlyShape}: ${step}`;
  samples.set(name, [...(samples.get(name) ?? []), { size, amount }]);
}

/** Bytes of the heap, and of what it refers to outside. */
function usedMemory(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
const emptyMemory = usedMemory();

/** Runs one step and records its CPU time in milliseconds. */
async function measured<T>(step: string, size: number, work: () => T | Promise<T>): Promise<T> {
  const before = processCpuTime();
  const result = await work();
  record(step, size, processCpuTime() - before);
  return result;
}

function checked<T>(
  result: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: string },
): T {
  if (!result.ok) throw new Error(result.error);
  return result.value;
}

async function playGame(model: Model, dialect: 'rojo' | 'atlas'): Promise<void> {
  const instances = countInstances(model);
  const folder = await mkdtemp(join(tmpdir(), 'atlas-growth-'));
  try {
    const tree = {
      $className: 'DataModel',
      Workspace: { $path: 'workspace' },
      ReplicatedStorage: { $path: 'shared' },
      StarterGui: { $path: 'gui' },
    };
    const projectFile = dialect === 'rojo' ? 'default.project.json' : 'default.project.json5';
    await writeFile(join(folder, projectFile), JSON.stringify({ name: 'Game', tree }));
    const bytes = await measured('write', instances, () => checked(writeModel(model, 'rbxl', reflection)));
    const place = await measured('read', instances, () => checked(readModel(bytes, reflection, nodeInflate)));
    const files = createNodeFileSystem(folder, nodeHasher);
    using session = await openProjectSession(
      {
        files,
        watcher: { watch: () => ({ [Symbol.dispose]: () => undefined }) },
        clock: nodeClock,
        random: nodeRandom,
        hasher: nodeHasher,
        inflate: nodeInflate,
        converter: inProcessConverter,
        reflection,
        log: createLineLogger(line => console.error(line), 'error'),
      },
      signal,
    );
    const plan = await measured('plan a syncback', instances, () =>
      planSessionSyncback(session, { model: place, kind: 'place' }, signal),
    );
    if (typeof plan === 'string') throw new Error(plan);
    const [refused] = plan.refused;
    if (refused !== undefined) throw new Error(`${refused.path}: ${refused.reason}`);
    // For each file: in the Rojo dialect, a short chain of instances is one file, and a long one is many.
    const { problem } = await measured('write the files', plan.edits.length, () => writeEdits(plan.edits, files));
    if (problem !== undefined) throw new Error(reasonText(problem));
    await measured('read the files', instances, () => session.refresh(signal));
    const again = await measured('plan again', instances, () =>
      planSessionSyncback(session, { model: place, kind: 'place' }, signal),
    );
    if (typeof again === 'string' || again.edits.length > 0)
      throw new Error(
        `${dialect}: the second syncback is not empty: ${JSON.stringify(typeof again === 'string' ? again : again.edits.slice(0, 3).map(({ kind, path }) => [kind, path]))}`,
      );
    const script = plan.edits.find(({ path }) => path.endsWith('.luau'));
    if (script !== undefined) {
      await writeFile(join(folder, script.path), 'return "edited"\n');
      using feed = createTreeFeed({ session, reflection, clock: nodeClock, log: silentLog, sessionId: 'growth' });
      const sent = Promise.withResolvers<void>();
      const studio = {
        send: async () => sent.resolve(),
        onClosed: new Emitter<{ readonly reason: string }>().event,
        close: (reason: string) => sent.reject(new Error(reason)),
      };
      feed.subscribe(studio, session.revision(), 'own');
      await measured('live-sync an edit', instances, async () => {
        await session.refresh(signal, [script.path]);
        await sent.promise;
      });
    }
    const built = await measured('build', instances, () => buildModel(session, 'place', reflection));
    if (built?.instances !== instances) throw new Error(`built ${built?.instances} of ${instances} instances`);
    record('memory', instances, usedMemory() - emptyMemory);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const noShapes: GameSize = {
  parts: 0,
  meshParts: 0,
  meshBytes: 20_000,
  rigs: 0,
  screens: 0,
  depth: 0,
  scripts: 0,
  largeScripts: 0,
  attributed: 0,
};
/** The largest game of each shape. */
const onlyShapes: Readonly<Record<string, Partial<GameSize>>> = {
  'parts of one name': { parts: 20_000 },
  'meshes, unions and shared strings': { meshParts: 2_000 },
  'characters with references': { rigs: 200 },
  'screens of nested GUI objects': { screens: 200 },
  'one deep chain': { depth: 400 },
  scripts: { scripts: 4_000 },
  'scripts of 5,000 lines': { largeScripts: 80 },
  'instances with 200 attributes': { attributed: 400 },
};
/** The sizes of the games of one shape, as parts of the largest. */
const PARTS = [1 / 16, 1 / 8, 1 / 4, 5 / 8, 3 / 4, 1];
/** CPU time in milliseconds of the largest game, or bytes, below which the resolution of the clock decides. */
const MIN_AMOUNT = 100;

for (let game = 1; game <= games; game += 1) {
  const scale = Math.max(1, Math.round((game * largest) / games));
  const started = processCpuTime();
  await playGame(gamePlace(gameOfScale(scale)), game % 2 === 0 ? 'rojo' : 'atlas');
  console.log(`game ${game} of ${games}, scale ${scale}: ${Math.round(processCpuTime() - started)} ms`);
}
if (values.shape !== undefined && !Object.hasOwn(onlyShapes, values.shape))
  throw new Error(`unknown shape '${values.shape}' (${Object.keys(onlyShapes).join(', ')})`);
for (const [shape, size] of Object.entries(onlyShapes)) {
  if (values.shape !== undefined && shape !== values.shape) continue;
  // Each dialect separately: in one of them, instances without scripts share a file.
  for (const dialect of ['rojo', 'atlas'] as const)
    for (const part of PARTS) {
      onlyShape = `${shape} (${dialect})`;
      const scaled = Object.entries(size).map(([of, count]) => [of, Math.max(1, Math.round(count * part))] as const);
      await playGame(gamePlace({ ...noShapes, ...Object.fromEntries(scaled) }), dialect);
    }
}
const problems: string[] = [];
for (const [step, all] of samples) {
  const last = all.at(-1);
  // The parts of one name are one file in the Rojo dialect, however many they are.
  if (last === undefined || last.amount < MIN_AMOUNT) continue;
  const ratio = fasterThanLinear(all);
  if (ratio === undefined) {
    problems.push(`${step} (too few games to compare)`);
    continue;
  }
  console.log(`${step.padEnd(50)} ${last.amount.toFixed(0).padStart(12)} for ${last.size}, growth ${ratio.toFixed(2)}`);
  if (ratio > 2) problems.push(step);
}
if (problems.length > 0) console.error(`error: faster than linear growth: ${problems.join(', ')}`);
process.exitCode = problems.length === 0 ? 0 : 1;
