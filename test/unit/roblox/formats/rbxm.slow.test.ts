import { test } from 'node:test';
import assert from 'node:assert/strict';
import * as zlib from 'node:zlib';
import fc from 'fast-check';
import { type Model, type ModelInstance, unknownColumnWarnings } from '../../../../src/roblox/instances/model.ts';
import type { Variant } from '../../../../src/roblox/values/variant.ts';
import { areVariantsEqual, areVariantsIdentical } from '../../../../src/roblox/instances/equality.ts';
import { ByteWriter } from '../../../../src/roblox/encoding/byte-writer.ts';
import { MAX_INSTANCE_DEPTH, MODEL_FILE_LIMITS } from '../../../../src/roblox/formats/limits.ts';
import { readChunks, writeChunk, writeEnd, writeHeader } from '../../../../src/roblox/formats/rbxm/chunks.ts';
import { writeReferents } from '../../../../src/roblox/encoding/interleaved.ts';
import { readBinaryModel } from '../../../../src/roblox/formats/rbxm/read.ts';
import { writeBinaryModel } from '../../../../src/roblox/formats/rbxm/write.ts';
import { nodeInflate as inflate } from '../../../../src/adapters/node/inflate.ts';
import { readXmlModel } from '../../../../src/roblox/formats/rbxmx/read.ts';
import { writeXmlModel } from '../../../../src/roblox/formats/rbxmx/write.ts';
import { reflection } from '../../../harness/reflection.ts';
import { anyModel } from './arbitrary-model.ts';
import { instancesOf, modelFiles, renumbered } from './model-files.ts';

function read(bytes: Uint8Array): Model {
  const result = readBinaryModel(bytes, reflection, inflate);
  assert.ok(result.ok, result.ok ? '' : result.error);
  return result.value;
}
function write(model: Model): Uint8Array {
  const result = writeBinaryModel(model, reflection);
  assert.ok(result.ok, result.ok ? '' : result.error);
  return result.value;
}
function readXml(xml: string): Model {
  const result = readXmlModel(xml, reflection);
  assert.ok(result.ok, result.ok ? '' : result.error);
  return result.value;
}

/** The instances by their path of classes and names, numbered among siblings with the same ones. */
function byPath(model: Model): Map<string, ModelInstance> {
  const paths = new Map<string, ModelInstance>();
  const walk = (instance: ModelInstance, parent: string): void => {
    let path = `${parent}/${instance.className} ${instance.name}`;
    while (paths.has(path)) path += "'";
    paths.set(path, instance);
    for (const child of instance.children) walk(child, path);
  };
  for (const root of model.roots) walk(root, '');
  return paths;
}

/** Differences of pairs whose files were not saved from the same state. */
const savedApart: ReadonlySet<string> = new Set(['models/default-inserted-part Part.CFrame']);

for (const file of modelFiles)
  test(`${file.name}: reads the same from the binary and the XML file`, () => {
    const [xml, binary] = [byPath(readXml(file.xml)), byPath(read(file.binary))];
    const pathOf = (paths: Map<string, ModelInstance>, referent: string): string | undefined =>
      Array.from(paths).find(([, instance]) => instance.referent === referent)?.[0];
    for (const [path, { className, properties }] of xml) {
      const twin = binary.get(path);
      assert.ok(twin, `${path} is missing`);
      for (const [name, value] of properties) {
        const other = twin.properties.get(name);
        assert.ok(other, `${path}.${name} is missing`);
        if (savedApart.has(`${file.name} ${className}.${name}`)) continue;
        if (value.type === 'Ref' && other.type === 'Ref')
          assert.equal(pathOf(binary, other.value), pathOf(xml, value.value), `${path}.${name}`);
        else
          assert.ok(
            areVariantsEqual(likeBytes(other), likeBytes(value)),
            `${path}.${name}: ${value.type} ${other.type}`,
          );
      }
    }
  });

/** For undeclared names, treats text and bytes as the same, and both kinds of shared bytes too. */
function likeBytes(variant: Variant): Variant {
  if (variant.type === 'String' || variant.type === 'ContentId')
    return { type: 'BinaryString', value: new TextEncoder().encode(variant.value) };
  return variant.type === 'NetAssetRef' ? { type: 'SharedString', value: variant.value } : variant;
}

for (const file of modelFiles)
  test(`${file.name}: keeps the model when it is written and read again`, () => {
    const model = renumbered(read(file.binary));
    const bytes = write(model);
    assert.deepEqual(renumbered(read(bytes)), model);
    assert.deepEqual(write(renumbered(read(bytes))), bytes);
  });

for (const file of modelFiles)
  test(`${file.name}: keeps the model of XML in a binary file`, () => {
    const model = readXml(file.xml);
    assertHolds(renumbered(read(write(model))), renumbered(model));
  });

/** Asserts the same tree with every property of `expected`. Instances may have more, which others of their class have. */
function assertHolds(actual: Model, expected: Model): void {
  const [found, wanted] = [Array.from(instancesOf(actual)), Array.from(instancesOf(expected))];
  assert.equal(found.length, wanted.length);
  for (const [index, { referent, className, name, properties, children }] of wanted.entries()) {
    const other = found[index]!;
    assert.deepEqual(
      [other.referent, other.className, other.name, other.children.map(child => child.referent)],
      [referent, className, name, children.map(child => child.referent)],
    );
    for (const [key, value] of properties)
      assert.ok(areVariantsIdentical(likeBytes(other.properties.get(key)!), likeBytes(value)), `${className}.${key}`);
  }
}

/** Binary files do not support `Vector2int16`. */
const withoutFormless = (model: Model): Model => {
  const strip = (instance: ModelInstance): ModelInstance => ({
    ...instance,
    properties: new Map(Array.from(instance.properties).filter(([, { type }]) => type !== 'Vector2int16')),
    children: instance.children.map(strip),
  });
  return { ...model, roots: model.roots.map(strip) };
};

test('reads any written model as the same, also a second time', () => {
  fc.assert(
    fc.property(anyModel.map(withoutFormless), model => {
      const once = read(write(model));
      assertHolds(renumbered(once), renumbered(model));
      assert.deepEqual(read(write(once)), once);
    }),
  );
});

test('writes the default of a property that only others of the class have', () => {
  const part = (referent: string, properties: [string, Variant][]): ModelInstance => ({
    referent,
    className: 'Part',
    name: referent,
    properties: new Map(properties),
    children: [],
  });
  const model: Model = {
    roots: [
      part('A', [
        ['Size', { type: 'Vector3', value: [1, 2, 3] }],
        ['Material', { type: 'Enum', value: 512 }],
        ['Invented', { type: 'Float32', value: 5 }],
      ]),
      part('B', []),
    ],
    metadata: new Map(),
  };
  const { properties } = read(write(model)).roots[1]!;
  assert.deepEqual(properties.get('Size'), reflection.defaultOf('Part', 'Size'));
  assert.deepEqual(properties.get('Material'), { type: 'Enum', value: 256 });
  assert.deepEqual(properties.get('Invented'), { type: 'Float32', value: 0 });
});

const folder = (
  referent: string,
  children: ModelInstance[],
  properties = new Map<string, Variant>(),
): ModelInstance => ({
  referent,
  className: 'Bogus',
  name: referent,
  properties,
  children,
});
const modelOf = (...roots: ModelInstance[]): Model => ({ roots, metadata: new Map() });

test('reports unsupported types, and drops nothing', () => {
  const offset = new Map<string, Variant>([['Offset', { type: 'Vector2int16', value: [1, 2] }]]);
  assert.deepEqual(writeBinaryModel(modelOf(folder('A', [], offset)), reflection), {
    ok: false,
    error: 'Bogus.Offset: the format has no form for Vector2int16',
  });
  const other = new Map<string, Variant>([['Offset', { type: 'Bool', value: true }]]);
  const mixed = writeBinaryModel(
    modelOf(folder('A', [], other), folder('B', [], new Map([['Offset', { type: 'UDim', value: [0, 1] }]]))),
    reflection,
  );
  assert.deepEqual(mixed, { ok: false, error: 'Bogus.Offset: the format has no form for Bool and UDim' });
  const carried = { ...folder('A', []), unknownXml: new Map([['Spin', '<Q name="Spin"/>']]) };
  const result = writeBinaryModel(modelOf(carried), reflection);
  assert.deepEqual(result, { ok: false, error: 'Bogus.Spin: a type that only XML files can hold' });
});

/** A file with the given uncompressed chunks. */
function fileOf(...chunks: ['META' | 'SSTR' | 'INST' | 'PROP' | 'PRNT', (writer: ByteWriter) => void][]): Uint8Array {
  const file = new ByteWriter();
  writeHeader(file, 0, 0);
  for (const [name, fill] of chunks) {
    const writer = new ByteWriter();
    fill(writer);
    writeChunk(file, name, writer);
  }
  writeEnd(file);
  return file.finish();
}
const instances =
  (classId: number, numbers: number[]) =>
  (w: ByteWriter): void => {
    w.u32(classId);
    w.text('Folder');
    w.u8(0);
    w.u32(numbers.length);
    writeReferents(w, numbers);
  };
const parents =
  (pairs: [child: number, parent: number][]) =>
  (w: ByteWriter): void => {
    w.u8(0);
    w.u32(pairs.length);
    writeReferents(
      w,
      pairs.map(([child]) => child),
    );
    writeReferents(
      w,
      pairs.map(([, parent]) => parent),
    );
  };
const property =
  (classId: number, typeId: number, bytes: number[]) =>
  (w: ByteWriter): void => {
    w.u32(classId);
    w.text('Thing');
    w.u8(typeId);
    w.raw(new Uint8Array(bytes));
  };

for (const [what, bytes, expected] of [
  ['no bytes', new Uint8Array(), /expected the header/],
  ['an XML file', new TextEncoder().encode('<roblox version="4">'), /expected the header/],
  ['a header alone', fileOf().subarray(0, 32), /^file: 4 bytes too few at byte 32/],
  ['an instance without a parent', fileOf(['INST', instances(0, [0])]), /a Folder without a parent/],
  ['an instance inside itself', fileOf(['INST', instances(0, [0])], ['PRNT', parents([[0, 0]])]), /contain themselves/],
  [
    'a circle',
    fileOf(
      ['INST', instances(0, [0, 1])],
      [
        'PRNT',
        parents([
          [0, 1],
          [1, 0],
        ]),
      ],
    ),
    /contain themselves/,
  ],
  [
    'two parents',
    fileOf(
      ['INST', instances(0, [0])],
      [
        'PRNT',
        parents([
          [0, -1],
          [0, -1],
        ]),
      ],
    ),
    /PRNT chunk: 0 inside -1, which is not possible/,
  ],
  ['a missing parent', fileOf(['INST', instances(0, [0])], ['PRNT', parents([[0, 7]])]), /0 inside 7/],
  ['a duplicate number', fileOf(['INST', instances(0, [3, 3])]), /INST chunk: the number 3 for an instance/],
  [
    'a duplicate class number',
    fileOf(['INST', instances(0, [0])], ['INST', instances(0, [1])]),
    /the class number 0 a second time/,
  ],
  ['a property of an unknown class', fileOf(['PROP', property(9, 2, [])]), /PROP chunk: the class number 9/],
  [
    'too few values',
    fileOf(['INST', instances(0, [0, 1])], ['PROP', property(0, 2, [1])]),
    /PROP chunk: 1 bytes too few/,
  ],
  [
    'a missing shared string',
    fileOf(['INST', instances(0, [0])], ['PROP', property(0, 0x1c, [0, 0, 0, 5])]),
    /the shared string 5/,
  ],
  [
    'an unknown rotation',
    fileOf(['INST', instances(0, [0])], ['PROP', property(0, 0x10, [0x7f])]),
    /the unknown rotation 0x7f/,
  ],
  ['another version of shared strings', fileOf(['SSTR', w => w.u32(1)]), /SSTR chunk: expected version 0, not 1/],
  [
    'a count of billions',
    fileOf([
      'SSTR',
      w => {
        w.u32(0);
        w.u32(0xffffffff);
      },
    ]),
    /a count of 4294967295/,
  ],
] as const)
  test(`refuses ${what} with its position`, () => {
    const result = readBinaryModel(bytes, reflection, inflate);
    assert.ok(!result.ok);
    assert.match(result.error, expected);
  });

test('refuses a file that announces more than the limit before allocating memory', () => {
  const bytes = fileOf(['META', w => w.raw(new Uint8Array(1000))]);
  new DataView(bytes.buffer).setUint32(32 + 8, MODEL_FILE_LIMITS.bytes + 1, true);
  const result = readBinaryModel(bytes, reflection, inflate);
  assert.deepEqual(result, {
    ok: false,
    error: `file: more than ${MODEL_FILE_LIMITS.bytes} bytes of content at byte 32`,
  });
});

test('reports and keeps a property of an unknown type, and skips unknown chunks', () => {
  const bytes = fileOf(
    ['INST', instances(0, [1, 0])],
    ['PROP', property(0, 0x7e, [1, 2, 3])],
    [
      'PRNT',
      parents([
        [0, -1],
        [1, -1],
      ]),
    ],
  );
  const model = read(bytes);
  assert.deepEqual(unknownColumnWarnings(model), ['Folder.Thing has the unknown type 0x7e']);
  const column = {
    className: 'Folder',
    name: 'Thing',
    typeId: 0x7e,
    bytes: Uint8Array.of(1, 2, 3),
    owners: ['1', '0'],
  };
  assert.deepEqual(model.unknownColumns, [column]);
  // Numbers are assigned again in tree order, which differs from the order of the values.
  assert.deepEqual(renumbered(read(write(model))).roots, renumbered(model).roots);
  assert.deepEqual(read(write(model)).unknownColumns, [column]);
  const fewer = writeBinaryModel({ ...model, roots: model.roots.slice(1) }, reflection);
  assert.deepEqual(fewer, {
    ok: false,
    error: 'Folder.Thing: an unknown type, which is kept only while no Folder is added or removed',
  });
  assert.ok(!writeXmlModel(model, 'model', reflection).ok);
  const renamed = Buffer.from(bytes);
  renamed.write('WHAT', renamed.indexOf('PROP'));
  assert.deepEqual(unknownColumnWarnings(read(renamed)), []);
});

test('refuses instances nested beyond the limit', () => {
  const chain = (depth: number): Uint8Array =>
    fileOf(
      [
        'INST',
        instances(
          0,
          Array.from({ length: depth }, (_, n) => n),
        ),
      ],
      ['PRNT', parents(Array.from({ length: depth }, (_, n) => [n, n - 1]))],
    );
  assert.ok(readBinaryModel(chain(MAX_INSTANCE_DEPTH), reflection, inflate).ok);
  const result = readBinaryModel(chain(20_000), reflection, inflate);
  assert.ok(!result.ok);
  assert.match(result.error, /more than 512 levels of nested instances/);
});

test('reads chunks compressed with Zstandard, and refuses damaged ones', () => {
  const { binary } = modelFiles.find(({ name }) => name === 'models/unions')!;
  const file = new ByteWriter();
  writeHeader(file, 0, 0);
  for (const { name, data } of readChunks(binary, inflate)) {
    const compressed = zlib.zstdCompressSync(data.bytes);
    file.raw(new TextEncoder().encode(name.padEnd(4, '\0')));
    for (const size of [compressed.length, data.bytes.length, 0]) file.u32(size);
    file.raw(compressed);
  }
  writeEnd(file);
  const bytes = file.finish();
  assert.deepEqual(read(bytes), read(binary));
  // The header of the first frame follows the headers of file and chunk and the frame's magic number.
  bytes[32 + 16 + 4] = 0xff;
  const result = readBinaryModel(bytes, reflection, inflate);
  assert.ok(!result.ok);
  assert.match(result.error, /^file: Zstandard data that cannot be read/);
});

test('returns a model or a sentence for any damage to a file', () => {
  const { binary } = modelFiles.find(({ name }) => name === 'models/package-link')!;
  const check = (bytes: Uint8Array): void => {
    const result = readBinaryModel(bytes, reflection, inflate);
    if (!result.ok) assert.ok(result.error.length > 0);
  };
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(binary.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }), edits => {
      const bytes = binary.slice();
      for (const [at, byte] of edits) bytes[at] = byte;
      check(bytes);
      check(bytes.subarray(0, edits[0]?.[0]));
    }),
    { numRuns: 1000 },
  );
});

test('returns a model or a sentence for any damage inside the chunks', () => {
  const { binary } = modelFiles.find(({ name }) => name === 'models/content-mixed')!;
  const chunks = Array.from(readChunks(binary, inflate), ({ name, data }) => ({ name, bytes: data.bytes }));
  fc.assert(
    fc.property(
      fc.nat(chunks.length - 1),
      fc.nat(),
      fc.uint8Array({ minLength: 1, maxLength: 4 }),
      (which, at, bytes) => {
        const file = new ByteWriter();
        writeHeader(file, 0, 0);
        for (const [index, chunk] of chunks.entries()) {
          const data = chunk.bytes.slice();
          if (index === which)
            data.set(bytes.subarray(0, data.length), at % Math.max(1, data.length - bytes.length + 1));
          const writer = new ByteWriter();
          writer.raw(data);
          writeChunk(file, chunk.name as 'PROP', writer);
        }
        writeEnd(file);
        const result = readBinaryModel(file.finish(), reflection, inflate);
        if (!result.ok) assert.ok(result.error.length > 0);
      },
    ),
    { numRuns: 300 },
  );
});
