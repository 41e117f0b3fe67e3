import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Model, ModelInstance } from '../../../src/roblox/instances/model.ts';
import type { Variant } from '../../../src/roblox/values/variant.ts';
import { readModelInSlices } from '../../../src/roblox/formats/model/model-file.ts';
import { readChunks } from '../../../src/roblox/formats/rbxm/chunks.ts';
import { writeBinaryModel } from '../../../src/roblox/formats/rbxm/write.ts';
import { nodeInflate } from '../../../src/adapters/node/inflate.ts';
import type { ProjectPath } from '../../../src/base/brand.ts';
import { nodeClock } from '../../../src/adapters/node/clock.ts';
import { TimeSlice } from '../../../src/base/time-slice.ts';
import { median, type Row } from '../row.ts';
import { collectGarbage } from './collect-garbage.ts';
import { threadCpuTime } from '../cpu-time.ts';
import { longestTurn, type Turn, turnRow } from './longest-turn.ts';
import { generateProject, never, reflection } from './generated-project.ts';

const ROUNDS = 5;

/**
 * Compares reading a place of 20 MB with only decompressing its chunks, in interleaved rounds. Also measures how long a syncback from it, which
 * runs in a separate process, blocks the editor. `dist` must contain a build.
 */
export async function placeRead(dist: string): Promise<readonly Row[]> {
  const place = writeBinaryModel(generatePlace(), reflection);
  if (!place.ok) throw new Error(place.error);
  const times = { read: [] as number[], inflate: [] as number[], readByClock: [] as number[] };
  const turns: Turn[] = [];
  const readPlace = () => readModelInSlices(place.value, reflection, nodeInflate, new TimeSlice(nodeClock));
  for (let round = 0; round <= ROUNDS; round += 1) {
    collectGarbage();
    const began = threadCpuTime();
    let chunks = 0;
    for (const { data } of readChunks(place.value, nodeInflate)) chunks += data.at + 1;
    const inflated = threadCpuTime();
    if (chunks === 0) throw new Error('the place has no chunks');
    collectGarbage();
    const [start, clock] = [threadCpuTime(), performance.now()];
    const read = await readPlace();
    const [ended, byClock] = [threadCpuTime(), performance.now() - clock];
    if (!read.ok) throw new Error(read.error);
    // A separate loop, because measuring turns takes time.
    const { longest } = await longestTurn(readPlace);
    if (round === 0) continue;
    times.inflate.push(inflated - began);
    times.read.push(ended - start);
    times.readByClock.push(byClock);
    turns.push(longest);
  }
  const [read, inflate] = [median(times.read), median(times.inflate)];
  return [
    {
      name: `reading a place of ${(place.value.length / 1e6).toFixed(0)} MB against decompressing its chunks`,
      unit: 'ratio',
      value: read / inflate,
      runs: ROUNDS,
      limit: 3,
      detail: `CPU time ${read.toFixed(0)} ms (wall time ${median(times.readByClock).toFixed(0)} ms), ${inflate.toFixed(0)} ms; medians of interleaved rounds; half of the place is sources, the rest parts and meshes`,
    },
    turnRow('event loop blocked by reading that place', turns),
    await inProject(place.value),
    await editorDuringSyncback(place.value, join(dist, 'cli.js')),
  ];
}

async function editorDuringSyncback(place: Uint8Array, cli: string): Promise<Row> {
  using project = generateProject(100);
  const input = join(project.folder, 'place.rbxl');
  writeFileSync(input, place);
  const program = fileURLToPath(new URL('syncback-host.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program, cli, project.folder, input]);
  const rounds = JSON.parse(stdout) as readonly {
    readonly longest: Turn;
    readonly ms: number;
    readonly writing: number;
  }[];
  if (rounds.some(({ writing }) => writing === 0)) throw new Error('the syncback had no plan');
  const ms = median(rounds.map(round => round.ms));
  return turnRow(
    'event loop blocked by planning a syncback from that place',
    rounds.map(({ longest }) => longest),
    `in a separate process as in VS Code, ${ms.toFixed(0)} ms each`,
  );
}

/** Measures a project file of the same size: loaded with the project, then saved again with one more byte at its end. */
async function inProject(model: Uint8Array): Promise<Row> {
  using project = generateProject(100);
  const path = 'src/Large.rbxm' as ProjectPath;
  const turns: Turn[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    await writeFile(join(project.folder, path), model);
    const loaded = await longestTurn(() => project.open());
    using session = loaded.result;
    await writeFile(join(project.folder, path), Buffer.concat([model, Uint8Array.of(round)]));
    const saved = await longestTurn(() => session.refresh(never, [path]));
    if (session.diagnostics().some(({ severity }) => severity === 'error')) throw new Error('the model was not read');
    if (round > 0) turns.push(loaded.longest, saved.longest);
  }
  return turnRow('event loop blocked by a model file of that size, loaded with a project and saved again', turns);
}

/** Sources that compress like code, parts with different positions, and meshes that do not compress. */
export function generatePlace(): Model {
  let seed = 42;
  const random = (): number => (seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff) / 0x7fffffff;
  const words = Array.from({ length: 400 }, () => Math.floor(random() * 1e9).toString(36));
  const number = (): number => Math.fround(random() * 1000);
  const made: ModelInstance[] = [];
  const add = (className: string, properties: Readonly<Record<string, Variant>>): void => {
    const referent = String(made.length);
    made.push({
      referent,
      className,
      name: `${className}${referent}`,
      properties: new Map(Object.entries(properties)),
      children: [],
    });
  };
  const source = (): string => Array.from({ length: 900 }, () => words[Math.floor(random() * 400)]).join(' ');
  for (let count = 0; count < 3_500; count += 1) add('ModuleScript', { Source: { type: 'String', value: source() } });
  for (let count = 0; count < 15_000; count += 1)
    add('Part', {
      CFrame: { type: 'CFrame', value: { position: [number(), number(), number()], orientation: upright } },
      Size: { type: 'Vector3', value: [number(), number(), number()] },
      Anchored: { type: 'Bool', value: random() < 0.5 },
    });
  const size = 100_000;
  for (let count = 0; count < 100; count += 1) {
    const bytes = Uint8Array.from({ length: size }, () => Math.floor(random() * 256));
    add('UnionOperation', { MeshData: { type: 'BinaryString', value: bytes } });
  }
  const name = 'ReplicatedStorage';
  const storage = { referent: 'top', className: name, name, properties: new Map(), children: made };
  return { roots: [storage], metadata: new Map() };
}

const upright = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
] as const;
