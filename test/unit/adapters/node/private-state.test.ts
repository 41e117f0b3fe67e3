import assert from 'node:assert/strict';
import { readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { tempFolder } from '../../../harness/temp-folder.ts';
import { stateWriters } from '../../../harness/state-writers.ts';

const skip = process.platform === 'win32' && 'Windows has no modes of folders';
for (const [name, write] of Object.entries(stateWriters))
  test(`makes folders that only the user may open: ${name}`, { skip }, async () => {
    await using home = await tempFolder();
    const state = join(home.path, 'user', 'atlas-bridge', 'harbor-1');
    await write(state);
    const entries = await readdir(home.path, { recursive: true, withFileTypes: true });
    const folders = entries.filter(entry => entry.isDirectory()).map(entry => join(entry.parentPath, entry.name));
    assert.ok(folders.includes(state), folders.join());
    for (const folder of folders) {
      const { mode } = await stat(folder);
      assert.equal((mode & 0o777).toString(8), '700', relative(home.path, folder));
    }
  });
