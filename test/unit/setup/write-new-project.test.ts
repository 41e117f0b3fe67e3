import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createWholeFile } from '../../../src/adapters/fs/write-whole-file.ts';
import { writeNewProject } from '../../../src/setup/write-new-project.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

test('writes the project file last, and keeps a file that appears while the others are written', async () => {
  await using folder = await tempFolder({});
  const files = [
    ['default.project.json', '{}'],
    ['src/A.luau', 'new'],
    ['src/B.luau', 'new'],
  ] as const;
  const order: string[] = [];
  const { created, kept } = await writeNewProject(files, ['default.project.json'], async (name, text) => {
    order.push(name);
    if (name === 'src/B.luau') await writeFile(join(folder.path, name), 'of another program');
    return await createWholeFile(join(folder.path, name), text);
  });
  assert.deepEqual(order, ['src/A.luau', 'src/B.luau', 'default.project.json']);
  assert.deepEqual([created, kept], [['src/A.luau', 'default.project.json'], ['src/B.luau']]);
  assert.equal(await readFile(join(folder.path, 'src/B.luau'), 'utf8'), 'of another program');
});

test('creates a file once when several programs create it at the same time', async () => {
  await using folder = await tempFolder({});
  await mkdir(join(folder.path, 'src'));
  const target = join(folder.path, 'src/A.luau');
  const texts = Array.from({ length: 20 }, (_, index) => `text ${index}`);
  const isCreated = await Promise.all(texts.map(text => createWholeFile(target, text)));
  const winners = texts.filter((_, index) => isCreated[index]);
  assert.deepEqual(winners, [await readFile(target, 'utf8')]);
});
