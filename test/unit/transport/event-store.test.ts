import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import fc from 'fast-check';
import { MCP_EVENT_LIMITS } from '../../../src/protocol/limits.ts';
import { SessionEvents, STANDALONE_STREAM } from '../../../src/transport/mcp/event-store.ts';

const notification = (index: number): JSONRPCMessage => ({
  jsonrpc: '2.0',
  method: 'notifications/x',
  params: { index },
});
const answer = (id: number, text = ''): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id,
  result: { content: [{ type: 'text', text }] },
});

test('replays exactly the later events of the same stream, in order', async () => {
  const stored = fc.array(fc.constantFrom('a', 'b', STANDALONE_STREAM), { minLength: 1, maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(stored, fc.nat(), async (streams, pick) => {
      const events = new SessionEvents();
      const ids: string[] = [];
      for (const [index, stream] of streams.entries()) ids.push(await events.storeEvent(stream, notification(index)));
      const from = pick % streams.length;
      const sent: unknown[] = [];
      const stream = await events.replayEventsAfter(ids[from]!, {
        send: async (id, message) => void sent.push([id, message]),
      });
      assert.equal(stream, streams[from]);
      const expected = streams.flatMap((one, index) =>
        index > from && one === streams[from] ? [[ids[index], notification(index)]] : [],
      );
      assert.deepEqual(sent, expected);
    }),
  );
});

test('drops the oldest events when a limit is exceeded, and keeps the latest one', async () => {
  const events = new SessionEvents();
  const first = await events.storeEvent('a', notification(0));
  for (let index = 0; index < MCP_EVENT_LIMITS.count; index += 1) await events.storeEvent('b', notification(index));
  assert.equal(events.after(first), undefined);
  const big = await events.storeEvent('c', answer(1, 'x'.repeat(MCP_EVENT_LIMITS.bytes)));
  assert.deepEqual(events.after(big), []);
  assert.equal(await events.getStreamIdForEventId('b_3'), undefined);
});

test('detects when the stream of a request is complete', async () => {
  const events = new SessionEvents(() => [1, 2]);
  const priming = await events.storeEvent('a', {});
  assert.equal(events.isComplete(priming), false);
  await events.storeEvent('a', answer(1));
  assert.equal(events.isComplete(priming), false);
  await events.storeEvent('a', answer(2));
  assert.equal(events.isComplete(priming), true);
  assert.equal(events.after(priming)?.length, 2);
});

test('forgets the stream of a cancelled request', async () => {
  const events = new SessionEvents(() => [7]);
  const priming = await events.storeEvent('a', {});
  events.forgetRequest(8);
  assert.deepEqual(events.after(priming), []);
  events.forgetRequest(7);
  assert.equal(await events.getStreamIdForEventId(priming), undefined);
});

test('rejects ids that it did not create', async () => {
  const events = new SessionEvents();
  await events.storeEvent('a', notification(0));
  for (const id of ['', '_', 'a', 'a_', 'a_2', 'a_x', 'b_1', '__proto___1'])
    assert.equal(await events.getStreamIdForEventId(id), undefined, id);
});
