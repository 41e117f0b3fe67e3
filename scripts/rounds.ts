/**
 * Runs test files several times each beside busy processes, and prints and records every failure with its seed: a test that needs a quiet
 * machine is a defect. `--rounds N` chooses how often (default 20), `--busy N` the number of busy processes (default 2), `--results FILE`
 * where results are recorded (default `out/rounds.jsonl`), `--at-once N` how many files run side by side (default 1). A later call with the
 * same file continues where an earlier one ended. Files are given as globs (default: the integration tests).
 */
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { playRound } from './rounds/play-round.ts';
import { RoundLog } from './rounds/round-log.ts';
import { ensureRelease } from './vscode/pack-extension.ts';

const { values, positionals } = parseArgs({
  options: {
    rounds: { type: 'string' },
    busy: { type: 'string' },
    results: { type: 'string' },
    'at-once': { type: 'string' },
  },
  allowPositionals: true,
});
const files = globSync(positionals.length === 0 ? ['test/integration/**/*.test.ts'] : positionals).toSorted();
if (files.length === 0) throw new Error(`no test files match ${positionals.join(' ')}`);
const log = new RoundLog(resolve(values.results ?? 'out/rounds.jsonl'));

await ensureRelease();
using stack = new DisposableStack();
for (let count = Number(values.busy ?? 2); count > 0; count -= 1) {
  const busy = spawn(process.execPath, ['--eval', 'for (;;);'], { stdio: 'ignore' });
  stack.defer(() => busy.kill('SIGKILL'));
}
const rounds = Number(values.rounds ?? 20);
const running = new Set<string>();
await Promise.all(Array.from({ length: Number(values['at-once'] ?? 1) }, playAll));
const failed = log.failures(files);
for (const { file, round, seed, failures } of failed)
  console.log(`${file}, round ${round}, seed ${seed}: ${failures.join('; ')}`);
console.log(`${files.length} files, ${failed.length} failed rounds`);
process.exitCode = failed.length === 0 ? 0 : 1;

async function playAll(): Promise<void> {
  for (let next = log.next(files, rounds, running); next !== undefined; next = log.next(files, rounds, running)) {
    const seed = Math.floor(Math.random() * 2 ** 31);
    running.add(next.file);
    const { failures, output } = await playRound(next.file, seed);
    running.delete(next.file);
    log.add({ ...next, seed, failures });
    console.log(`round ${next.round}, ${next.file}: ${failures.length === 0 ? 'ok' : `FAILED with seed ${seed}`}`);
    if (failures.length > 0) console.log(output);
  }
}
