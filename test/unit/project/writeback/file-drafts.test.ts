import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import { TimeSlice } from '../../../../src/base/time-slice.ts';
import { standardFileKinds } from '../../../../src/project/file-kinds/standard-file-kinds.ts';
import { DiskIndex } from '../../../../src/project/tree/disk-index.ts';
import { FileDrafts } from '../../../../src/project/writeback/file-drafts.ts';
import { ManualClock } from '../../../harness/manual-clock.ts';
import { MemoryFileSystem } from '../../../harness/memory-file-system.ts';
import { projectPath } from '../../../harness/project-world.ts';

test('frees the name of a removed placeholder until the removal is undone', async () => {
  const files = new MemoryFileSystem({ 'src/.gitkeep': '' });
  const clock = new ManualClock();
  const ports = { files, hasher: nodeHasher, clock };
  const drafts = new FileDrafts(ports, new DiskIndex(), standardFileKinds, new TimeSlice(clock));
  const names = await drafts.names(projectPath('src'));
  drafts.begin();
  await drafts.removePlaceholder(projectPath('src/.gitkeep'));
  assert.equal(names.isEmpty, true);
  drafts.rollBack();
  assert.equal(names.isEmpty, false);
});
