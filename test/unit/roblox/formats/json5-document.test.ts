import { test } from 'node:test';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  jsonValue,
  memberOf,
  parseJsonDocument,
  parseJsonDocumentPausable,
  positionAt,
  positionIn,
} from '../../../../src/roblox/formats/json5-document.ts';

function read(text: string): unknown {
  const parsed = parseJsonDocument(text);
  assert.ok(
    parsed.ok,
    parsed.ok ? '' : `${parsed.error.line}:${parsed.error.column} expected ${parsed.error.expected}`,
  );
  return jsonValue(parsed.value.root);
}

function problem(text: string): string {
  const parsed = parseJsonDocument(text);
  assert.ok(!parsed.ok, 'this text should not parse');
  return `${parsed.error.line}:${parsed.error.column} ${parsed.error.expected}`;
}

test('parses every JSON text like JSON.parse, compact and indented', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(undefined, 2, '\t'), (text, indent) => {
      const expected: unknown = JSON.parse(text);
      assert.deepEqual(read(JSON.stringify(expected, null, indent)), expected);
    }),
  );
});

test('parses any text or reports a position in it, and never throws', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...Array.from('{}[]:,"\'\\/*a1.-+eux \n\r')) })),
      text => {
        const parsed = parseJsonDocument(text);
        if (parsed.ok) return;
        const lines = text.split(/\r\n|\n|\r/);
        assert.ok(parsed.error.line >= 1 && parsed.error.line <= lines.length);
        assert.ok(parsed.error.column >= 1 && parsed.error.column <= (lines[parsed.error.line - 1]?.length ?? 0) + 2);
      },
    ),
  );
});

test('reads every spelling of a number like JavaScript, or reports it', () => {
  const token = fc.string({ unit: fc.constantFrom(...Array.from('0019.-+eExfa_')), minLength: 1, maxLength: 20 });
  const isNumber = /^[+-]?(0x[0-9a-f]+|((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)(e[+-]?[0-9]+)?)$/i;
  fc.assert(
    fc.property(token, text => {
      const parsed = parseJsonDocument(text);
      assert.equal(parsed.ok, isNumber.test(text), text);
      if (!parsed.ok) return;
      const sign = text.startsWith('-') ? -1 : 1;
      assert.equal(jsonValue(parsed.value.root), sign * Number(text.replace(/^[+-]/, '')));
    }),
    { examples: [['-0'], ['01'], ['5.'], ['.5'], ['1.5.2'], ['9007199254740993'], ['-0x1f'], ['1e+9'], ['12a']] },
  );
});

test('pauses at least every 256 values, whatever they are', () => {
  for (const value of ['1', '[]', '[1]', '{}', '{"a":[]}', '[[[]]]']) {
    let pauses = 0;
    const work = parseJsonDocumentPausable(`[${Array<string>(25_600).fill(value).join(',')}]`);
    while (work.next().done !== true) pauses += 1;
    assert.ok(pauses >= 100, `${pauses} pauses for ${value}`);
  }
});

test('reads the extensions of JSONC and JSON5', () => {
  const text = `\uFEFF// made by hand
  {
    $path: 'src', "quoted": "it's", /* why */ hex: 0x10, plus: +1, half: .5, five: 5., nan: NaN, low: -Infinity,
    escapes: '\\x41\\v\\q\\
next', list: [1, 2,], trailing: null,
  }`;
  assert.deepEqual(read(text), {
    $path: 'src',
    quoted: "it's",
    hex: 16,
    plus: 1,
    half: 0.5,
    five: 5,
    nan: NaN,
    low: -Infinity,
    escapes: 'A\vqnext',
    list: [1, 2],
    trailing: null,
  });
});

test('reads __proto__ as an ordinary key', () => {
  const value = read('{"__proto__": 1}');
  assert.deepEqual(Object.keys(value as object), ['__proto__']);
});

test('reports the position and what it expected', () => {
  assert.equal(problem(''), '1:1 a JSON value');
  assert.equal(problem('// nothing\n'), '2:1 a JSON value');
  assert.equal(problem('{\n  "name": \n}'), '3:1 a value');
  assert.equal(problem('{\r\n  "name" "x"\r\n}'), '2:10 ":" after the key "name"');
  assert.equal(problem('{"a": 1'), '1:8 "," or "}"');
  assert.equal(problem('[1, 2'), '1:6 "," or "]"');
  assert.equal(problem('{"a": tru}'), '1:7 a value');
  assert.equal(problem('{"a": 1} x'), '1:10 the end of the file');
  assert.equal(problem('{"a": "open\n'), '1:7 a string that ends with "');
  assert.equal(problem('{"a": "\\u12"}'), '1:8 4 hex digits after \\u');
  assert.equal(problem('{"a": 1 /* open'), '1:9 a comment that ends with */');
  assert.equal(problem('{"a": 1}}'), '1:9 the end of the file');
  assert.equal(problem('{,}'), '1:2 a key or "}"');
});

test('refuses nesting beyond the limit', () => {
  assert.equal(problem('['.repeat(1000)), '1:129 at most 128 levels of nesting');
});

test('reads and reports a duplicate key and a missing comma', () => {
  const parsed = parseJsonDocument('{\n  "a": 1\n  "a": 2\n}');
  assert.ok(parsed.ok);
  assert.deepEqual(jsonValue(parsed.value.root), { a: 2 });
  assert.deepEqual(parsed.value.warnings, [
    { line: 2, column: 9, expected: '","' },
    { line: 3, column: 3, expected: 'the key "a" only once in this object' },
  ]);
});

test('records the positions of key and value of each member', () => {
  const text = '{\n  "a": {"b": 12}\n}';
  const parsed = parseJsonDocument(text);
  assert.ok(parsed.ok);
  const inner = memberOf(memberOf(parsed.value.root, 'a')?.value, 'b');
  assert.ok(inner);
  assert.deepEqual(positionAt(text, inner.keyStart), { line: 2, column: 9 });
  assert.equal(text.slice(inner.value.start, inner.value.end), '12');
});

test('locates an offset of a document as in its text, with every kind of line end', () => {
  const lineEnds = fc.array(fc.constantFrom('\n', '\r', '\r\n', ' ', '\t'), { maxLength: 20 });
  fc.assert(
    fc.property(lineEnds, lineEnds, (before, after) => {
      const text = `${before.join('')}1${after.join('')}`;
      const parsed = parseJsonDocument(text);
      assert.ok(parsed.ok);
      for (let offset = 0; offset <= text.length; offset++)
        assert.deepEqual(positionIn(parsed.value, offset), positionAt(text, offset));
    }),
  );
});
