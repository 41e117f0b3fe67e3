import assert from 'node:assert/strict';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { removeWholeFile, replaceWholeFile } from '../../../../src/adapters/fs/write-whole-file.ts';
import { createNodePluginFiles } from '../../../../src/adapters/node/node-plugin-files.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const wholeFiles = { replace: replaceWholeFile, remove: removeWholeFile };

test('writes a secret only over the expected content, and leaves no temporary file', async () => {
  await using folder = await tempFolder();
  const files = createNodePluginFiles(join(folder.path, 'receipt.json'), wholeFiles);
  const path = join(folder.path, 'plugins/AtlasBridge.rbxmx');
  assert.equal(await files.writeSecret(path, bytes('one'), there => there === undefined), true);
  if (process.platform !== 'win32') assert.equal((await stat(path)).mode & 0o777, 0o600);
  await writeFile(path, 'mine');
  const isOne = (there: Uint8Array | undefined): boolean =>
    there !== undefined && Buffer.from(there).equals(bytes('one'));
  assert.equal(await files.writeSecret(path, bytes('two'), isOne), false);
  assert.equal(await readFile(path, 'utf8'), 'mine');
  assert.deepEqual(await readdir(join(folder.path, 'plugins')), ['AtlasBridge.rbxmx']);
});

test('removes only a file that still has the expected content', async () => {
  await using folder = await tempFolder();
  const files = createNodePluginFiles(join(folder.path, 'receipt.json'), wholeFiles);
  const path = join(folder.path, 'mcp.json');
  await writeFile(path, 'mine');
  assert.equal(await files.remove(path, bytes('one')), false);
  assert.equal(await readFile(path, 'utf8'), 'mine');
  assert.equal(await files.remove(path, bytes('mine')), true);
  assert.deepEqual(await readdir(folder.path), []);
  await assert.rejects(files.remove(path, bytes('mine')), { code: 'FS_WRITE_FAILED' });
});
