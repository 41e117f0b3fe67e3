/**
 * Builds, syncs back and live-syncs generated games of growing size, and fails when time or memory grows faster than the number of instances.
 * `--games N` chooses how many (default 50), `--scale N` the scale of the largest (default 100, a game of 12,400 instances).
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
import { countInstances, gameOfScale, gamePlace } from './bench/shapes/game-place.ts';
import { fasterThanLinear, type Sample } from './bench/shapes/growth-rate.ts';
import { planSessionSyncback } from '../src/project/session/plan-session-syncback.ts';

const { values } = parseArgs({ options: { games: { type: 'string' }, scale: { type: 'string' } } });
const games = Number(values.games ?? 50);
const largest = Number(values.scale ?? 100);
const signal = new AbortController().signal;
const silentLog = createLineLogger(() => undefined, 'error');
const reflection = createReflection(await readReflectionFile());
const samples = new Map<string, Sample[]>();

/** Runs one step and records its CPU time in milliseconds. */
async function measured<T>(step: string, instances: number, work: () => T | Promise<T>): Promise<T> {
  const before = processCpuTime();
  const result = await work();
  samples.set(step, [...(samples.get(step) ?? []), { instances, amount: processCpuTime() - before }]);
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
    const { problem } = await measured('write the files', instances, () => writeEdits(plan.edits, files));
    if (problem !== undefined) throw new Error(problem);
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
    samples.set('memory', [...(samples.get('memory') ?? []), { instances, amount: process.memoryUsage().heapUsed }]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

for (let game = 1; game <= games; game += 1) {
  const scale = Math.max(1, Math.round((game * largest) / games));
  const started = processCpuTime();
  await playGame(gamePlace(gameOfScale(scale)), game % 2 === 0 ? 'rojo' : 'atlas');
  console.log(`game ${game} of ${games}, scale ${scale}: ${Math.round(processCpuTime() - started)} ms`);
}
const problems: string[] = [];
for (const [step, all] of samples) {
  const ratio = fasterThanLinear(all);
  if (ratio === undefined) {
    problems.push(`${step} (too few games to compare)`);
    continue;
  }
  const last = all.at(-1);
  console.log(
    `${step.padEnd(20)} ${last?.amount.toFixed(0).padStart(12)} for ${last?.instances} instances, growth ${ratio.toFixed(2)}`,
  );
  if (ratio > 2) problems.push(step);
}
if (problems.length > 0) console.error(`error: faster than linear growth: ${problems.join(', ')}`);
process.exitCode = problems.length === 0 ? 0 : 1;
