import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ChannelFrame } from '../../../../src/ports/studio-channel.ts';
import { textOfFrame } from '../../../harness/text-of-frame.ts';
import { socketChannelPair } from '../../../harness/socket-channel-pair.ts';
import { until } from '../../../harness/until.ts';
import { FrameSplitter } from '../../../../src/adapters/ws/split-frames.ts';

test('delivers every message of every size whole, in order and with its type', async () => {
  await using pair = await socketChannelPair();
  pair.channel.liftLimit();
  const received: ChannelFrame[] = [];
  pair.channel.onMessage(frame => received.push(frame));
  const sizes = [0, 1, 125, 126, 65_535, 65_536, 65_537, 131_072, 131_073, 1_000_001];
  const texts = sizes.map(size => 'aü€'.repeat(size).slice(0, size));
  for (const text of texts) {
    pair.client.send(Buffer.from(text));
    pair.client.send(text);
    pair.client.ping();
    // A client may also send a message in fragments.
    pair.client.send(text, { fin: false });
    pair.client.send(text);
  }
  await until(() => received.length === 2 * texts.length);
  assert.deepEqual(
    received.map(textOfFrame),
    texts.flatMap(text => [text, text + text]),
  );
  assert.ok(received.filter(frame => typeof frame !== 'string').length >= 5);
});

test('returns the same bytes however the stream is split', () => {
  const frame = (size: number): Buffer => {
    const header = Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4]);
    header.writeBigUInt64BE(BigInt(size), 2);
    return Buffer.concat([header, Buffer.alloc(size, 7)]);
  };
  const stream = Buffer.concat([frame(5), frame(200_000), frame(0), frame(65_537)]);
  const whole = Buffer.concat(new FrameSplitter().take(Buffer.from(stream)).out);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 70_000 })), cuts => {
      const splitter = new FrameSplitter();
      const pieces: Buffer[] = [];
      let at = 0;
      for (const length of [...cuts, stream.length]) {
        pieces.push(...splitter.take(Buffer.from(stream.subarray(at, at + length))).out);
        at += length;
      }
      assert.ok(Buffer.concat(pieces).equals(whole));
    }),
  );
});

test('counts the memory of a message until its end, but not that of control frames', () => {
  const splitter = new FrameSplitter();
  const frame = (first: number, size: number): Buffer =>
    Buffer.concat([Buffer.from([first, 0xfe, size >> 8, size & 0xff, 1, 2, 3, 4]), Buffer.alloc(size)]);
  const [text, more, end, ping] = [0x01, 0x00, 0x80, 0x89];
  splitter.take(frame(text, 1000));
  const begun = splitter.pendingBytes;
  assert.ok(begun >= 1000 && begun < 1500, String(begun));
  for (let count = 0; count < 100; count++) splitter.take(Buffer.from([ping, 0x80, 1, 2, 3, 4]));
  assert.equal(splitter.pendingBytes, begun);
  splitter.take(frame(more, 500).subarray(0, 300));
  assert.ok(splitter.pendingBytes > begun + 250);
  splitter.take(frame(more, 500).subarray(300));
  splitter.take(frame(end, 0));
  assert.equal(splitter.pendingBytes, 0);
});

test('closes only the channel when a listener throws', async () => {
  await using pair = await socketChannelPair();
  pair.channel.liftLimit();
  const closings: string[] = [];
  pair.channel.onClosed(({ reason }) => closings.push(reason));
  pair.channel.onMessage(() => {
    throw new RangeError('too deep');
  });
  pair.client.send('{}');
  await until(() => closings.length > 0);
  assert.deepEqual(closings, ['too deep']);
});
