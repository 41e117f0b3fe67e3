import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { flushFolder, putFlushed } from '../../../../src/adapters/node/flushed-files.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

test('flushes a folder', async () => {
  await using folder = await tempFolder();
  await flushFolder(folder.path);
});

test(
  'accepts a file system that cannot flush folders',
  // Its folders are those of a kernel interface, which refuses the call like some network drives.
  { skip: process.platform !== 'linux' && 'needs /proc' },
  () => flushFolder('/proc/self'),
);

test('leaves no temporary file when a file cannot be replaced', async () => {
  await using folder = await tempFolder({ 'state/file': '' });
  const path = join(folder.path, 'state');
  await assert.rejects(putFlushed(path, `${path}.tmp`, new Uint8Array(1)));
  assert.deepEqual(await readdir(folder.path), ['state']);
});
