import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { before, test } from 'node:test';
import fc from 'fast-check';
import type { LuauVm } from '../../../src/headless-studio/vm.ts';
import { startTestVm } from '../../harness/luau-vm.ts';

let vm: LuauVm;
before(async () => {
  vm = await startTestVm();
});

/** Bytes cross as buffers, because a Luau string crosses as UTF-8 text. */
const sha256 = (bytes: Uint8Array): unknown =>
  vm.run(`return require("@plugin/core/pairing/sha256").hex(buffer.tostring(args[1]))`, 'chunk', bytes)[0];
const hmac = (key: Uint8Array, bytes: Uint8Array): unknown =>
  vm.run(
    `return require("@plugin/core/pairing/sha256").hmac(buffer.tostring(args[1]), buffer.tostring(args[2]))`,
    'chunk',
    key,
    bytes,
  )[0];

const ascii = (value: string): Uint8Array => new TextEncoder().encode(value);
const hex = (value: string): Uint8Array => new Uint8Array(Buffer.from(value, 'hex'));

/** FIPS 180-4. */
for (const [name, text, digest] of [
  ['the empty text', '', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ['abc', 'abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  [
    'two blocks',
    'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
    '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
  ],
] as const)
  test(`SHA-256 of ${name} is that of the standard`, () => assert.equal(sha256(ascii(text)), digest));

/** RFC 4231, sections 4.2 to 4.8 without the truncated one. */
const vectors: readonly (readonly [key: Uint8Array, data: Uint8Array, code: string])[] = [
  [hex('0b'.repeat(20)), ascii('Hi There'), 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7'],
  [
    ascii('Jefe'),
    ascii('what do ya want for nothing?'),
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  ],
  [hex('aa'.repeat(20)), hex('dd'.repeat(50)), '773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe'],
  [
    hex('0102030405060708090a0b0c0d0e0f10111213141516171819'),
    hex('cd'.repeat(50)),
    '82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b',
  ],
  [
    hex('aa'.repeat(131)),
    ascii('Test Using Larger Than Block-Size Key - Hash Key First'),
    '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
  ],
  [
    hex('aa'.repeat(131)),
    ascii(
      'This is a test using a larger than block-size key and a larger than block-size data. The key needs to be hashed before being used by the HMAC algorithm.',
    ),
    '9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2',
  ],
];
for (const [index, [key, data, code]] of vectors.entries())
  test(`HMAC-SHA-256 is that of RFC 4231, vector ${index + 1}`, () => assert.equal(hmac(key, data), code));

test('SHA-256 is that of Node at every length around a block', () => {
  for (let length = 0; length < 200; length += 1) {
    const bytes = new Uint8Array(length).map((_, index) => (index * 7 + length) % 256);
    assert.equal(sha256(bytes), createHash('sha256').update(bytes).digest('hex'));
  }
});

test('HMAC-SHA-256 is that of Node for every key and text', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.uint8Array({ maxLength: 400 }), (key, bytes) => {
      assert.equal(hmac(key, bytes), createHmac('sha256', key).update(bytes).digest('hex'));
    }),
  );
});
