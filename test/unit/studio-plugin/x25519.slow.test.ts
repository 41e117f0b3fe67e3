import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import { nodePairingCrypto } from '../../../src/adapters/node/pairing-crypto.ts';
import type { LuauVm } from '../../../src/headless-studio/vm.ts';
import { startTestVm } from '../../harness/luau-vm.ts';

let vm: LuauVm;
before(async () => {
  vm = await startTestVm();
});

const run = (name: string, ...inputs: readonly string[]): unknown =>
  vm.run(
    `local hex = require("@plugin/core/pairing/sha256")
    local inputs = {}
    for _, text in args[2] do table.insert(inputs, hex.fromHex(text)) end
    return hex.toHex(require("@plugin/core/pairing/x25519")[args[1]](table.unpack(inputs)))`,
    'chunk',
    name,
    inputs,
  )[0];

/** RFC 7748, section 5.2. */
test('X25519 is that of RFC 7748', () => {
  for (const [scalar, point, product] of [
    [
      'a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4',
      'e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c',
      'c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552',
    ],
    [
      '4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d',
      'e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493',
      '95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957',
    ],
  ] as const)
    assert.equal(run('scalarMultiply', scalar, point), product);
});

/** RFC 7748, section 6.1. */
test('the public key is that of RFC 7748, and both sides compute one secret', () => {
  const other = '77076d0a7318a57d3c16c17251b26645df4b2f2b5f1f2b2c2c2b1c7d7a2a1b2a';
  const bob = '5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb';
  const [otherKey, bobKey] = [String(run('publicKey', other)), String(run('publicKey', bob))];
  assert.equal(bobKey, 'de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f');
  assert.equal(run('scalarMultiply', other, bobKey), run('scalarMultiply', bob, otherKey));
});

test('agrees on a secret with Node', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), bytes => {
      const secret = Buffer.from(bytes).toString('hex');
      const exchange = nodePairingCrypto.newExchange();
      const shared = exchange.secretWith(String(run('publicKey', secret)));
      assert.equal(run('scalarMultiply', secret, exchange.publicKey), shared);
    }),
    { numRuns: 5 },
  );
});

test('Node computes no secret with an invalid or a weak public key', () => {
  for (const key of ['', 'zz', '00'.repeat(31), '00'.repeat(32), `01${'00'.repeat(31)}`])
    assert.equal(nodePairingCrypto.newExchange().secretWith(key), undefined, key);
});
