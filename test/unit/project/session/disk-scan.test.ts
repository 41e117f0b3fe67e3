import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryFileSystem } from '../../../harness/memory-file-system.ts';
import { openProject, smallProject } from '../../../harness/project-world.ts';

/** Fails every operation on one path once `failure` is set. */
class FailingFileSystem extends MemoryFileSystem {
  failure: Error | undefined;

  #fail(path: string): void {
    if (this.failure && path === 'src/A.luau') throw this.failure;
  }

  override async stat(path: Parameters<MemoryFileSystem['stat']>[0]): ReturnType<MemoryFileSystem['stat']> {
    this.#fail(path);
    return super.stat(path);
  }

  override async readWithStat(
    path: Parameters<MemoryFileSystem['readWithStat']>[0],
  ): ReturnType<MemoryFileSystem['readWithStat']> {
    this.#fail(path);
    return super.readWithStat(path);
  }
}

test('reports a file and keeps its instance when a scan has no permission to read it', async () => {
  const files = new FailingFileSystem(smallProject({ 'src/A.luau': 'return 1' }));
  using world = await openProject(files);
  files.failure = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES', syscall: 'stat' });
  await world.refresh();
  assert.equal(world.at('ReplicatedStorage/A').properties.get('Source')?.value, 'return 1');
  assert.match(world.session.diagnostics()[0]?.message ?? '', /permission denied/);
  files.failure = undefined;
  await world.refresh();
  assert.deepEqual(world.session.diagnostics(), []);
});

test('rejects a refresh when a scan fails for another reason than the file', async () => {
  const files = new FailingFileSystem(smallProject({ 'src/A.luau': 'return 1' }));
  using world = await openProject(files);
  files.failure = new TypeError('a bug');
  await assert.rejects(world.refresh(), /a bug/);
});

test('finds every file changed when a project that was read only once is read again', async () => {
  const files = new MemoryFileSystem(smallProject({ 'src/A.luau': 'return 1', 'src/B.luau': 'return 1' }));
  using world = await openProject(files, { isReadOnce: true });
  const before = world.at('ReplicatedStorage/B');
  files.set('src/A.luau', 'return 2');
  await world.refresh();
  assert.equal(world.at('ReplicatedStorage/A').properties.get('Source')?.value, 'return 2');
  assert.deepEqual(world.at('ReplicatedStorage/B'), before);
});
