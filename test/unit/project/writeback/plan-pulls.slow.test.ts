import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { PullRequest } from '../../../../src/project/project-session.ts';
import { planOf } from '../../../harness/pulls.ts';
import { assertTakesNoLonger } from '../../../harness/linear-time.ts';
import { openProject, type ProjectWorld, smallProject } from '../../../harness/project-world.ts';

const SMALL = 500;
const FACTOR = 8;

async function openFolders(count: number): Promise<ProjectWorld> {
  const names = Array.from({ length: count }, (_, index) => `F${index}`);
  const world = await openProject(smallProject(Object.fromEntries(names.map(name => [`src/${name}/A.luau`, '']))));
  // Without this, the file system of the test takes most of the time: it looks through all files for each folder.
  world.files.list = async () => [{ name: 'A.luau', kind: 'file' }];
  return world;
}

async function planDeletions(world: ProjectWorld, count: number): Promise<void> {
  const requests = Array.from(world.session.descendants(world.session.rootId))
    .filter(({ name }) => name === 'A')
    .map(({ id }): PullRequest => ({ kind: 'delete', id }));
  const { edits } = await planOf(world, ...requests);
  assert.equal(edits.filter(({ path }) => path.endsWith('/.gitkeep')).length, count);
}

test('keeps many folders that lose all their files, in linear time', async () => {
  using small = await openFolders(SMALL);
  using large = await openFolders(FACTOR * SMALL);
  await assertTakesNoLonger(
    async () => {
      for (let time = 0; time < FACTOR; time++) await planDeletions(small, SMALL);
    },
    () => planDeletions(large, FACTOR * SMALL),
  );
});
