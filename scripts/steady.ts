/**
 * Syncs 10,000 times through a bridge process and headless Studio, and fails when the memory of the bridge or the time of a sync grows by
 * more than 10 %. `--syncs N` chooses how many.
 */
import { parseArgs } from 'node:util';
import { growthOf, steadySyncs } from './steady/steady-syncs.ts';
import { ensureRelease } from './vscode/pack-extension.ts';

const MAX_GROWTH = 1.1;
const SAMPLES = 10;

const { values } = parseArgs({ options: { syncs: { type: 'string' } } });
await ensureRelease();
const samples = await steadySyncs(Number(values.syncs ?? 10_000), SAMPLES, ({ syncs, memory, cpuMs }) =>
  console.log(`${syncs} syncs: ${(memory / 1e6).toFixed(1)} MB, ${cpuMs.toFixed(1)} ms of CPU each`),
);
const [memory, cpuMs] = [growthOf(samples, 'memory'), growthOf(samples, 'cpuMs')];
console.log(`memory ${memory.toFixed(3)} times, CPU time ${cpuMs.toFixed(3)} times that of the second tenth`);
process.exitCode = memory <= MAX_GROWTH && cpuMs <= MAX_GROWTH ? 0 : 1;
