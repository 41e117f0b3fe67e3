import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, test } from 'node:test';
import fc from 'fast-check';
import type { LuauVm } from '../../../src/headless-studio/vm.ts';
import { startTestVm } from '../../harness/luau-vm.ts';

let vm: LuauVm;
before(async () => {
  vm = await startTestVm();
});

/** A Luau string of any bytes: strings are passed as UTF-8 text, so bytes are passed as a buffer. */
const gitBlob = (bytes: Uint8Array): unknown =>
  vm.run(`return require("@plugin/core/sha1").gitBlob(buffer.tostring(args[1]))`, 'chunk', bytes)[0];

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

for (const [name, source, hash] of [
  ['the empty text', '', 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'],
  ['hello and a line feed', 'hello\n', 'ce013625030ba8dba906f756967f9e9ca394464a'],
  ['a thousand x', 'x'.repeat(1000), '14c7dfdd4258dec5c0e9d2e919bd249bd674be1f'],
] as const) {
  test(`studioHash of ${name} is git's blob id`, () => {
    assert.equal(gitBlob(text(source)), hash);
  });
}

test('studioHash is SHA-1 of the blob header and the bytes, at every length around a block', () => {
  for (let length = 0; length < 200; length += 1) {
    const bytes = new Uint8Array(length).map((_, index) => (index * 7 + length) % 256);
    assert.equal(gitBlob(bytes), createHash('sha1').update(`blob ${length}\0`).update(bytes).digest('hex'));
  }
});

test('studioHash is SHA-1 of the blob header and the bytes, whatever they are', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 5000 }), bytes => {
      const expected = createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
      assert.equal(gitBlob(bytes), expected);
    }),
  );
});

test('a long text is hashed in steps, and another one may be hashed in between', () => {
  const [whole, steps, other] = vm.run(
    `local sha1 = require("@plugin/core/sha1")
    local text, steps, other = buffer.tostring(args[1]), 0, nil
    local whole = sha1.gitBlob(text, function()
      steps += 1
      other = sha1.gitBlob("hello\\n")
    end)
    return whole, steps, other`,
    'chunk',
    text('x'.repeat(100_000)),
  );
  assert.equal(
    whole,
    createHash('sha1')
      .update(`blob 100000\0${'x'.repeat(100_000)}`)
      .digest('hex'),
  );
  assert.equal(other, 'ce013625030ba8dba906f756967f9e9ca394464a');
  assert.equal(steps, 24);
});
