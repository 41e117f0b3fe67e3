import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createThreadMerger, mergeWorker } from '../../src/adapters/node/thread-merger.ts';
import { mergeLines } from '../../src/sync/merge/merge-lines.ts';
import {
  applySplices,
  conflictsFile,
  generateConflicts,
  readModule,
  serialize,
} from '../fixtures/merge/generate-conflicts.ts';

test('generates the conflicts of the fixture', () => {
  assert.equal(readFileSync(conflictsFile, 'utf8'), serialize(generateConflicts()));
});

test('merges the generated conflicts in the shares that the guide states', async () => {
  const merger = createThreadMerger({ worker: mergeWorker() });
  const counts = { lines: 0, declarations: 0, conflicts: 0 };
  for (const { name, module, disk: onDisk, studio: inStudio } of generateConflicts()) {
    const base = readModule(module);
    const [disk, studio] = [applySplices(base, onDisk), applySplices(base, inStudio)];
    for (const text of [base, disk, studio]) assert.equal(await merger.compileProblem(text), undefined, name);
    const merged = await merger.merge({ base, disk, studio });
    assert.equal(merged.problem, undefined, name);
    const isByLines = mergeLines({ base, a: disk, b: studio }).every(piece => piece.kind === 'text');
    if (merged.conflicts.length > 0) counts.conflicts += 1;
    else if (isByLines) counts.lines += 1;
    else counts.declarations += 1;
    if (merged.conflicts.length > 0) continue;
    const lines = new Set(merged.text.split('\n'));
    for (const line of [...onDisk, ...inStudio].flatMap(splice => (splice.remove === 0 ? splice.insert : [])))
      assert.ok(lines.has(line) || lines.has(`${line},`), `${name}: ${line}`);
  }
  const guide = readFileSync(new URL('../../docs/merging.md', import.meta.url), 'utf8');
  const stated = /Of 200 .*, (\d+) merge by lines alone and (\d+) more by declarations; (\d+) /.exec(guide);
  assert.deepEqual(stated?.slice(1).map(Number), [counts.lines, counts.declarations, counts.conflicts]);
});
