import { nodeInflate } from '../../../../src/adapters/node/inflate.ts';
import { readBinaryModel } from '../../../../src/roblox/formats/rbxm/read.ts';
import { writeBinaryModel } from '../../../../src/roblox/formats/rbxm/write.ts';
import { readXmlModel } from '../../../../src/roblox/formats/rbxmx/read.ts';
import { writeXmlModel } from '../../../../src/roblox/formats/rbxmx/write.ts';
import type { Model, ModelInstance } from '../../../../src/roblox/instances/model.ts';
import { reflection } from '../../../harness/reflection.ts';
import { test } from 'node:test';
import assert from 'node:assert/strict';
import {
  rememberSharedStringHash,
  sharedStringHash,
  SharedStringTable,
} from '../../../../src/roblox/formats/shared-string-hash.ts';

// From another implementation of RFC 7693; lengths around the block of 128 bytes.
for (const [length, hex] of [
  [0, 'cae66941d9efbd404e4d88758ea67670'],
  [1, '7025e075d5e2f6cde3cc051a31f07660'],
  [3, 'a75c0b0d97360c1ba783496eb6a0395a'],
  [127, '28b1296c7d4807883de6ee4ec04dcc0a'],
  [128, 'a74787004ef589e31149183900d0294a'],
  [129, 'aaf1b0371f6d4ee49ee4fb5ddd9c49ef'],
  [255, '192657d8c2d07da4ee7beb8c6f9951f4'],
  [256, 'c2472c0ac37a8dbdb25f05ada0d82643'],
  [257, '5b9ad79f1309b3599ac3871688f3812c'],
  [1000, '978a3f8b45508a42fe7f0f99caf2c423'],
  [70000, '30ac1c82e8203b5d402c33d54e3dfba6'],
] as const)
  test(`hashes ${length} bytes like Studio`, () => {
    const bytes = Uint8Array.from({ length }, (_, index) => index & 255);
    assert.equal(Buffer.from(sharedStringHash(bytes)).toString('hex'), hex);
  });

const filled = (value: number): Uint8Array => new Uint8Array(32).fill(value);

test('keeps the hash of a file, but never assigns one hash to two strings', () => {
  const [one, other, same] = [filled(1), filled(2), filled(1)];
  const hash = new Uint8Array(16).fill(7);
  rememberSharedStringHash(one, hash);
  rememberSharedStringHash(other, hash);
  const table = new SharedStringTable();
  assert.deepEqual([table.add(one), table.add(other), table.add(one)], [0, 1, 0]);
  assert.deepEqual(table.all[0]?.hash, hash);
  assert.notDeepEqual(table.all[1]?.hash, hash);
  rememberSharedStringHash(same, hash);
  assert.equal(table.add(same), 0);
});

test('finds a free hash for bytes whose own hash a file gives to others', () => {
  const [one, other, bytes] = [filled(11), filled(12), filled(13)];
  rememberSharedStringHash(other, sharedStringHash(filled(13)));
  for (const each of [one, bytes]) rememberSharedStringHash(each, new Uint8Array(16).fill(5));
  const table = new SharedStringTable();
  assert.deepEqual(
    [one, other, bytes].map(each => table.add(each)),
    [0, 1, 2],
  );
  assert.deepEqual(table.all[2]?.bytes, bytes);
});

test('ignores an empty hash and one of another length', () => {
  const bytes = filled(3);
  rememberSharedStringHash(bytes, new Uint8Array(16));
  rememberSharedStringHash(bytes, new Uint8Array(20).fill(1));
  assert.deepEqual(sharedStringHash(bytes), sharedStringHash(filled(3)));
});

test('writes the shared strings of a file with their previous hashes', () => {
  const part = (index: number): ModelInstance => ({
    referent: String(index),
    className: 'MeshPart',
    name: 'Mesh',
    properties: new Map([['PhysicalConfigData', { type: 'SharedString', value: filled(index + 1) }]]),
    children: [],
  });
  const model: Model = { roots: [part(0), part(1)], metadata: new Map() };
  const studio = writeXmlModel(model, 'model', reflection);
  assert.ok(studio.ok);
  // Other tools write other hashes.
  const name = Buffer.from(sharedStringHash(filled(1))).toString('base64');
  const text = studio.value.replaceAll(name, Buffer.alloc(16, 9).toString('base64'));
  const read = readXmlModel(text, reflection);
  assert.ok(read.ok);
  const again = writeXmlModel(read.value, 'model', reflection);
  assert.deepEqual(again.ok && again.value.includes(Buffer.alloc(16, 9).toString('base64')), true);
  const binary = writeBinaryModel(read.value, reflection);
  assert.ok(binary.ok);
  const back = readBinaryModel(binary.value, reflection, nodeInflate);
  assert.ok(back.ok);
  assert.deepEqual(writeXmlModel(back.value, 'model', reflection).ok, true);
  const meshes = back.value.roots.map(({ properties }) => properties.get('PhysicalConfigData')?.value);
  assert.deepEqual(meshes, [filled(1), filled(2)]);
});
