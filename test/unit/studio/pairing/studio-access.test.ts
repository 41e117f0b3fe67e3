import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodePairingCrypto } from '../../../../src/adapters/node/pairing-crypto.ts';
import { createStudioAccess } from '../../../../src/studio/pairing/studio-access.ts';
import { defaultSettings } from '../../../harness/default-settings.ts';
import { ManualClock } from '../../../harness/manual-clock.ts';
import { memoryChannel } from '../../../harness/memory-channel.ts';
import { memoryLog } from '../../../harness/memory-log.ts';
import { memoryStudioKeys } from '../../../harness/memory-studio-keys.ts';
import { settle } from '../../../harness/settle.ts';
import { sequentialRandom } from '../../../harness/sequential-random.ts';

test('names the real time limit when a silent peer is refused and the multiplier is set', () => {
  const clock = new ManualClock();
  const access = createStudioAccess({
    clock,
    random: sequentialRandom(),
    settings: defaultSettings({ timeoutMultiplier: () => 2 }),
    log: memoryLog(),
    sessionId: 'session',
    keys: memoryStudioKeys(),
    crypto: nodePairingCrypto,
    prompts: undefined,
    codes: undefined,
    ports: () => [],
    admit: () => assert.fail('a silent peer was admitted'),
  });
  const { channel, peer } = memoryChannel();
  access.accept(channel, 'atlas');
  clock.advance(19_999);
  assert.deepEqual(peer.received, []);
  clock.advance(1);
  const reason = 'timed out after 20000 ms waiting for a proof or hello';
  assert.deepEqual(peer.received, [JSON.stringify({ type: 'rejected', reason })]);
  assert.equal(clock.pending, 0);
});

test('admits no unpaired Studio whose connection closed right after its first message', async () => {
  const clock = new ManualClock();
  let held = 0;
  const access = createStudioAccess({
    clock,
    random: sequentialRandom(),
    settings: defaultSettings({ studioUnpaired: () => 'allow' }),
    log: memoryLog(),
    sessionId: 'session',
    keys: memoryStudioKeys(),
    crypto: nodePairingCrypto,
    prompts: undefined,
    codes: undefined,
    ports: () => [],
    admit: () => (held += 1),
  });
  const { channel, peer } = memoryChannel();
  access.accept(channel, 'atlas');
  peer.send(JSON.stringify({ type: 'hello' }));
  peer.close('gone');
  await settle();
  assert.equal(held, 0);
});
