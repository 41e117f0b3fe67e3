/** Feeds mutated inputs to one target. */
import { parentPort, workerData } from 'node:worker_threads';
import { Dice } from './mutate.ts';
import { targets } from './targets.ts';

export interface FuzzJob {
  readonly target: string;
  readonly seed: number;
  readonly inputs: number;
  /** The current input, for the case that it never ends: its length, then its bytes. */
  readonly current: SharedArrayBuffer;
  /** The number of inputs that have begun. */
  readonly begun: SharedArrayBuffer;
}

const { target: name, seed, inputs, current, begun } = workerData as FuzzJob;
const target = targets.find(one => one.name === name);
if (target === undefined) throw new Error(`unknown target ${name}`);
const dice = new Dice(seed);
const length = new Int32Array(current, 0, 1);
const bytes = new Uint8Array(current, 4);
const count = new Int32Array(begun);
for (let index = 0; index < inputs; index++) {
  const input = target.mutate(dice, dice.pick(target.seeds), dice.pick(target.seeds)).slice(0, bytes.length);
  bytes.set(input);
  length[0] = input.length;
  Atomics.add(count, 0, 1);
  target.run(input);
}
parentPort?.postMessage('done');
