import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import { serveProject } from '../../../../src/studio/served-project.ts';
import { recordedRuns } from '../../../../src/sync/history/recorded-runs.ts';
import { CountingSlice } from '../../../harness/counting-slice.ts';
import { FakeGit } from '../../../harness/fake-git.ts';
import { MemoryJournalStore } from '../../../harness/memory-journal-store.ts';
import { memoryLog } from '../../../harness/memory-log.ts';
import { openProject, projectPath, smallProject } from '../../../harness/project-world.ts';
import { reflection } from '../../../harness/reflection.ts';
import { sequentialRandom } from '../../../harness/sequential-random.ts';

test('records which of two new instances was not written', async () => {
  const project = await openProject(smallProject({ 'src/Old.luau': '0' }));
  const journal = new MemoryJournalStore();
  const { writer } = serveProject(project.session, {
    clock: project.clock,
    hasher: nodeHasher,
    log: memoryLog(),
    random: sequentialRandom(),
    reflection,
    files: project.files,
    journal,
    git: new FakeGit(),
    sessionId: 'session',
  });
  const [old] = project.session.idsAtPath(projectPath('src/Old.luau'));
  const parent = (old && project.session.get(old))?.parent;
  const added = Object.fromEntries(
    ['A', 'B'].map(name => [
      name.repeat(32).toLowerCase(),
      { parent, name, className: 'ModuleScript', properties: { Source: { String: name } }, children: [] },
    ]),
  );
  project.files.fault = (_count, path) => {
    if (path === 'src/B.luau') throw new Error('EIO');
  };
  const request = { sessionId: 'session', removed: [], updated: [], added, stageIds: [] };
  const outcomes = await writer.write(request, 'own', { stages: false }, new AbortController().signal);
  assert.deepEqual(
    outcomes.map(({ what, outcome }) => [what, outcome]),
    [
      ['ReplicatedStorage/A', 'written'],
      ['ReplicatedStorage/B', 'failed'],
    ],
  );
  const runs = await recordedRuns(journal, 10, new CountingSlice());
  const both = runs.find(({ changes }) => changes.length === 2);
  assert.match(both?.summary ?? '', /^Did not write 1 of 2 instances from Studio/);
  assert.deepEqual(
    both?.changes.map(({ path, outcome, sides }) => [path, outcome, sides]),
    [
      ['ReplicatedStorage/A', undefined, ['disk']],
      ['ReplicatedStorage/B', 'failed', []],
    ],
  );
});
