/**
 * `npm test`: every check, cheapest first. `npm test -- unit host` runs the rings of those names only, `npm test -- --list` names them.
 * The last line is `N passed, N failed`, and the exit code is 0 only if something ran and nothing failed.
 */
import { availableParallelism } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mapConcurrent } from '../src/base/map-concurrent.ts';
import { batches, type Ring, rings } from './test/rings.ts';
import { runRing } from './test/run-ring.ts';
import type { Count } from './test/tally.ts';

const root = resolve(fileURLToPath(import.meta.url), '../..');
process.chdir(root);
process.env['PATH'] = join(root, 'node_modules/.bin') + delimiter + (process.env['PATH'] ?? '');
// Hundreds of processes load the same modules.
process.env['NODE_COMPILE_CACHE'] ??= join(root, 'out/compile-cache');

const wanted = process.argv.slice(2);
const names = rings.map(ring => ring.name);
const unknown = wanted.filter(name => !names.includes(name));
if (wanted.includes('--list') || unknown.length > 0) {
  console.log(`Rings: ${names.join(', ')}`);
  process.exit(wanted.includes('--list') ? 0 : 2);
}

const isDefault = (ring: Ring): boolean => ring.kind === 'command' || ring.isExtra !== true;
const chosen = rings.filter(ring => (wanted.length === 0 ? isDefault(ring) : wanted.includes(ring.name)));
const seed = Number(process.env['ATLAS_TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 32));

interface Outcome {
  readonly ring: Ring;
  readonly count: Count;
  readonly seconds: number;
}
const outcomes: Outcome[] = [];
async function timed(ring: Ring): Promise<Outcome> {
  const before = performance.now();
  const count = await runRing(ring, seed);
  return { ring, count, seconds: (performance.now() - before) / 1000 };
}

for (const batch of batches(chosen)) {
  console.log(`\n── ${batch.map(ring => ring.name).join(', ')} ──`);
  outcomes.push(...(await mapConcurrent(batch, availableParallelism(), timed)));
  // Later rings use the build instead of making one each.
  if (outcomes.some(({ ring, count }) => ring.name === 'build' && count.failed === 0))
    process.env['ATLAS_DIST'] = 'ready';
}

const sum = (pick: (count: Count) => number): number => outcomes.reduce((all, { count }) => all + pick(count), 0);
const total = { passed: sum(one => one.passed), failed: sum(one => one.failed), skipped: sum(one => one.skipped) };
for (const { ring, count, seconds } of outcomes)
  console.log(
    `${ring.name.padEnd(12)} ${String(count.passed).padStart(5)} passed ${String(count.failed).padStart(3)} failed ${seconds.toFixed(1).padStart(6)} s`,
  );
if (total.failed > 0) {
  console.log(`\nFailed, with ATLAS_TEST_SEED=${seed}:`);
  for (const { count } of outcomes) for (const name of count.failures) console.log(`  ${name}`);
}
console.log(`\n${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`);
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
