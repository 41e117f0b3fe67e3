import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { frameOf, FrameReader, messageFrame, messageIn } from '../../../../../src/pluto/program/host/process-log.ts';

const frames = fc.array(
  fc.record({
    kind: fc.constantFrom('stdout' as const, 'stderr' as const, 'message' as const),
    bytes: fc.uint8Array({ maxLength: 300 }),
  }),
);

test('reads the frames of a pipe, however its bytes are divided', () => {
  fc.assert(
    fc.property(frames, fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (written, sizes) => {
      const bytes = Buffer.concat(written.map(({ kind, bytes: content }) => frameOf(kind, content)));
      const reader = new FrameReader();
      const read: { readonly kind: string; readonly bytes: readonly number[] }[] = [];
      for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
        const size = sizes[turn % sizes.length] ?? 1;
        for (const { kind, bytes: content } of reader.take(bytes.subarray(at, at + size)))
          read.push({ kind, bytes: Array.from(content) });
        at += size;
      }
      assert.deepEqual(
        read,
        written.map(({ kind, bytes: content }) => ({ kind, bytes: Array.from(content) })),
      );
    }),
  );
});

test('reads the messages of a pipe', () => {
  const message = { kind: 'tests', names: ['é', ''] };
  const [frame] = new FrameReader().take(messageFrame(message));
  assert.deepEqual(frame && messageIn(frame), message);
});
