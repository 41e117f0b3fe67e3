import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { FrameSplitter, withSplitFrames } from '../../../../src/adapters/ws/split-frames.ts';

const KB = 1024;

/** One masked text frame of that length. */
function frame(length: number): Buffer {
  const header = Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  header.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([header, Buffer.alloc(length, 0x20)]);
}

test('passes on at most 1 MB of all sockets in one turn, and everything in the end', async () => {
  const sockets = Array.from({ length: 12 }, () => new PassThrough({ highWaterMark: 8 * KB * KB }));
  const bytes = frame(2 * KB * KB);
  let inTurn = 0;
  let most = 0;
  const totals = sockets.map(() => 0);
  const begins = Promise.withResolvers<void>();
  const endTurn = (): void => {
    most = Math.max(most, inTurn);
    inTurn = 0;
    if (totals.every(total => total >= bytes.length)) begins.resolve();
    else setImmediate(endTurn);
  };
  for (const [index, socket] of sockets.entries()) {
    const split = withSplitFrames(socket, Buffer.alloc(0), new FrameSplitter());
    split.on('data', (chunk: Buffer) => {
      inTurn += chunk.length;
      totals[index] = (totals[index] ?? 0) + chunk.length;
    });
    for (let at = 0; at < bytes.length; at += 64 * KB) socket.write(bytes.subarray(at, at + 64 * KB));
  }
  setImmediate(endTurn);
  await begins.promise;
  // A turn has what arrives before and what waited for its end.
  assert.ok(most <= 2.2 * KB * KB, `${most} bytes in one turn`);
});
