import { test } from 'node:test';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { FormatError } from '../../../../src/roblox/encoding/byte-reader.ts';
import { compressLz4, decompressLz4 } from '../../../../src/roblox/formats/rbxm/lz4-block.ts';

const repetitive = fc
  .array(fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.nat(60)), { maxLength: 20 })
  .map(
    parts => new Uint8Array(parts.flatMap(([bytes, times]) => Array.from({ length: times }, () => [...bytes]).flat())),
  );

test('decompresses compressed bytes', () => {
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 2000 }), repetitive), bytes =>
      assert.deepEqual(decompressLz4(compressLz4(bytes), bytes.length), bytes),
    ),
  );
  const large = Uint8Array.from({ length: 300_000 }, (_, index) => (index * index) >> 7);
  assert.deepEqual(decompressLz4(compressLz4(large), large.length), large);
});

test('compresses repetition', () => {
  assert.ok(compressLz4(new Uint8Array(100_000)).length < 500);
});

test('decompresses a match that overlaps its output', () => {
  // One literal, then eight bytes from a distance of one byte, then five literals.
  const block = Uint8Array.of(0x14, 0x61, 0x01, 0x00, 0x50, 0x62, 0x62, 0x62, 0x62, 0x62);
  assert.equal(Buffer.from(decompressLz4(block, 14)).toString(), 'aaaaaaaaabbbbb');
});

for (const [what, block, size] of [
  ['a distance of zero', [0x14, 0x61, 0x00, 0x00, 0x00], 9],
  ['a distance before the start', [0x14, 0x61, 0x05, 0x00, 0x00], 9],
  ['too many literals', [0x50, 0x61], 5],
  ['more bytes than announced', [0x50, 1, 2, 3, 4, 5], 4],
  ['fewer bytes than announced', [0x10, 0x61], 2],
  ['an end inside a distance', [0x14, 0x61, 0x01], 9],
  ['an end inside a length', [0xf0, 255], 300],
  ['an announced size of gigabytes', [0x10, 0x61], 4_000_000_000],
] as const)
  test(`refuses ${what}`, () => {
    assert.throws(() => decompressLz4(new Uint8Array(block), size), FormatError);
  });

test('returns bytes or a FormatError for any bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat(300), (block, size) => {
      try {
        assert.equal(decompressLz4(block, size).length, size);
      } catch (error) {
        assert.ok(error instanceof FormatError);
      }
    }),
    { numRuns: 2000 },
  );
});
