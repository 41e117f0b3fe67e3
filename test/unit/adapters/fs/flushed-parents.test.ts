import assert from 'node:assert/strict';
import { readlinkSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { ProjectPath } from '../../../../src/base/brand.ts';
import { createNodeFileSystem } from '../../../../src/adapters/fs/node-file-system.ts';
import { replaceWholeFile } from '../../../../src/adapters/fs/write-whole-file.ts';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

const path = (text: string): ProjectPath => text as ProjectPath;

/** The files and folders below `root` that are flushed to disk from now on, in order. */
async function flushedIn(root: string, t: TestContext): Promise<readonly string[]> {
  const flushed: string[] = [];
  await using handle = await open(root);
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  const sync = Reflect.get(prototype, 'sync') as (this: FileHandle) => Promise<void>;
  t.mock.method(prototype, 'sync', function (this: FileHandle) {
    flushed.push(relative(root, readlinkSync(`/proc/self/fd/${this.fd}`)) || '.');
    return sync.call(this);
  });
  return flushed;
}

const options = { skip: process.platform !== 'linux' && 'only Linux shows which file is flushed' };

test('flushes the new file, its folder, and the parents of new folders', options, async t => {
  await using folder = await tempFolder({ 'src/old.luau': 'old' });
  const flushed = await flushedIn(folder.path, t);
  const files = createNodeFileSystem(folder.path, nodeHasher);
  await files.replace(path('src/a/b/new.luau'), Buffer.from('new'), { kind: 'absent' });
  const isTemporary = (one: string): boolean => one.startsWith('src/a/b/.atlas-bridge-');
  assert.deepEqual(
    flushed.map(one => (isTemporary(one) ? 'the file' : one)),
    ['src', 'src/a', 'the file', 'src/a/b'],
  );
});

test('flushes the folder of a replaced and of a removed file', options, async t => {
  await using folder = await tempFolder({ 'src/old.luau': 'old' });
  const flushed = await flushedIn(folder.path, t);
  const files = createNodeFileSystem(folder.path, nodeHasher);
  const hash = (text: string) => ({ kind: 'hash', gitBlob: nodeHasher.gitBlob(Buffer.from(text)) }) as const;
  await files.replace(path('src/old.luau'), Buffer.from('new'), hash('old'));
  assert.deepEqual(flushed.slice(1), ['src']);
  await files.remove(path('src/old.luau'), hash('new'));
  await files.remove(path('src'), { kind: 'emptyFolder' });
  assert.deepEqual(flushed.slice(1), ['src', 'src', '.']);
});

test('flushes the parents of new folders for state files too', options, async t => {
  await using folder = await tempFolder();
  const flushed = await flushedIn(folder.path, t);
  await replaceWholeFile(join(folder.path, 'state', 'deep', 'file.json'), Buffer.from('{}'), () => true);
  assert.deepEqual(flushed.slice(1).toSorted(), ['.', 'state', 'state/deep']);
});
