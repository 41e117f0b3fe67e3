import assert from 'node:assert/strict';
import { constants } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readOpen } from '../../../../src/adapters/fs/read-open.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

const COUNT = 100;
const textOf = (index: number): string => `${index} `.repeat(2_000).slice(0, 5_000);

test('[P6] reads small files into few buffers, and each file whole', async () => {
  const names = Array.from({ length: COUNT }, (_, index) => `${index}.luau`);
  await using folder = await tempFolder({
    ...Object.fromEntries(names.map((name, index) => [name, textOf(index)])),
    'large.luau': 'x'.repeat(100_000),
    'empty.luau': '',
  });
  const read = async (name: string): Promise<Uint8Array> =>
    (await readOpen(join(folder.path, name), constants.O_RDONLY)).bytes;
  const files = await Promise.all(names.map(read));
  assert.ok(new Set(files.map(({ buffer }) => buffer)).size < COUNT / 8);
  for (const [index, bytes] of files.entries()) assert.equal(new TextDecoder().decode(bytes), textOf(index));
  assert.equal((await read('large.luau')).length, 100_000);
  assert.equal((await read('empty.luau')).length, 0);
});
