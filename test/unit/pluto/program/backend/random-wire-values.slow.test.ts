import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { outputOf, randomEngines } from './run-source.ts';

type Fields = readonly (readonly [key: string, value: WireValue])[];
type WireValue =
  | { readonly kind: 'int'; readonly value: bigint }
  | { readonly kind: 'float'; readonly value: number }
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'null' }
  | { readonly kind: 'array'; readonly items: readonly WireValue[] }
  | { readonly kind: 'record'; readonly fields: Fields }
  | { readonly kind: 'variant'; readonly name: string; readonly fields: Fields };

/** Some keys are those that the format uses itself. */
const texts = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
  fc.constantFrom('@variant', '@float', '@@variant', '@', 'nan', '"', '\\', '\0'),
);
const ints = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.constantFrom(0n, -(2n ** 63n), 2n ** 63n - 1n, 2n ** 53n, 2n ** 53n + 1n),
);

const { value: wireValues } = fc.letrec<{ value: WireValue; fields: Fields }>(tie => ({
  fields: fc.uniqueArray(fc.tuple(texts, tie('value')), { maxLength: 4, selector: ([key]) => key }),
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constant({ kind: 'null' } as const),
    fc.record({ kind: fc.constant('int' as const), value: ints }),
    fc.record({ kind: fc.constant('float' as const), value: fc.double() }),
    fc.record({ kind: fc.constant('bool' as const), value: fc.boolean() }),
    fc.record({ kind: fc.constant('string' as const), value: texts }),
    fc.record({ kind: fc.constant('array' as const), items: fc.array(tie('value'), { maxLength: 4 }) }),
    fc.record({ kind: fc.constant('record' as const), fields: tie('fields') }),
    fc.record({ kind: fc.constant('variant' as const), name: texts, fields: tie('fields') }),
  ),
}));

const quote = (text: string): string =>
  `"${Array.from(text, letter => (/\w/.test(letter) ? letter : `\\u{${letter.codePointAt(0)?.toString(16)}}`)).join('')}"`;

function plutoFloat(value: number): string {
  if (Number.isNaN(value)) return '0.0 / 0.0';
  if (!Number.isFinite(value)) return value < 0 ? '-1.0 / 0.0' : '1.0 / 0.0';
  return `${value < 0 || Object.is(value, -0) ? '-' : ''}${Math.abs(value).toExponential()}`;
}

const plutoFields = (fields: Fields): string =>
  `[${fields.map(([key]) => quote(key)).join(', ')}], [${fields.map(([, value]) => plutoValue(value)).join(', ')}]`;

/** The expression that makes a value in a program. */
function plutoValue(value: WireValue): string {
  switch (value.kind) {
    case 'null':
      return 'wire.wire_null()';
    case 'int':
    case 'bool':
      return `wire.wire_${value.kind}(${value.value})`;
    case 'float':
      return `wire.wire_float(${plutoFloat(value.value)})`;
    case 'string':
      return `wire.wire_string(${quote(value.value)})`;
    case 'array':
      return `wire.wire_array([${value.items.map(plutoValue).join(', ')}])`;
    case 'record':
      return `wire.wire_record(${plutoFields(value.fields)})`;
    case 'variant':
      return `wire.wire_variant(${quote(value.name)}, ${plutoFields(value.fields)})`;
  }
}

/** JSON of a string; control characters are all written in one way. */
const jsonString = (text: string): string =>
  `"${Array.from(text, letter =>
    JSON.stringify(letter)
      .slice(1, -1)
      .replace(/^\\([bf])$/, (_, name) => (name === 'b' ? '\\u0008' : '\\u000c')),
  ).join('')}"`;

function jsonFloat(value: number): string {
  if (Number.isNaN(value)) return '{"@float":"nan"}';
  if (!Number.isFinite(value)) return value < 0 ? '{"@float":"-inf"}' : '{"@float":"inf"}';
  const text = Object.is(value, -0) ? '-0' : JSON.stringify(value);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

const jsonFields = (fields: Fields): readonly string[] =>
  fields.map(([key, value]) => `${jsonString(key.replace(/^@/, '@@'))}:${jsonText(value)}`);

function jsonText(value: WireValue): string {
  switch (value.kind) {
    case 'null':
      return 'null';
    case 'int':
    case 'bool':
      return String(value.value);
    case 'float':
      return jsonFloat(value.value);
    case 'string':
      return jsonString(value.value);
    case 'array':
      return `[${value.items.map(jsonText).join(',')}]`;
    case 'record':
      return `{${jsonFields(value.fields).join(',')}}`;
    case 'variant':
      return `{${[`"@variant":${jsonString(value.name)}`, ...jsonFields(value.fields)].join(',')}}`;
  }
}

const shownFields = (fields: Fields): string =>
  `{ ${fields.map(([key, value]) => `${hex(key)}: ${shown(value)}`).join(', ')} }`;

const hex = (text: string): string => Buffer.from(text).toString('hex');

/** The value in the notation of `show` in the program. The JSON shows whether floats are equal. */
function shown(value: WireValue): string {
  switch (value.kind) {
    case 'null':
    case 'float':
      return value.kind;
    case 'int':
    case 'bool':
      return `${value.kind} ${value.value}`;
    case 'string':
      return `string ${hex(value.value)}`;
    case 'array':
      return `[${value.items.map(shown).join(', ')}]`;
    case 'record':
      return shownFields(value.fields);
    case 'variant':
      return `${hex(value.name)} ${shownFields(value.fields)}`;
  }
}

const SHOW = `fn hex(text: string) string {
    let digits = "0123456789abcdef"
    let mut out = ""
    for i in 0..text.len() { out += digits[text.byte_at(i) >> 4] + digits[text.byte_at(i) & 15] }
    return out
}
fn show_fields(keys: [string], values: [wire.WireValue]) string {
    let mut out = ""
    for i in 0..keys.len() {
        if i > 0 { out += ", " }
        out += hex(keys[i]) + ": " + show(values[i])
    }
    return f"{{ {out} }}"
}
fn show(of: wire.WireValue) string {
    match of {
        wire.WireValue.Null { return "null" }
        wire.WireValue.Int { value } { return f"int {value}" }
        wire.WireValue.Float { value: _ } { return "float" }
        wire.WireValue.Bool { value } { return f"bool {value}" }
        wire.WireValue.Str { value } { return f"string {hex(value)}" }
        wire.WireValue.Array { items } {
            let mut out = ""
            for i in 0..items.len() {
                if i > 0 { out += ", " }
                out += show(items[i])
            }
            return f"[{out}]"
        }
        wire.WireValue.Record { keys, values } { return show_fields(keys, values) }
        wire.WireValue.Variant { name, keys, values } { return f"{hex(name)} {show_fields(keys, values)}" }
    }
}
`;

const CHECK = `fn check(value: wire.WireValue) {
    let format = wire.wire_json_format()
    let text = format.serialize(value) catch e { e.message }
    print(text)
    let again = format.deserialize(text) catch e {
        print(e.message)
        return
    }
    print(show(again))
    print((format.serialize(again) catch "") == text)
}
`;

test('reads random values of std.wire back from the JSON that it writes', async () => {
  const runs = process.env['CI'] === undefined ? 10 : 100;
  await fc.assert(
    fc.asyncProperty(fc.array(wireValues, { minLength: 50, maxLength: 50 }), randomEngines, async (values, engine) => {
      const calls = values.map(value => `check(${plutoValue(value)})\n`).join('');
      const output = await outputOf(`import std.wire\n${SHOW}${CHECK}fn main() {\n${calls}}\n`, engine);
      const lines = output.split('\n');
      values.forEach((value, index) => {
        assert.deepEqual(lines.slice(index * 3, index * 3 + 3), [jsonText(value), shown(value), 'true']);
      });
    }),
    { numRuns: runs },
  );
});
