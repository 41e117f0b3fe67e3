import assert from 'node:assert/strict';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { removeFile, replaceFile } from '../../../../src/adapters/fs/replace-file.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

/** The two ways in which editors save. */
const saves = {
  'in place': (file: string) => writeFileSync(file, 'saved'),
  'by renaming a new file': (file: string) => {
    writeFileSync(`${file}.new`, 'saved');
    renameSync(`${file}.new`, file);
  },
} as const;

for (const [how, save] of Object.entries(saves)) {
  test(`keeps the text of an editor that saves ${how} just after the last check`, async () => {
    await using folder = await tempFolder();
    const file = join(folder.path, 'a.luau');
    writeFileSync(file, 'old');
    let isSaved = false;
    const result = await replaceFile(file, Buffer.from('new'), async at => {
      const isOld = readFileSync(at, 'utf8') === 'old';
      if (!isSaved) save(file);
      isSaved = true;
      return isOld;
    });
    assert.equal(result, 'changed');
    assert.equal(await readFile(file, 'utf8'), 'saved');
    assert.deepEqual(await readdir(folder.path), ['a.luau']);
  });

  test(`does not remove what an editor saves ${how} right after the last check`, async () => {
    await using folder = await tempFolder();
    const file = join(folder.path, 'a.luau');
    writeFileSync(file, 'old');
    let isSaved = false;
    const isRemoved = await removeFile(file, async at => {
      const isOld = readFileSync(at, 'utf8') === 'old';
      if (!isSaved) save(file);
      isSaved = true;
      return isOld;
    });
    assert.equal(isRemoved, false);
    assert.equal(await readFile(file, 'utf8'), 'saved');
    assert.deepEqual(await readdir(folder.path), ['a.luau']);
  });
}

test('replaces and removes a file with the expected content, and leaves no temporary file', async () => {
  await using folder = await tempFolder();
  const file = join(folder.path, 'a.luau');
  writeFileSync(file, 'old');
  const isOld = async (at: string): Promise<boolean> => readFileSync(at, 'utf8') === 'old';
  assert.equal(await replaceFile(file, Buffer.from('new'), isOld), 'replaced');
  assert.equal(await replaceFile(file, Buffer.from('newer'), isOld), 'changed');
  assert.equal(await removeFile(file, isOld), false);
  assert.deepEqual(await readdir(folder.path), ['a.luau']);
  assert.equal(await removeFile(file, async () => true), true);
  assert.deepEqual(await readdir(folder.path), []);
});
