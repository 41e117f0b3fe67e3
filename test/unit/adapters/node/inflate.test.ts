import { test } from 'node:test';
import assert from 'node:assert/strict';
import * as zlib from 'node:zlib';
import { nodeInflate } from '../../../../src/adapters/node/inflate.ts';

const bytes = new TextEncoder().encode('part '.repeat(1000));

test('decompresses Zstandard data', async () => {
  assert.deepEqual(nodeInflate.zstd(zlib.zstdCompressSync(bytes), bytes.length), bytes);
  assert.deepEqual(await nodeInflate.zstdAsync(zlib.zstdCompressSync(bytes), bytes.length), bytes);
});

test('refuses more bytes than announced, and data that is not Zstandard', async () => {
  assert.throws(() => nodeInflate.zstd(zlib.zstdCompressSync(bytes), 10));
  assert.throws(() => nodeInflate.zstd(new Uint8Array([1, 2, 3, 4]), 10));
  await assert.rejects(nodeInflate.zstdAsync(zlib.zstdCompressSync(bytes), 10));
  await assert.rejects(nodeInflate.zstdAsync(new Uint8Array([1, 2, 3, 4]), 10));
});
