import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import { nodeClock } from '../../../../src/adapters/node/clock.ts';
import { TimeSlice } from '../../../../src/base/time-slice.ts';
import { MAX_DEPTH } from '../../../../src/protocol/limits.ts';
import { MessageMemory } from '../../../../src/protocol/message-memory.ts';
import { readBody, readJsonBody } from '../../../../src/transport/http/body.ts';

function request(chunks: readonly (string | Uint8Array)[], headers: Record<string, string> = {}): IncomingMessage {
  const message = new IncomingMessage(new Socket());
  Object.assign(message.headers, headers);
  for (const chunk of chunks) message.push(chunk);
  message.push(null);
  return message;
}

const slice = new TimeSlice(nodeClock);
const whole = async (bytes: Uint8Array): Promise<Uint8Array> => bytes;

test('joins a body from its chunks, including split characters', async () => {
  const bytes = new TextEncoder().encode('{"text":"grün"}');
  const read = await readJsonBody(request([bytes.slice(0, 12), bytes.slice(12)]), slice);
  assert.deepEqual(read, { ok: true, value: { text: 'grün' } });
});

test('refuses one byte over the limit, also without a declared length', async () => {
  assert.deepEqual(await readBody(request(['12345', '6789']), whole, slice, 8), { ok: false, error: 'tooLarge' });
  assert.equal((await readBody(request(['1234', '5678']), whole, slice, 8)).ok, true);
});

test('refuses a declared length over the limit before reading', async () => {
  const message = request(['1'], { 'content-length': '9' });
  assert.deepEqual(await readBody(message, whole, slice, 8), { ok: false, error: 'tooLarge' });
  assert.equal(message.readableDidRead, false);
});

test('refuses a body that is not UTF-8, not JSON or empty', async () => {
  for (const chunks of [[], ['{'], ['nope'], [new Uint8Array([0x22, 0xff, 0x22])]])
    assert.deepEqual(await readJsonBody(request(chunks), slice), { ok: false, error: 'notJson' });
});

test('limits nesting, and ignores brackets in strings', async () => {
  const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
  assert.equal((await readJsonBody(request([nested(MAX_DEPTH)]), slice)).ok, true);
  assert.equal((await readJsonBody(request([nested(MAX_DEPTH + 1)]), slice)).ok, false);
  assert.equal((await readJsonBody(request([JSON.stringify(`\\"${'['.repeat(1000)}`)]), slice)).ok, true);
});

test('reads every JSON value of ordinary depth unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ maxDepth: 5 }), async value => {
      const text = JSON.stringify(value);
      assert.deepEqual(await readJsonBody(request([text]), slice), { ok: true, value: JSON.parse(text) });
    }),
  );
});

test('drops the oldest unfinished body when all bodies together exceed the limit', () => {
  const memory = new MessageMemory(100);
  const dropped: string[] = [];
  const reserve = (name: string) => memory.reserve(() => dropped.push(name));
  const [first, second, third] = [reserve('first'), reserve('second'), reserve('third')];
  first.resize(40);
  second.resize(40);
  first[Symbol.dispose]();
  third.resize(60);
  assert.deepEqual(dropped, []);
  third.resize(90);
  assert.deepEqual(dropped, ['second']);
  second[Symbol.dispose]();
  reserve('fourth').resize(100);
  assert.deepEqual(dropped, ['second', 'third']);
});
