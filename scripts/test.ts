/**
 * `npm test`: every check, cheapest first. `npm test -- unit host` runs the rings of those names only, `npm test -- --list` names them.
 * The last line is `N passed, N failed`, and the exit code is 0 only if something ran and nothing failed.
 */
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Ring, rings } from './test/rings.ts';
import { type Count, runRing } from './test/run-ring.ts';

const root = resolve(fileURLToPath(import.meta.url), '../..');
process.chdir(root);
process.env['PATH'] = join(root, 'node_modules/.bin') + delimiter + (process.env['PATH'] ?? '');

const wanted = process.argv.slice(2);
const names = rings.map(ring => ring.name);
const unknown = wanted.filter(name => !names.includes(name));
if (wanted.includes('--list') || unknown.length > 0) {
  console.log(`Rings: ${names.join(', ')}`);
  process.exit(wanted.includes('--list') ? 0 : 2);
}

let total: Count = { passed: 0, failed: 0, skipped: 0 };
const table: string[] = [];
const isDefault = (ring: Ring): boolean => ring.kind === 'command' || ring.isExtra !== true;
for (const ring of rings.filter(one => (wanted.length === 0 ? isDefault(one) : wanted.includes(one.name)))) {
  console.log(`\n── ${ring.name} ──`);
  const before = performance.now();
  const count = await runRing(ring);
  if (ring.name === 'build' && count.failed === 0) process.env['ATLAS_DIST'] = 'ready';
  const seconds = ((performance.now() - before) / 1000).toFixed(1);
  table.push(
    `${ring.name.padEnd(12)} ${String(count.passed).padStart(5)} passed ${String(count.failed).padStart(3)} failed ${seconds.padStart(6)} s`,
  );
  total = {
    passed: total.passed + count.passed,
    failed: total.failed + count.failed,
    skipped: total.skipped + count.skipped,
  };
}

console.log(`\n${table.join('\n')}\n`);
console.log(`${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`);
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
