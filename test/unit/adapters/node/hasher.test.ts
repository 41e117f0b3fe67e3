import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { getHeapStatistics } from 'node:v8';
import fc from 'fast-check';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import { runToEnd } from '../../../../src/base/time-slice.ts';

const expected = (bytes: Uint8Array): string =>
  createHash('sha1').update(`blob ${bytes.byteLength}\0`).update(bytes).digest('hex');

test('hashes a text like its UTF-8 bytes', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.string({ unit: 'grapheme' }),
    fc.constant('a\ud800b'),
  );
  fc.assert(
    fc.property(anyText, text => {
      const bytes = new TextEncoder().encode(text);
      assert.equal(nodeHasher.gitBlob(text), expected(bytes));
      assert.equal(nodeHasher.gitBlob(bytes), expected(bytes));
      assert.equal(nodeHasher.sha256(text), nodeHasher.sha256(bytes));
    }),
  );
});

test('hashes bytes of every size, at once and with pauses', () => {
  for (const size of [0, 1, 9, 10, 65_520, 65_524, 65_525, 65_526, 65_527, 65_536, 1_100_000]) {
    const bytes = Uint8Array.from({ length: size }, (_, at) => at * 7);
    assert.equal(nodeHasher.gitBlob(bytes), expected(bytes), `${size} bytes`);
    assert.equal(runToEnd(nodeHasher.gitBlobPausable(bytes)), expected(bytes), `${size} bytes`);
  }
});

test('creates no native object for each hash of small content', () => {
  const script = new TextEncoder().encode('return 1');
  const handles = (): number => getHeapStatistics().used_global_handles_size;
  const before = handles();
  for (let count = 0; count < 10_000; count += 1) {
    nodeHasher.gitBlob(script);
    nodeHasher.gitBlob('return 1');
    nodeHasher.sha256('return 1');
    runToEnd(nodeHasher.gitBlobPausable(script));
  }
  assert.ok(handles() - before < 10_000, `${handles() - before} bytes of handles`);
});
