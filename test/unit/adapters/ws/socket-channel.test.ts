import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChannelFrame } from '../../../../src/ports/studio-channel.ts';
import { BUDGET_MS, MAX_FRAME_BYTES } from '../../../../src/protocol/limits.ts';
import { ManualClock } from '../../../harness/manual-clock.ts';
import { socketChannelPair } from '../../../harness/socket-channel-pair.ts';
import { until } from '../../../harness/until.ts';

async function start() {
  const clock = new ManualClock();
  const pair = await socketChannelPair(clock);
  const closings: string[] = [];
  pair.channel.onClosed(({ reason }) => closings.push(reason));
  return { ...pair, clock, closings, [Symbol.asyncDispose]: () => pair[Symbol.asyncDispose]() };
}

test('keeps the connection of a peer that answers its pings', async () => {
  await using pair = await start();
  let pings = 0;
  pair.client.on('ping', () => (pings += 1));
  for (let beat = 1; beat <= 5; beat += 1) {
    const before = pings;
    pair.clock.advance(BUDGET_MS.ping);
    await until(() => pings > before);
    // The pong is sent before this frame, so it has arrived when the frame arrives.
    const heard = new Promise<void>(resolve => pair.channel.onMessage(() => resolve()));
    pair.client.send('sign of life');
    await heard;
  }
  assert.deepEqual(pair.closings, []);
});

test('measures the round trip time from the first ping on', async () => {
  await using pair = await start();
  await until(() => pair.channel.latencyMs?.() !== undefined);
  pair.client.pause();
  pair.clock.advance(BUDGET_MS.ping);
  pair.clock.advance(12);
  pair.client.resume();
  await until(() => pair.channel.latencyMs?.() === 12);
});

test('closes the connection after two unanswered pings', async () => {
  await using pair = await start();
  pair.client.pause();
  pair.clock.advance(2 * BUDGET_MS.ping);
  assert.deepEqual(pair.closings, []);
  pair.clock.advance(BUDGET_MS.ping);
  await until(() => pair.closings.length > 0);
  assert.deepEqual(pair.closings, ['no answer to two pings (10000 ms)']);
  assert.equal(pair.clock.pending, 0);
});

test('terminates the connection when the peer does not answer the close', async () => {
  await using pair = await start();
  pair.client.pause();
  pair.channel.close('the bridge stops');
  pair.clock.advance(1_000);
  await until(() => pair.closings.length > 0);
  assert.deepEqual(pair.closings, ['the bridge stops']);
});

test('closes the connection at a frame over the limit', async () => {
  await using pair = await start();
  pair.client.send('x'.repeat(MAX_FRAME_BYTES + 1));
  await until(() => pair.closings.length > 0);
  assert.match(pair.closings[0]!, /Max payload size exceeded/);
});

test('ignores binary frames, and truncates a reason to the size of a close frame', async () => {
  await using pair = await start();
  const messages: ChannelFrame[] = [];
  pair.channel.onMessage(text => messages.push(text));
  pair.client.send(Buffer.from('binary'));
  pair.client.send('text');
  await until(() => messages.length > 0);
  assert.deepEqual(messages, ['text']);
  const closed = new Promise<string>(resolve => pair.client.once('close', (_code, text) => resolve(String(text))));
  pair.channel.close('ü'.repeat(100));
  assert.equal(await closed, 'ü'.repeat(61));
});

test('drops the oldest unfinished message when all take too much memory, never an idle Studio', async () => {
  await using idle = await start();
  idle.client.send('hello');
  const busy = [await start(), await start(), await start()];
  for (const pair of [idle, ...busy]) pair.channel.liftLimit();
  const half = 'x'.repeat(MAX_FRAME_BYTES - 1024);
  for (const { client, closings } of busy) {
    client.send(half, { fin: false });
    await until(() => client.bufferedAmount === 0 || closings.length > 0);
  }
  await until(() => busy[0]?.closings.length === 1);
  assert.deepEqual(
    [idle, ...busy].map(({ closings }) => closings.length),
    [0, 1, 0, 0],
  );
  for (const pair of busy) await pair[Symbol.asyncDispose]();
});
