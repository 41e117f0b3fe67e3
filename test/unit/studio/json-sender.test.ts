import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JsonSender } from '../../../src/studio/json-sender.ts';
import { ManualClock } from '../../harness/manual-clock.ts';
import { memoryChannel } from '../../harness/memory-channel.ts';
import { WorkingClock } from '../../harness/working-clock.ts';

const COUNT = 3_000;
const tree = {
  rootId: 'root',
  instances: Object.fromEntries(
    Array.from({ length: COUNT }, (_, at) => [
      `id${at}`,
      { Name: `Part${at}`, Properties: { Anchored: { Bool: true } } },
    ]),
  ),
};

test('pauses while it serializes a large message', async () => {
  let turns = 0;
  const clock = new (class extends WorkingClock {
    override after(ms: number, fn: () => void): () => void {
      turns += 1;
      return super.after(ms, fn);
    }
  })();
  const { channel, peer } = memoryChannel();
  await new JsonSender(channel, clock).send({ type: 'compare', tree });
  assert.deepEqual(JSON.parse(peer.received[0] ?? ''), { type: 'compare', tree });
  // The clock advances so fast that every second piece ends a slice.
  assert.ok(turns >= COUNT / 2, `${turns} turns`);
});

test('sends messages in the order of the calls', async () => {
  const { channel, peer } = memoryChannel();
  const sender = new JsonSender(channel, new WorkingClock());
  await Promise.all([sender.send({ type: 'compare', tree }), sender.send({ type: 'cancel' })]);
  assert.deepEqual(
    peer.received.map(text => /"type":"(\w+)"/.exec(text)?.[1]),
    ['compare', 'cancel'],
  );
});

test('sends a small message at once', () => {
  const { channel, peer } = memoryChannel();
  void new JsonSender(channel, new ManualClock()).send({ type: 'cancel' });
  assert.deepEqual(peer.received, ['{"type":"cancel"}']);
});

test('writes infinities and NaN as the words that the plugin parses', async () => {
  const { channel, peer } = memoryChannel();
  const values = [Infinity, -Infinity, NaN, 1];
  const sender = new JsonSender(channel, new ManualClock());
  void sender.send({ values });
  await sender.send({ values, tree: { ...tree, values } });
  const words = ['Infinity', '-Infinity', 'NaN', 1];
  assert.deepEqual(JSON.parse(peer.received[0] ?? ''), { values: words });
  assert.deepEqual(JSON.parse(peer.received[1] ?? ''), { values: words, tree: { ...tree, values: words } });
});

test('rejects a message that JSON cannot represent, and sends the next one', async () => {
  const { channel, peer } = memoryChannel();
  const sender = new JsonSender(channel, new ManualClock());
  await assert.rejects(sender.send({ value: 1n }), TypeError);
  await assert.rejects(sender.send({ tree, value: 1n }), TypeError);
  await sender.send({ type: 'cancel' });
  assert.deepEqual(peer.received, ['{"type":"cancel"}']);
});
