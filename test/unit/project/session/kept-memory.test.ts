import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type GeneratedProject, generateProject } from '../../../../scripts/bench/project/generated-project.ts';
import { usedHeap } from '../../../harness/used-heap.ts';

const SCRIPTS = 2_000;
const TIMES = 3;
/** Minor garbage collections copy all of it while a project is loaded, which blocks the extension host. */
const MAX_BYTES = 1_300;

async function bytesForEachScript(project: GeneratedProject): Promise<number> {
  const before = await usedHeap();
  using session = await project.open();
  const bytes = ((await usedHeap()) - before) / SCRIPTS;
  assert.equal(session.revision(), 1);
  return bytes;
}

test('[P6] keeps little on the heap for each script of a project', async () => {
  using project = generateProject(SCRIPTS, 1);
  const figures: number[] = [];
  for (let time = 0; time < TIMES; time++) figures.push(await bytesForEachScript(project));
  // The first run creates tables, and objects of earlier tests can be collected meanwhile.
  const middle = figures.toSorted((a, b) => a - b)[Math.floor(TIMES / 2)] ?? Infinity;
  assert.ok(middle < MAX_BYTES, `${figures.map(bytes => bytes.toFixed(0)).join(', ')} bytes for each script`);
});
