import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { PullRequest } from '../../../../src/project/project-session.ts';
import { planOf } from '../../../harness/pulls.ts';
import { openProject, smallProject } from '../../../harness/project-world.ts';

test('keeps many folders that lose all their files, in time that grows with their number', async () => {
  const planned = async (count: number): Promise<number> => {
    const names = Array.from({ length: count }, (_, index) => `F${index}`);
    using world = await openProject(smallProject(Object.fromEntries(names.map(name => [`src/${name}/A.luau`, '']))));
    const requests = Array.from(world.session.descendants(world.session.rootId))
      .filter(({ name }) => name === 'A')
      .map(({ id }): PullRequest => ({ kind: 'delete', id }));
    // Without this, the file system of the test takes most of the time: it looks through all files for each folder.
    world.files.list = async () => [{ name: 'A.luau', kind: 'file' }];
    const before = process.cpuUsage();
    const { edits } = await planOf(world, ...requests);
    const { user, system } = process.cpuUsage(before);
    assert.equal(edits.filter(({ path }) => path.endsWith('/.gitkeep')).length, count);
    return user + system;
  };
  const few = await planned(1_000);
  const many = await planned(8_000);
  assert.ok(many < 12 * few, `${Math.round(many / few)} times as long`);
});
