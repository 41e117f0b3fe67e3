/** Feeds mutated inputs to targets, one after another. */
import { parentPort, workerData } from 'node:worker_threads';
import { Dice } from './mutate.ts';
import { targets } from './targets.ts';

export interface FuzzThreadData {
  /** The current input, for the case that it never ends: its length, then its bytes. */
  readonly current: SharedArrayBuffer;
  /** The number of inputs that have begun. */
  readonly begun: SharedArrayBuffer;
}

export interface FuzzJob {
  readonly target: string;
  readonly seed: number;
  readonly inputs: number;
}

const { current, begun } = workerData as FuzzThreadData;
const length = new Int32Array(current, 0, 1);
const bytes = new Uint8Array(current, 4);
const count = new Int32Array(begun);

async function fuzz({ target: name, seed, inputs }: FuzzJob): Promise<void> {
  const target = targets.find(one => one.name === name);
  if (target === undefined) throw new Error(`unknown target ${name}`);
  const dice = new Dice(seed);
  for (let index = 0; index < inputs; index++) {
    const input = target.mutate(dice, dice.pick(target.seeds), dice.pick(target.seeds)).slice(0, bytes.length);
    bytes.set(input);
    length[0] = input.length;
    Atomics.add(count, 0, 1);
    // Only some targets are asynchronous, and a microtask for each input of the others would double their time.
    const running = target.run(input);
    if (running !== undefined) await running;
  }
  parentPort?.postMessage('done');
}

// A rejection ends the thread, which reports the current input.
parentPort?.on('message', (job: FuzzJob) => void fuzz(job));
