import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { replaceSeenFile, replaceWholeFile } from '../../../../src/adapters/fs/write-whole-file.ts';

test('replaces a file whole, and removes temporary files of crashed writes after a minute', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'whole-'));
  const unfinished = '.atlas-bridge-0123456789abcdef.tmp';
  try {
    for (const name of [unfinished, 'game.rbxl', 'mine.tmp']) await writeFile(join(folder, name), 'half');
    await replaceWholeFile(join(folder, 'game.rbxl'), Buffer.from('whole'), () => true);
    assert.equal(await readFile(join(folder, 'game.rbxl'), 'utf8'), 'whole');
    assert.deepEqual(await readdir(folder), [unfinished, 'game.rbxl', 'mine.tmp']);
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 61_000 });
    await replaceWholeFile(join(folder, 'game.rbxl'), Buffer.from('whole'), () => true);
    assert.deepEqual(await readdir(folder), ['game.rbxl', 'mine.tmp']);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('checks the precondition after the new file is complete, so that no change is lost', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'whole-'));
  const target = join(folder, 'out.js');
  const write = (mayReplace: (there: Uint8Array) => boolean): Promise<boolean> =>
    replaceWholeFile(target, Buffer.from('new'), mayReplace);
  try {
    assert.equal(await write(() => assert.fail('a missing file is not checked')), true);
    const seen: string[] = [];
    const isWritten = await write(there => {
      const beside =
        readdirSync(folder).find(name => name.endsWith('.tmp')) ??
        assert.fail('the file has its old content during the check');
      seen.push(String(there), readFileSync(join(folder, beside), 'utf8'));
      return false;
    });
    assert.deepEqual([isWritten, seen], [false, ['new', 'new']]);
    await writeFile(target, 'of another program');
    assert.equal(await write(there => String(there) === 'new'), false);
    assert.equal(await readFile(target, 'utf8'), 'of another program');
    assert.equal(await write(there => String(there) === 'of another program'), true);
    assert.deepEqual([await readFile(target, 'utf8'), await readdir(folder)], ['new', ['out.js']]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('writes a file of many parts, and does not read the file that it replaces', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'whole-'));
  const target = join(folder, 'game.rbxl');
  try {
    const parts = Array.from({ length: 2_000 }, (_, index) => new Uint8Array((index * 7) % 3_000).fill(index));
    await replaceWholeFile(target, [new Uint8Array(), ...parts, new Uint8Array()], () => true);
    assert.ok(Buffer.concat(parts).equals(await readFile(target)));
    // A sparse file of a size that cannot be read at once.
    await truncate(target, 2 ** 33);
    const seen = await stat(target, { bigint: true });
    assert.ok(await replaceSeenFile(target, [Buffer.from('who'), Buffer.from('le')], seen));
    assert.equal(await readFile(target, 'utf8'), 'whole');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
