import assert from 'node:assert/strict';
import { constants } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { lendMemory, readOpen } from '../../../../src/adapters/fs/read-open.ts';
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

test('[P6] reads thousands of files one after another into the same memory', async () => {
  const names = Array.from({ length: COUNT }, (_, index) => `${index}.luau`);
  await using folder = await tempFolder(Object.fromEntries(names.map((name, index) => [name, textOf(index)])));
  const buffers = new Set<ArrayBufferLike>();
  for (const [index, name] of names.entries()) {
    const text = await lendMemory(async allocate => {
      const { bytes } = await readOpen(join(folder.path, name), constants.O_RDONLY, allocate);
      buffers.add(bytes.buffer);
      return new TextDecoder().decode(bytes);
    });
    assert.equal(text, textOf(index));
  }
  assert.equal(buffers.size, 1);
  let isSame = false;
  await lendMemory(async first => {
    const one = first(10);
    await lendMemory(async second => void (isSame = second(10).buffer === one.buffer));
  });
  assert.equal(isSame, false, 'memory in use is not lent again');
});
