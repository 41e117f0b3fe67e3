import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeWholeFile } from '../../../../src/adapters/fs/write-whole-file.ts';

test('a file is replaced whole, and what a crash left beside it long ago goes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'whole-'));
  try {
    const [old, young] = ['.atlas-bridge-0123456789abcdef.tmp', '.atlas-bridge-fedcba9876543210.tmp'];
    for (const name of [old, young, 'game.rbxl', 'mine.tmp']) await writeFile(join(folder, name), 'half');
    const hourAgo = new Date(Date.now() - 3_600_000);
    for (const name of [old, 'mine.tmp']) await utimes(join(folder, name), hourAgo, hourAgo);
    await writeWholeFile(join(folder, 'game.rbxl'), Buffer.from('whole'));
    assert.equal(await readFile(join(folder, 'game.rbxl'), 'utf8'), 'whole');
    assert.deepEqual(await readdir(folder), [young, 'game.rbxl', 'mine.tmp'].toSorted());
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
