import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeInflate } from '../../../src/adapters/node/inflate.ts';
import { decodeBase64, encodeBase64 } from '../../../src/base/base64.ts';
import { runToEnd } from '../../../src/base/time-slice.ts';
import {
  type JsonDocument,
  memberOf,
  parseJsonDocument,
  positionIn,
} from '../../../src/roblox/formats/json5-document.ts';
import { membersOf } from '../../../src/roblox/formats/json-shape.ts';
import { JsonChanges, type JsonPath } from '../../../src/roblox/formats/json5-edit.ts';
import { printJson } from '../../../src/roblox/formats/json5-print.ts';
import { readBinaryModel } from '../../../src/roblox/formats/rbxm/read.ts';
import { writeBinaryModel } from '../../../src/roblox/formats/rbxm/write.ts';
import { readXmlModel } from '../../../src/roblox/formats/rbxmx/read.ts';
import { writeXmlModel } from '../../../src/roblox/formats/rbxmx/write.ts';
import { areVariantsIdentical } from '../../../src/roblox/instances/equality.ts';
import type { Model, ModelInstance } from '../../../src/roblox/instances/model.ts';
import type { Variant } from '../../../src/roblox/values/variant.ts';
import { readAttributesBlob, writeAttributesBlob } from '../../../src/roblox/formats/attributes-blob.ts';
import { assertLinearTime } from '../../harness/linear-time.ts';
import { reflection } from '../../harness/reflection.ts';

function withoutJsonValue(document: JsonDocument, path: JsonPath): string {
  const changes = new JsonChanges(document);
  assert.ok(changes.set(path, undefined));
  return runToEnd(changes.print());
}

const bytesOf = (length: number): Uint8Array => Uint8Array.from({ length }, (_, index) => (index * 31) & 255);

function part(
  referent: number,
  children: readonly ModelInstance[] = [],
  properties: readonly (readonly [string, Variant])[] = [],
): ModelInstance {
  return { referent: `r${referent}`, className: 'Part', name: 'Part', properties: new Map(properties), children };
}
const modelOf = (roots: readonly ModelInstance[]): Model => ({ roots, metadata: new Map() });

/** Siblings that all have the same name. */
const wide = (size: number): Model => modelOf(Array.from({ length: size }, (_, index) => part(index)));

/** Chains of instances, `depth` levels each. */
function deep(depth: number): Model {
  const chains = Array.from({ length: 10 }, (_, chain) => {
    let inner = part(chain * depth);
    for (let level = 1; level < depth; level++) inner = part(chain * depth + level, [inner]);
    return inner;
  });
  return modelOf(chains);
}

/** Instances that share the bytes of one mesh. */
function shared(size: number): Model {
  const data: Variant = { type: 'SharedString', value: bytesOf(200_000) };
  return modelOf(Array.from({ length: size }, (_, index) => part(index, [], [['PhysicalConfigData', data]])));
}

function written<T>(result: { readonly ok: true; readonly value: T } | { readonly ok: false }): T {
  assert.ok(result.ok);
  return result.value;
}
const toBinary = (model: Model): Uint8Array => written(writeBinaryModel(model, reflection));
const toXml = (model: Model): string => written(writeXmlModel(model, 'model', reflection));

for (const [shape, make, size] of [
  ['siblings of one name', wide, 1000],
  ['nested instances', deep, 100],
] as const) {
  test(`writes and reads a binary model in linear time when it has many ${shape}`, () => {
    assertLinearTime(size, make, toBinary);
    assertLinearTime(
      size,
      length => toBinary(make(length)),
      bytes => written(readBinaryModel(bytes, reflection, nodeInflate)),
    );
  });

  test(`writes and reads an XML model in linear time when it has many ${shape}`, () => {
    assertLinearTime(size, make, toXml);
    assertLinearTime(
      size,
      // Each level is indented by one more, so a deep text is longer than several flat ones.
      length => toXml(make(length)).replaceAll(/^\t+/gm, ''),
      text => written(readXmlModel(text, reflection)),
    );
  });
}

test('hashes a shared string once when many instances share it', () => {
  const hashing = (model: Model): number => {
    const before = process.cpuUsage();
    toBinary(model);
    return process.cpuUsage(before).user / 1000;
  };
  hashing(shared(1));
  const [one, many] = [hashing(shared(1)), hashing(shared(200))];
  assert.ok(many < 20 * Math.max(one, 10), `${one} ms for 1 instance, ${many} ms for 200`);
});

test('writes a binary model when an instance has 150,000 children', () => {
  const bytes = toBinary(modelOf([part(-1, wide(150_000).roots)]));
  assert.equal(written(readBinaryModel(bytes, reflection, nodeInflate)).roots[0]?.children.length, 150_000);
});

test('encodes and decodes base64 in linear time', () => {
  assertLinearTime(100_000, bytesOf, encodeBase64);
  assertLinearTime(100_000, size => encodeBase64(bytesOf(size)), decodeBase64);
});

test('compares buffers in linear time', () => {
  const pair = (size: number): readonly [Variant, Variant] => [
    { type: 'BinaryString', value: bytesOf(size) },
    { type: 'BinaryString', value: bytesOf(size) },
  ];
  assertLinearTime(250_000, pair, ([a, b]) => assert.ok(areVariantsIdentical(a, b)));
});

test('reads and writes attributes in linear time', () => {
  const attributes = (size: number) =>
    new Map(Array.from({ length: size }, (_, index) => [`Name${index}`, { type: 'Float64', value: index } as const]));
  assertLinearTime(5000, attributes, writeAttributesBlob);
  assertLinearTime(
    5000,
    size => writeAttributesBlob(attributes(size)) ?? new Uint8Array(),
    bytes => written(readAttributesBlob(bytes)),
  );
});

test('prints JSON in linear time when it has many levels', () => {
  const nested = (depth: number): unknown => {
    let value: unknown = null;
    for (let level = 0; level < depth; level++) value = { text: 'x'.repeat(2000), inner: value };
    return value;
  };
  const print = (value: unknown): string => printJson(value, { newline: '\n', indent: '' });
  assertLinearTime(300, nested, print);
});

test('reads JSON in linear time when every line has a warning', () => {
  const text = (size: number): string => `{\n${Array.from({ length: size }, (_, n) => `a${n}: 1`).join('\n')}\n}`;
  assertLinearTime(3000, text, source => {
    const parsed = parseJsonDocument(source);
    assert.ok(parsed.ok && parsed.value.warnings.length > 1000);
  });
});

test('removes a JSON member in linear time when the text has long runs of blanks', () => {
  const document = (size: number) => {
    const parsed = parseJsonDocument(`{${' '.repeat(size)}"a": 1,${' '.repeat(size)}\n"b": 2}`);
    assert.ok(parsed.ok);
    return parsed.value;
  };
  assertLinearTime(5000, document, parsed => withoutJsonValue(parsed, ['b']));
});

test('removes a JSON member in linear time when its key is given many times', () => {
  const document = (size: number) => {
    const parsed = parseJsonDocument(`{${'"a": 1,\n'.repeat(size)}"b": 2}`);
    assert.ok(parsed.ok);
    return parsed.value;
  };
  assertLinearTime(2000, document, parsed => withoutJsonValue(parsed, ['a']));
});

const elements = (size: number) => {
  const list = Array.from({ length: size }, (_, n) => `{"name": "Part${n}", "properties": {"Size": [1, 2, 3]}}`);
  return [parsedJson(`{"children": [${list.join(', ')}]}`), parsedJson(`{"children": [\n  ${list.join(',\n  ')}\n]}`)];
};

function parsedJson(text: string): JsonDocument {
  const parsed = parseJsonDocument(text);
  assert.ok(parsed.ok);
  return parsed.value;
}

test('changes every element of a JSON array in linear time, on one line and on many', () => {
  const changeAll =
    (change: (changes: JsonChanges, index: number) => unknown) => (documents: readonly JsonDocument[]) => {
      for (const document of documents) {
        const changes = new JsonChanges(document);
        const { root } = document;
        const array = root.kind === 'object' ? root.members[0]?.value : undefined;
        const count = array?.kind === 'array' ? array.elements.length : 0;
        for (let index = 0; index < count; index++) assert.ok(change(changes, index));
        const after = parsedJson(runToEnd(changes.print()));
        assert.equal(after.warnings.length, 0);
      }
    };
  assertLinearTime(
    2000,
    elements,
    changeAll((changes, index) => changes.set(['children', index, 'name'], 'Other')),
  );
  const size = (index: number): JsonPath => ['children', index, 'properties', 'Size'];
  assertLinearTime(
    2000,
    elements,
    changeAll((changes, index) => changes.set(size(index), [4, 5, 6])),
  );
  assertLinearTime(
    2000,
    elements,
    changeAll((changes, index) => changes.set(size(index), undefined)),
  );
  assertLinearTime(
    2000,
    elements,
    changeAll((changes, index) => changes.set(['children', index, 'new'], true)),
  );
  assertLinearTime(
    2000,
    elements,
    changeAll((changes, index) => changes.set(['children', index], undefined)),
  );
  assertLinearTime(
    2000,
    elements,
    changeAll((changes, index) => changes.append(['children'], { index })),
  );
});

test('reads and locates the members of a JSON object in linear time', () => {
  const document = (size: number) => {
    const parsed = parseJsonDocument(`{${Array.from({ length: size }, (_, n) => `"property${n}": 1`).join(',\n')}}`);
    assert.ok(parsed.ok);
    return parsed.value;
  };
  assertLinearTime(5000, document, ({ root }) => membersOf(root, 'properties'));
  assertLinearTime(5000, document, ({ root }) => {
    for (const { key, keyStart } of membersOf(root, 'properties'))
      assert.equal(memberOf(root, key)?.keyStart, keyStart);
  });
  assertLinearTime(5000, document, parsed => {
    const lines = membersOf(parsed.root, 'properties').map(({ keyStart }) => positionIn(parsed, keyStart).line);
    assert.equal(lines.at(-1), lines.length);
  });
});
