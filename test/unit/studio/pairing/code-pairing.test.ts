import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodePairingCrypto } from '../../../../src/adapters/node/pairing-crypto.ts';
import { nodeRandom } from '../../../../src/adapters/node/random.ts';
import type { StudioKey } from '../../../../src/ports/studio-keys.ts';
import { pairingText } from '../../../../src/protocol/studio/pairing.ts';
import { ChannelReader } from '../../../../src/studio/pairing/channel-reader.ts';
import { CodePairing } from '../../../../src/studio/pairing/code-pairing.ts';
import { ManualClock } from '../../../harness/manual-clock.ts';
import { memoryChannel } from '../../../harness/memory-channel.ts';
import { memoryLog } from '../../../harness/memory-log.ts';
import { until } from '../../../harness/until.ts';

const hmac = (secret: string, text: string): string => nodePairingCrypto.hmac(secret, text);
const SALT = 'ab'.repeat(32);
const connection = { machine: 'm', sessionId: 's', pluginNonce: 'p', bridgeNonce: 'b' };
/** The proofs that a plugin sends: the proof that it commits to, and the one that it shows after it has seen that of the bridge. */
interface Proofs {
  readonly committed: string;
  shown(bridgeProof: { readonly code: string; readonly salt: string }): {
    readonly code: string;
    readonly salt: string;
  };
}

/** Runs a pairing with a plugin that ignores the proof of the bridge. Resolves with the reason of a refusal, and the keys of the bridge. */
async function pairWith(
  plugin: (codeOf: (code: string, role?: string) => string, code: () => string) => Proofs,
): Promise<{ readonly reason: string | undefined; readonly keys: readonly StudioKey[] }> {
  const codes: string[] = [];
  const keys: StudioKey[] = [];
  const pairing = new CodePairing({
    clock: new ManualClock(),
    random: nodeRandom,
    crypto: nodePairingCrypto,
    keys: { addPaired: async key => void keys.push(key) },
    codes: {
      show(code) {
        codes.push(code);
        return { refused: new Promise(() => {}), [Symbol.dispose]() {} };
      },
      ended() {},
    },
    log: memoryLog(),
  });
  const { channel, peer } = memoryChannel();
  const ended = pairing.run(channel, new ChannelReader(channel), connection);
  const next = async (count: number): Promise<Record<string, string>> => {
    await until(() => peer.received.length >= count);
    return JSON.parse(peer.received[count - 1] ?? '') as Record<string, string>;
  };
  const send = (message: object): void => peer.send(JSON.stringify(message));
  const exchange = nodePairingCrypto.newExchange();
  const { publicKey } = exchange;
  send({ type: 'pairRequest', publicKey });
  const ready = await next(1);
  const secret = hmac(
    exchange.secretWith(ready['publicKey'] ?? '') ?? '',
    pairingText(connection, [publicKey, ready['publicKey'] ?? '']),
  );
  const proofs = plugin(
    (code, role = 'plugin') => hmac(secret, `${role}\n${code}`),
    () => codes[0] ?? '',
  );
  send({ type: 'pairCommit', commitment: hmac(SALT, proofs.committed) });
  const proof = await next(2);
  send({ type: 'pairConfirm', ...proofs.shown({ code: proof['code'] ?? '', salt: proof['salt'] ?? '' }) });
  return { reason: await ended, keys };
}
const wrong = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

test('pairs a plugin that commits to the code and shows it', async () => {
  const { reason, keys } = await pairWith((codeOf, code) => ({
    committed: codeOf(code()),
    shown: () => ({ code: codeOf(code()), salt: SALT }),
  }));
  assert.deepEqual([reason, keys.length], [undefined, 1]);
});

test('pairs no plugin that guesses a code and ignores the proof of the bridge', async () => {
  const { reason, keys } = await pairWith((codeOf, code) => ({
    committed: codeOf(wrong(code())),
    shown: () => ({ code: codeOf(wrong(code())), salt: SALT }),
  }));
  assert.match(reason ?? '', /the code was wrong/);
  assert.deepEqual(keys, []);
});

test('pairs no plugin that finds the code in the proof of the bridge after it has committed', async () => {
  const { reason, keys } = await pairWith((codeOf, code) => ({
    committed: codeOf(wrong(code())),
    // With the secret of the exchange, a million codes are tried in seconds.
    shown(proof) {
      assert.equal(codeOf(code(), 'bridge'), proof.code);
      return { code: codeOf(code()), salt: SALT };
    },
  }));
  assert.match(reason ?? '', /the code was wrong/);
  assert.deepEqual(keys, []);
});

test('pairs no plugin that repeats the proof of the bridge', async () => {
  const { reason, keys } = await pairWith(codeOf => ({ committed: codeOf('000000'), shown: proof => proof }));
  assert.match(reason ?? '', /the code was wrong/);
  assert.deepEqual(keys, []);
});
