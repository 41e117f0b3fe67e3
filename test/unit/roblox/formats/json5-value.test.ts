import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runToEnd } from '../../../../src/base/time-slice.ts';
import { exactJsonValue, parseJsonDocument } from '../../../../src/roblox/formats/json5-document.ts';
import { parseJsonValuePausable } from '../../../../src/roblox/formats/json5-value.ts';

const parse = (text: string) => runToEnd(parseJsonValuePausable(text));

/** Both ways of reading have the same value, warnings and error. */
function assertSame(text: string): void {
  const document = parseJsonDocument(text);
  const expected = document.ok
    ? { ok: true, value: { value: exactJsonValue(document.value.root), warnings: document.value.warnings } }
    : document;
  assert.deepEqual(parse(text), expected, text);
}

const number = fc.oneof(
  fc.double().map(String),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
  fc.constantFrom('9007199254740993', '-9223372036854775808', '1e400', '-0', '0.1', '1E5', '01', '0x1f'),
);
const key = fc.oneof(fc.constantFrom('a', 'b', '1', '__proto__', 'a"b', 'a\\'), fc.string());
const { value } = fc.letrec<{ readonly value: string }>(tie => ({
  value: fc.oneof(
    { maxDepth: 4 },
    number,
    fc.string().map(text => JSON.stringify(text)),
    fc.constantFrom('null', 'true', 'false', '[]', '{}', "'it\"s'", '"\\u0041\\\\"', 'NaN'),
    fc.array(tie('value'), { maxLength: 4 }).map(elements => `[${elements.join(', ')}]`),
    fc
      .array(fc.tuple(key, tie('value')), { maxLength: 4 })
      .map(members => `{${members.map(([name, of]) => `${JSON.stringify(name)}: ${of}`).join(',\n ')}}`),
  ),
}));

test('reads the same value as with positions, with every digit and warning', () => {
  fc.assert(fc.property(value, assertSame), { numRuns: 1_000 });
});

test('reads texts with any mistake as with positions', () => {
  const damaged = fc
    .tuple(value, fc.nat(), fc.constantFrom('', ',', '}', ']', '"', '// {\n', '/* " */', '\\', "'", 'x', '\uFEFF'))
    .map(
      ([text, at, inserted]) => text.slice(0, at % (text.length + 1)) + inserted + text.slice(at % (text.length + 1)),
    );
  fc.assert(fc.property(damaged, assertSame), { numRuns: 1_000 });
});

test('reads nesting up to the limit, and refuses deeper nesting', () => {
  for (const depth of [127, 128, 129, 5_000]) assertSame('['.repeat(depth) + ']'.repeat(depth));
  const inside = (depth: number): string => `{"a": ${'['.repeat(depth)}${']'.repeat(depth)}}`;
  for (const depth of [127, 128]) assertSame(inside(depth));
});

test('reads a large text in parts, with pauses', () => {
  const item = { className: 'Part', properties: { Size: [1, 2, 3], Color: [0.1, 0.2, 0.3], Name: 'a "b" \\' } };
  const text = JSON.stringify(
    { className: 'Folder', children: Array.from({ length: 5_000 }, () => item) },
    undefined,
    2,
  );
  let pauses = 0;
  const work = parseJsonValuePausable(text);
  for (let step = work.next(); ; step = work.next()) {
    if (step.done === true) {
      assert.deepEqual(step.value, { ok: true, value: { value: JSON.parse(text), warnings: [] } });
      break;
    }
    pauses += 1;
  }
  assert.ok(pauses > 100, `${pauses} pauses`);
});

test('reads __proto__ as an ordinary key', () => {
  const parsed = parse('{"__proto__": {"a": 1}, "b": 2}');
  assert.ok(parsed.ok);
  assert.deepEqual(Object.keys(parsed.value.value as object), ['__proto__', 'b']);
});
