import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DecodeBudgetError } from '../../../../src/base/decode/decode-budget.ts';
import { JsonSyntaxError, parseJsonPausable } from '../../../../src/base/decode/paced-json.ts';
import { runToEnd } from '../../../../src/base/time-slice.ts';

const limits = { bytes: 64 * 1024 * 1024, depth: 128, elements: 1_000_000 };
const parse = (text: string): unknown => runToEnd(parseJsonPausable(Buffer.from(text), limits));

/** Strings around the size of a batch, with the characters that make cutting difficult. */
const longText = fc
  .tuple(fc.constantFrom('a', '\\', '"', 'é', '😀', '\u0001', '\ud800', '\\\\"\n'), fc.integer({ min: 1, max: 40_000 }))
  .map(([unit, count]) => unit.repeat(Math.ceil(count / unit.length)));
const anyJson = fc.letrec(tie => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constant(null),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.string({ unit: 'grapheme' }),
    longText,
    fc.array(tie('value'), { maxLength: 6 }),
    fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('__proto__', '1', 'a')), tie('value'), { maxKeys: 6 }),
  ),
})).value;

test('parses every value as JSON.parse does', () => {
  fc.assert(
    fc.property(anyJson, fc.constantFrom(undefined, 2, '\t'), (value, indent) => {
      const text = JSON.stringify(value, undefined, indent);
      assert.deepEqual(parse(text), JSON.parse(text));
    }),
    { numRuns: 300 },
  );
});

test('returns objects with many members as maps if the caller reads those', () => {
  const members = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`member ${at}`, { at }]));
  const text = `{"few":{"a":1},"many":${JSON.stringify(members).slice(0, -1)},"__proto__":2,"member 7":3}}`;
  const parsed = runToEnd(parseJsonPausable(Buffer.from(text), limits, true));
  const { few, many } = parsed as { few: object; many: Map<string, unknown> };
  assert.deepEqual(few, { a: 1 });
  const expected = new Map<string, unknown>(Object.entries(members)).set('__proto__', 2).set('member 7', 3);
  assert.deepEqual(many, expected);
  assert.ok(!((parse(text) as { many: object }).many instanceof Map));
});

test('accepts and rejects the same texts as JSON.parse when one character changed', () => {
  const characters = fc.constantFrom(...'[]{}",:\\ 1a\n\u0001'.split(''));
  const outcome = (read: (text: string) => unknown, text: string): unknown => {
    try {
      return { value: read(text) };
    } catch (error) {
      assert.ok(error instanceof SyntaxError || error instanceof JsonSyntaxError, String(error));
      return 'rejected';
    }
  };
  fc.assert(
    fc.property(anyJson, fc.nat(), characters, fc.boolean(), (value, index, character, isInserted) => {
      const text = JSON.stringify(value).toWellFormed();
      const at = index % text.length;
      const changed = (text.slice(0, at) + character + text.slice(at + (isInserted ? 0 : 1))).toWellFormed();
      assert.deepEqual(outcome(parse, changed), outcome(JSON.parse, changed));
    }),
    { numRuns: 1000 },
  );
});

test('pauses at least every 64 KB of a large list, object and text', () => {
  const texts = [
    JSON.stringify(Array.from({ length: 100_000 }, (_, index) => ({ id: index }))),
    JSON.stringify(Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`key ${index}`, [index]]))),
    JSON.stringify({ source: 'x"\\'.repeat(1_000_000) }),
  ];
  for (const text of texts) {
    const work = parseJsonPausable(Buffer.from(text), limits);
    let pauses = 0;
    let step = work.next();
    for (; step.done !== true; step = work.next()) pauses += 1;
    assert.deepEqual(step.value, JSON.parse(text));
    assert.ok(pauses >= text.length / 65_536, `${pauses} pauses in ${text.length} characters`);
  }
});

const exceeds = (excess: string) => (error: unknown) => error instanceof DecodeBudgetError && error.excess === excess;

test('rejects a text that exceeds a limit', () => {
  assert.throws(() => parse('['.repeat(129) + ']'.repeat(129)), exceeds('depth'));
  assert.deepEqual(parse('['.repeat(128) + ']'.repeat(128)), JSON.parse('['.repeat(128) + ']'.repeat(128)));
  assert.throws(() => parse(`[${'[],'.repeat(600_000)}0]`), exceeds('elements'));
  assert.throws(() => runToEnd(parseJsonPausable(new Uint8Array(11), { ...limits, bytes: 10 })), exceeds('bytes'));
  const limited = (text: string) =>
    runToEnd(parseJsonPausable(Buffer.from(text), { ...limits, members: 3, text: 40_000 }));
  assert.deepEqual(limited('[{"a":1,"b":2,"c":3},[1,2,3,4]]'), [{ a: 1, b: 2, c: 3 }, [1, 2, 3, 4]]);
  assert.throws(() => limited('{"a":1,"b":{},"c":3,"d":4}'), exceeds('members'));
  assert.equal(limited(JSON.stringify('a'.repeat(39_000))), 'a'.repeat(39_000));
  assert.throws(() => limited(JSON.stringify('a'.repeat(100_000))), exceeds('text'));
});

test('rejects endless white space, endless numbers and bytes that are not UTF-8', () => {
  for (const text of [`[${' '.repeat(100_000)}]`, '1'.repeat(100_000), ' '.repeat(100_000)])
    assert.throws(() => parse(text), JsonSyntaxError);
  assert.throws(() => runToEnd(parseJsonPausable(Buffer.from([0x22, 0xff, 0x22]), limits)), JsonSyntaxError);
});
