import { test } from 'node:test';
import { flushFolder } from '../../../../src/adapters/node/flushed-files.ts';
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
