/**
 * Feeds mutated inputs to every decoder and parser: `npm run fuzz -- --inputs 1000000 --target yaml --seed 1`. An input that throws, takes
 * too long or too much memory is written to `test/fixtures/fuzz`, where a unit test repeats it.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { mapConcurrent } from '../src/base/map-concurrent.ts';
import { targets } from './fuzz/targets.ts';
import type { FuzzJob } from './fuzz/worker.ts';

const fixtures = resolve(fileURLToPath(import.meta.url), '../../test/fixtures/fuzz');
/** Generous, because the machine may be busy: no input of 64 KB needs a second. */
const INPUT_MS = 10_000;
const MEGABYTES = 768;
const MAX_BYTES = 256 * 1024;

/** Runs one target. Returns the problem, and the input that caused it. */
async function fuzz(
  target: string,
  seed: number,
  inputs: number,
): Promise<{ problem: string; input: Buffer } | undefined> {
  const current = new SharedArrayBuffer(4 + MAX_BYTES);
  const begun = new SharedArrayBuffer(4);
  const workerData: FuzzJob = { target, seed, inputs, current, begun };
  const worker = new Worker(new URL('fuzz/worker.ts', import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: MEGABYTES },
  });
  const count = new Int32Array(begun);
  let last = { count: -1, at: performance.now() };
  const problem = await new Promise<string | undefined>(end => {
    const watch = setInterval(() => {
      const now = Atomics.load(count, 0);
      if (now !== last.count || now === 0) last = { count: now, at: performance.now() };
      else if (performance.now() - last.at > INPUT_MS) finish(`took longer than ${INPUT_MS} ms`);
    }, 250);
    const finish = (found: string | undefined): void => {
      clearInterval(watch);
      void worker.terminate();
      end(found);
    };
    worker.once('message', () => finish(undefined));
    worker.once('error', (error: Error) => finish(error.stack ?? error.message));
  });
  if (problem === undefined) return undefined;
  return { problem, input: Buffer.from(new Uint8Array(current, 4, new Int32Array(current, 0, 1)[0])) };
}

const { values } = parseArgs({
  options: { inputs: { type: 'string', default: '20000' }, target: { type: 'string' }, seed: { type: 'string' } },
});
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const chosen = targets.filter(({ name }) => values.target === undefined || name === values.target);
console.log(`seed ${seed}, ${values.inputs} inputs for each of ${chosen.length} targets`);
let failures = 0;
await mapConcurrent(chosen, availableParallelism(), async ({ name }) => {
  const began = performance.now();
  const found = await fuzz(name, seed, Number(values.inputs));
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  if (found === undefined) return console.log(`${name}: ${seconds} s`);
  failures += 1;
  const file = join(fixtures, `${name}-${createHash('sha256').update(found.input).digest('hex').slice(0, 8)}`);
  mkdirSync(fixtures, { recursive: true });
  writeFileSync(file, found.input);
  console.error(`${name}: ${found.problem}\nThe input is ${file}.`);
});
if (chosen.length === 0) console.error(`unknown target; known: ${targets.map(({ name }) => name).join(', ')}`);
process.exitCode = failures > 0 || chosen.length === 0 ? 1 : 0;
