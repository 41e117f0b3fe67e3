import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { nodePairingCrypto } from '../../../src/adapters/node/pairing-crypto.ts';
import { nodeRandom } from '../../../src/adapters/node/random.ts';
import type { LuauVm } from '../../../src/headless-studio/vm.ts';
import { createStudioAccess } from '../../../src/studio/pairing/studio-access.ts';
import { PAIRING_LIMITS } from '../../../src/protocol/limits.ts';
import { defaultSettings } from '../../harness/default-settings.ts';
import { startPlace } from './start-place.ts';
import { ManualClock } from '../../harness/manual-clock.ts';
import { memoryChannel } from '../../harness/memory-channel.ts';
import { memoryLog } from '../../harness/memory-log.ts';
import { memoryStudioKeys } from '../../harness/memory-studio-keys.ts';
import { until } from '../../harness/until.ts';

let vm: LuauVm;
beforeEach(async () => {
  vm = await startPlace();
  vm.run(`
    local it = { out = {} }
    shared.it = it
    local keys = require("@plugin/core/pairing/keys")
    local prove = require("@plugin/core/pairing/prove")
    it.start = function(isPairing)
      it.failure, it.submit, it.key = nil, nil, it.key
      it.receive = prove.new({
        keys = keys.new(it.key),
        port = 34873,
        pair = if isPairing then {
          askCode = function(submit) it.submit = submit end,
          onPaired = function(machine, key) it.machine, it.key = machine, key end,
        } else nil,
        onSession = function(token) it.token = token end,
      })(function(frame) table.insert(it.out, frame) end, function() it.isProved = true end, function(reason) it.failure = reason end)
    end`);
});

/** The bridge's side, with the plugin in the VM at the other end of a channel. */
function world() {
  const clock = new ManualClock();
  const keys = memoryStudioKeys();
  const shown: string[] = [];
  const ended: (string | undefined)[] = [];
  let refuse = (): void => {};
  let admitted = 0;
  const access = createStudioAccess({
    clock,
    random: nodeRandom,
    crypto: nodePairingCrypto,
    keys,
    log: memoryLog(),
    settings: defaultSettings(),
    sessionId: 'session',
    prompts: undefined,
    ports: () => [1],
    admit: () => void (admitted += 1),
    codes: {
      show(code) {
        shown.push(code);
        const { promise, resolve } = Promise.withResolvers<void>();
        refuse = resolve;
        return { refused: promise, [Symbol.dispose]: () => {} };
      },
      ended: reason => void ended.push(reason),
    },
  });
  const connect = (isPairing: boolean) => {
    const pair = memoryChannel();
    access.accept(pair.channel, 'atlas');
    vm.run('shared.it.start(args[1])', 'chunk', isPairing);
    let read = 0;
    return {
      ...pair,
      /** Carries every waiting frame both ways, until nothing moves. */
      async carry(): Promise<void> {
        for (let idle = 0; idle < 20;) {
          const [out] = vm.run('local out = shared.it.out shared.it.out = {} return out') as unknown as [object[]];
          for (const frame of out) pair.peer.send(JSON.stringify(frame));
          const incoming = pair.peer.received.slice(read);
          read += incoming.length;
          for (const text of incoming) vm.run('shared.it.receive(args[1])', 'chunk', JSON.parse(text));
          idle = out.length + incoming.length === 0 ? idle + 1 : 0;
          await new Promise(resolve => setImmediate(resolve));
        }
      },
      submit: (code: string) => vm.run('shared.it.submit(args[1])', 'chunk', code),
    };
  };
  /** A program that starts a pairing and ends its connection, which is the cheapest failure. */
  const connectRaw = () => {
    const { peer, channel } = memoryChannel();
    access.accept(channel, 'atlas');
    const settle = async (): Promise<void> => {
      for (let turn = 0; turn < 5; turn += 1) await new Promise(resolve => setImmediate(resolve));
    };
    return {
      async guess(): Promise<void> {
        peer.send(JSON.stringify({ type: 'identify', nonce: 'n'.repeat(64), keyIds: [], pairs: true }));
        await settle();
        peer.send(JSON.stringify({ type: 'pairRequest', publicKey: nodePairingCrypto.newExchange().publicKey }));
        await settle();
        peer.send(JSON.stringify({ type: 'pairCommit', commitment: 'a'.repeat(64) }));
        await settle();
        peer.send(JSON.stringify({ type: 'pairConfirm', salt: 'a'.repeat(64), code: 'b'.repeat(64) }));
        await settle();
      },
    };
  };
  return { clock, keys, shown, ended, connect, connectRaw, refuse: () => refuse(), admitted: () => admitted };
}

const state = (name: string): unknown => vm.run(`return shared.it[args[1]]`, 'chunk', name)[0] ?? undefined;
const otherCode = (code = ''): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

test('pairs by the code: both sides have the same key, which was never sent', async () => {
  const it = world();
  const pairing = it.connect(true);
  await pairing.carry();
  assert.match(it.shown[0] ?? '', /^\d{6}$/);
  pairing.submit(it.shown[0] ?? '');
  await pairing.carry();
  const { machine, paired } = await it.keys.read();
  const key = state('key') as { readonly id: string; readonly secret: string };
  assert.deepEqual(paired.at(-1), { id: key.id, secret: key.secret });
  assert.equal(state('machine'), machine);
  assert.deepEqual(it.ended, [undefined]);
  assert.ok(!pairing.peer.received.join().includes(key.secret));
  // The key works, also through a forwarded port with another number.
  await it.connect(false).carry();
  assert.equal(state('isProved'), true);
  assert.equal(it.admitted(), 1);
});

test('does not pair with a wrong code, which uses the code up', async () => {
  const it = world();
  const pairing = it.connect(true);
  await pairing.carry();
  pairing.submit(otherCode(it.shown[0]));
  await pairing.carry();
  assert.equal(state('failure'), 'the code was wrong');
  assert.match(it.ended[0] ?? '', /the code was wrong/);
  assert.equal((await it.keys.read()).paired.length, 1);
  const again = it.connect(true);
  await again.carry();
  assert.equal(it.shown.length, 2);
  again.submit(it.shown[1] ?? '');
  await again.carry();
  assert.equal((await it.keys.read()).paired.length, 2);
});

test('shows no further code after three failed attempts, for ten minutes', async () => {
  const it = world();
  const fail = async (): Promise<void> => {
    const pairing = it.connect(true);
    await pairing.carry();
    if (state('submit') === undefined) return;
    pairing.submit(otherCode(it.shown.at(-1)));
    await pairing.carry();
  };
  for (let tries = 0; tries < 3; tries += 1) await fail();
  const refused = it.connect(true);
  await refused.carry();
  assert.match(refused.peer.received.at(-1) ?? '', /too many attempts failed/);
  assert.equal(it.shown.length, 3);
  it.clock.advance(PAIRING_LIMITS.pauseMs);
  await it.connect(true).carry();
  assert.equal(it.shown.length, 4);
});

test('shows ten codes on the first day and one on each later one when many connections guess', async () => {
  const it = world();
  const minute = 60_000;
  const shownOn: number[] = [];
  for (let day = 0; day < 4; day += 1) {
    const before = it.shown.length;
    for (let passed = 0; passed < 24 * 60 * minute; passed += 10 * minute) {
      // A code is spent when its connection ends, which needs no plugin.
      for (let tries = 0; tries < 5; tries += 1) {
        const peer = it.connectRaw();
        await peer.guess();
      }
      it.clock.advance(10 * minute);
    }
    shownOn.push(it.shown.length - before);
  }
  assert.deepEqual(shownOn, [10, 1, 1, 1]);
});

test('forgets failed attempts when a Studio is paired', async () => {
  const it = world();
  const pair = async (codeOf: (shown: string | undefined) => string): Promise<void> => {
    const pairing = it.connect(true);
    await pairing.carry();
    if (state('submit') === undefined) return;
    pairing.submit(codeOf(it.shown.at(-1)));
    await pairing.carry();
  };
  for (const codeOf of [otherCode, otherCode, (shown?: string) => shown ?? '', otherCode, otherCode])
    await pair(codeOf);
  assert.equal(it.shown.length, 5);
  await it.connect(true).carry();
  assert.equal(it.shown.length, 6);
});

test('ends the pairing when the code expires, the person refuses it, or another Studio pairs', async () => {
  const it = world();
  const late = it.connect(true);
  await late.carry();
  const other = it.connect(true);
  await other.carry();
  assert.match(other.peer.received.at(-1) ?? '', /another Studio is being paired/);
  it.clock.advance(PAIRING_LIMITS.codeMs);
  await until(() => it.ended.length === 1);
  assert.equal(it.ended[0], 'the code has expired');
  await it.connect(true).carry();
  it.refuse();
  await until(() => it.ended.length === 2);
  assert.equal(it.ended[1], 'the pairing was refused');
  assert.equal((await it.keys.read()).paired.length, 1);
});

test('a program between the sides learns the code too late', async () => {
  const it = world();
  const honest = it.connect(true);
  await honest.carry();
  // It commits without the code, gets the proof of the bridge, and may compute the code from it; its commitment is fixed.
  const { peer } = honest;
  peer.send(JSON.stringify({ type: 'pairCommit', commitment: '00'.repeat(32) }));
  await until(() => peer.received.some(text => text.includes('"pairProof"')));
  peer.send(JSON.stringify({ type: 'pairConfirm', salt: '11'.repeat(32), code: '22'.repeat(32) }));
  await until(() => it.ended.length === 1);
  assert.match(it.ended[0] ?? '', /the code was wrong/);
  assert.equal((await it.keys.read()).paired.length, 1);
});
