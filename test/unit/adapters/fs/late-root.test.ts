import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createNodeFileSystem } from '../../../../src/adapters/fs/node-file-system.ts';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import { projectPath } from '../../../harness/project-world.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

test('lists a folder that was missing at the first call and was created since', async () => {
  await using folder = await tempFolder();
  const root = join(folder.path, 'game');
  const files = createNodeFileSystem(root, nodeHasher);
  await assert.rejects(files.list(projectPath('')), { code: 'ENOENT' });
  await mkdir(root);
  await writeFile(join(root, 'Shop.luau'), '');
  const entries = await files.list(projectPath(''));
  assert.deepEqual(
    entries.map(({ name }) => name),
    ['Shop.luau'],
  );
});
