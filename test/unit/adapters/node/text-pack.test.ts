import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import { packHead, readPackIndex, extractText } from '../../../../src/adapters/node/text-pack.ts';

const bytes = Buffer.from('print(1)');
const block = deflateRawSync(bytes);
const at = [nodeHasher.gitBlob(bytes), 0, bytes.length] as const;

function read(index: unknown): ReturnType<typeof readPackIndex> {
  const file = Buffer.concat([...packHead(index), block]);
  return readPackIndex(async (offset, length) => file.subarray(offset, offset + length), file.length);
}

test('ignores an index of another form when its checksum is valid', async () => {
  const whole = { start: 0, length: block.length, texts: [at] };
  assert.deepEqual((await read([whole]))?.blocks, [whole]);
  for (const other of [
    {},
    [null],
    [{ ...whole, texts: {} }],
    [{ ...whole, texts: [null] }],
    [{ ...whole, length: -1 }],
  ])
    assert.equal(await read(other), undefined, JSON.stringify(other));
  assert.equal(await read([{ ...whole, length: block.length + 1 }]), undefined);
});

test('decompresses no more than the index says', async () => {
  const bomb = deflateRawSync(Buffer.alloc(50_000_000));
  await assert.rejects(extractText(bomb, { start: 0, length: bomb.length, texts: [at] }, at));
});
