import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import fc from 'fast-check';
import { readShortMembers } from '../../../../src/base/decode/json-members.ts';
import { runToEnd } from '../../../../src/base/time-slice.ts';

const read = (json: string): Readonly<Record<string, string | number>> =>
  runToEnd(readShortMembers(new TextEncoder().encode(json), ['type', 'seq']));

const name = fc.constantFrom('type', 'seq', 'edits', 'a"b', '\\', '{"type":1}');
const objects = fc.dictionary(name, fc.oneof(fc.jsonValue(), fc.string({ unit: 'grapheme' }), fc.integer()));

test('reads the same texts and numbers as JSON.parse, in objects of any form', () => {
  fc.assert(
    fc.property(objects, fc.constantFrom(undefined, 2), (object, indent) => {
      const json = JSON.stringify(object, undefined, indent);
      // Not the object itself: -0 is written as 0.
      const expected = Object.entries(JSON.parse(json) as object).filter(
        ([key, value]) => ['type', 'seq'].includes(key) && (typeof value === 'string' || typeof value === 'number'),
      );
      assert.deepEqual(read(json), Object.fromEntries(expected));
    }),
  );
});

test('leaves out values that are long, and ends at the end of any input', () => {
  assert.deepEqual(read(JSON.stringify({ type: 'x'.repeat(2_000), seq: 3 })), { seq: 3 });
  assert.deepEqual(read('{"edits":[{"type":"inner"}],"seq":4'), {});
  fc.assert(
    fc.property(objects, fc.nat(), (object, length) => {
      const json = JSON.stringify(object);
      const found = read(json.slice(0, length % (json.length + 1)));
      assert.ok(Object.keys(found).every(key => key === 'type' || key === 'seq'));
    }),
  );
  fc.assert(fc.property(fc.string(), text => void read(text)));
});

test('parses no other names or values, and of equal names the last one', () => {
  const parse = mock.method(JSON, 'parse');
  const others = Array.from({ length: 1_000 }, (_, at) => `"k${at}":"v${at}"`).join();
  const types = Array.from({ length: 1_000 }, (_, at) => `"type":"t${at}"`).join();
  try {
    assert.deepEqual(read(`{${others},${types},"\\u0073eq":1}`), { type: 't999' });
    assert.equal(parse.mock.callCount(), 1);
  } finally {
    parse.mock.restore();
  }
});
