import { test } from 'node:test';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { FormatError } from '../../../../src/roblox/encoding/byte-reader.ts';
import { runToEnd } from '../../../../src/base/time-slice.ts';
import { compressLz4, compressLz4Pausable, decompressLz4 } from '../../../../src/roblox/formats/rbxm/lz4-block.ts';

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

test('compresses pieces of any length to one block', () => {
  const long = fc
    .constantFrom(0, 1, 5, 12, 20_000)
    .map(length => Uint8Array.from({ length }, (_, at) => (at * at) >> 5));
  const piece = fc.oneof(fc.uint8Array({ maxLength: 300 }), repetitive, long);
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), pieces => {
      const whole = Buffer.concat(pieces);
      const block = runToEnd(compressLz4Pausable(pieces)).finish();
      assert.ok(whole.equals(decompressLz4(block, whole.length)));
    }),
  );
});

test('stores bytes that do not compress in few more bytes, and compresses what follows', () => {
  let state = 1;
  const noise = Uint8Array.from(
    { length: 200_000 },
    () => (state = Math.imul(state, 1_664_525) + 1_013_904_223) >>> 24,
  );
  const text = new TextEncoder().encode('local part = Instance.new("Part")\n'.repeat(5000));
  const block = compressLz4(Buffer.concat([noise, text]));
  assert.ok(Buffer.concat([noise, text]).equals(decompressLz4(block, noise.length + text.length)));
  assert.ok(block.length < noise.length * 1.01 + 2000, `${block.length} bytes`);
});

test('stores mesh data as few long pieces when only four bytes match here and there', () => {
  let state = 1;
  const mesh = Uint8Array.from({ length: 400_000 }, (_, index) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return index % 3 === 0 ? 0 : state >>> 24;
  });
  const block = runToEnd(compressLz4Pausable([mesh]));
  assert.ok(Buffer.from(mesh).equals(decompressLz4(block.finish(), mesh.length)));
  assert.ok(block.pieces().some(({ length }) => length > mesh.length / 2));
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
