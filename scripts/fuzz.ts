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
import type { FuzzJob, FuzzThreadData } from './fuzz/worker.ts';

const fixtures = resolve(fileURLToPath(import.meta.url), '../../test/fixtures/fuzz');
/** Generous, because the machine may be busy: no input of 64 KB needs a second. */
const INPUT_MS = 10_000;
const MEGABYTES = 768;
const MAX_BYTES = 256 * 1024;

/** A thread for several targets, one after another: loading all decoders takes longer than most targets. */
class FuzzThread {
  readonly #current = new SharedArrayBuffer(4 + MAX_BYTES);
  readonly #begun = new SharedArrayBuffer(4);
  #worker: Worker | undefined;

  /** Runs one target. Returns the problem, and the input that caused it. */
  async fuzz(job: FuzzJob): Promise<{ problem: string; input: Buffer } | undefined> {
    const workerData: FuzzThreadData = { current: this.#current, begun: this.#begun };
    const worker = (this.#worker ??= new Worker(new URL('fuzz/worker.ts', import.meta.url), {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: MEGABYTES },
    }));
    const count = new Int32Array(this.#begun);
    Atomics.store(count, 0, 0);
    let last = { count: -1, at: performance.now() };
    const problem = await new Promise<string | undefined>(end => {
      const watch = setInterval(() => {
        const now = Atomics.load(count, 0);
        if (now !== last.count || now === 0) last = { count: now, at: performance.now() };
        else if (performance.now() - last.at > INPUT_MS) finish(`took longer than ${INPUT_MS} ms`);
      }, 250);
      const onDone = (): void => finish(undefined);
      const onError = (error: Error): void => finish(error.stack ?? error.message);
      const finish = (found: string | undefined): void => {
        clearInterval(watch);
        worker.off('message', onDone).off('error', onError);
        end(found);
      };
      worker.on('message', onDone).on('error', onError);
      worker.postMessage(job);
    });
    if (problem === undefined) return undefined;
    await this.end();
    const length = new Int32Array(this.#current, 0, 1)[0];
    return { problem, input: Buffer.from(new Uint8Array(this.#current, 4, length)) };
  }

  async end(): Promise<void> {
    await this.#worker?.terminate();
    this.#worker = undefined;
  }
}

const { values } = parseArgs({
  options: { inputs: { type: 'string', default: '20000' }, target: { type: 'string' }, seed: { type: 'string' } },
});
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const chosen = targets.filter(({ name }) => values.target === undefined || name === values.target);
console.log(`seed ${seed}, ${values.inputs} inputs for each of ${chosen.length} targets`);
let failures = 0;
const waiting = [...chosen];
const threads = Array.from({ length: Math.min(availableParallelism(), chosen.length) }, () => new FuzzThread());
await mapConcurrent(threads, threads.length, async thread => {
  for (let target = waiting.shift(); target !== undefined; target = waiting.shift()) {
    const { name } = target;
    const began = performance.now();
    const found = await thread.fuzz({ target: name, seed, inputs: Number(values.inputs) });
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    if (found === undefined) {
      console.log(`${name}: ${seconds} s`);
      continue;
    }
    failures += 1;
    const file = join(fixtures, `${name}-${createHash('sha256').update(found.input).digest('hex').slice(0, 8)}`);
    mkdirSync(fixtures, { recursive: true });
    writeFileSync(file, found.input);
    console.error(`${name}: ${found.problem}\nThe input is ${file}.`);
  }
  await thread.end();
});
if (chosen.length === 0) console.error(`unknown target; known: ${targets.map(({ name }) => name).join(', ')}`);
process.exitCode = failures > 0 || chosen.length === 0 ? 1 : 0;
