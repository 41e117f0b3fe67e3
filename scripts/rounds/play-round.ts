import { spawn } from 'node:child_process';
import { engineFlags } from '../test/engine-flags.ts';

/** A file that takes longer hangs. */
const MAX_MS = 900_000;

/** Runs the tests of a file in the random order of `seed`. `failures`: names of tests; a file that cannot run is one failure. */
export async function playRound(
  file: string,
  seed: number,
): Promise<{ readonly failures: readonly string[]; readonly output: string }> {
  const order = ['--test-randomize', `--test-random-seed=${seed}`];
  const args = [...engineFlags, '--test', '--test-reporter=tap', ...order, file];
  // With this variable of a test process, node:test would run nothing.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'], timeout: MAX_MS });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const code = await new Promise<number | null>((done, reject) => {
    child.on('error', reject);
    child.on('close', done);
  });
  const output = Buffer.concat(chunks).toString();
  const named = Array.from(output.matchAll(/^not ok \d+ - (.*)$/gm), ([, name = '']) => name);
  if (code === 0) return { failures: [], output };
  return { failures: named.length > 0 ? named : [`ended with code ${code}`], output };
}
