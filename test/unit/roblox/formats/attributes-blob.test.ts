import { test } from 'node:test';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readAttributesBlob, writeAttributesBlob } from '../../../../src/roblox/formats/attributes-blob.ts';
import { idOfRotation, rotationOfId } from '../../../../src/roblox/encoding/rotation-id.ts';
import type { Mat3, Variant } from '../../../../src/roblox/values/variant.ts';
import { anyModel } from './arbitrary-model.ts';
import { instancesOf } from './model-files.ts';

test('writes no bytes when there are no attributes', () => {
  assert.deepEqual(writeAttributesBlob(new Map()), new Uint8Array());
  assert.deepEqual(readAttributesBlob(new Uint8Array()), { ok: true, value: new Map() });
});

test('reads written attributes as the same, in any order', () => {
  fc.assert(
    fc.property(anyModel, model => {
      for (const { properties } of instancesOf(model)) {
        const attributes = properties.get('Attributes');
        if (attributes?.type !== 'Attributes') continue;
        const bytes = writeAttributesBlob(attributes.value);
        assert.deepEqual(bytes && readAttributesBlob(bytes), { ok: true, value: attributes.value });
        assert.deepEqual(writeAttributesBlob(new Map(Array.from(attributes.value).toReversed())), bytes);
      }
    }),
  );
});

test('reads text that is not UTF-8 as bytes', () => {
  const value: Variant = { type: 'BinaryString', value: new Uint8Array([0xff, 0]) };
  const bytes = writeAttributesBlob(new Map([['A', value]]));
  assert.deepEqual(bytes && readAttributesBlob(bytes), { ok: true, value: new Map([['A', value]]) });
});

test('refuses a type that attributes cannot have', () => {
  assert.equal(writeAttributesBlob(new Map<string, Variant>([['A', { type: 'Int64', value: 1n }]])), undefined);
});

for (const [what, bytes, expected] of [
  ['a count without attributes', [1, 0, 0, 0], /a count of 1, more than the bytes that follow/],
  ['a count of billions', [255, 255, 255, 255, 0, 0, 0, 0, 0], /a count of 4294967295/],
  ['an unknown type', [1, 0, 0, 0, 0, 0, 0, 0, 0x7f], /unknown type 0x7f at byte 8/],
  ['a truncated value', [1, 0, 0, 0, 0, 0, 0, 0, 6, 0], /bytes too few/],
  ['a name that is not text', [1, 0, 0, 0, 1, 0, 0, 0, 0xff, 3, 1], /not UTF-8/],
  ['bytes after the last one', [1, 0, 0, 0, 0, 0, 0, 0, 3, 1, 9], /1 bytes after/],
] as const)
  test(`refuses ${what}`, () => {
    const result = readAttributesBlob(new Uint8Array(bytes));
    assert.ok(!result.ok);
    assert.match(result.error, expected);
  });

test('returns attributes or a sentence for any bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), bytes => {
      const result = readAttributesBlob(bytes);
      if (!result.ok) assert.ok(result.error.length > 0);
    }),
    { numRuns: 1000 },
  );
});

// Degrees around X, Y and Z, applied in the order Y, X, Z.
const rotations: readonly [id: number, x: number, y: number, z: number][] = [
  [0x02, 0, 0, 0],
  [0x03, 90, 0, 0],
  [0x05, 0, 180, 180],
  [0x06, -90, 0, 0],
  [0x07, 0, 180, 90],
  [0x09, 0, 90, 90],
  [0x0a, 0, 0, 90],
  [0x0c, 0, -90, 90],
  [0x0d, -90, -90, 0],
  [0x0e, 0, -90, 0],
  [0x10, 90, -90, 0],
  [0x11, 0, 90, 180],
  [0x14, 0, 180, 0],
  [0x15, -90, -180, 0],
  [0x17, 0, 0, 180],
  [0x18, 90, 180, 0],
  [0x19, 0, 0, -90],
  [0x1b, 0, -90, -90],
  [0x1c, 0, -180, -90],
  [0x1e, 0, 90, -90],
  [0x1f, 90, 90, 0],
  [0x20, 0, 90, 0],
  [0x22, -90, 90, 0],
  [0x23, 0, -90, 180],
];
const multiply = (a: Mat3, b: Mat3): Mat3 =>
  a.map(row => [0, 1, 2].map(c => Math.round(row[0] * b[0][c]! + row[1] * b[1][c]! + row[2] * b[2][c]!) + 0)) as never;
const turn = (degrees: number) => ({ c: Math.cos((degrees * Math.PI) / 180), s: Math.sin((degrees * Math.PI) / 180) });

test('reads each rotation id as its rotation around the axes', () => {
  for (const [id, dx, dy, dz] of rotations) {
    const [x, y, z] = [turn(dx), turn(dy), turn(dz)];
    const rotateX: Mat3 = [
      [1, 0, 0],
      [0, x.c, -x.s],
      [0, x.s, x.c],
    ];
    const rotateY: Mat3 = [
      [y.c, 0, y.s],
      [0, 1, 0],
      [-y.s, 0, y.c],
    ];
    const rotateZ: Mat3 = [
      [z.c, -z.s, 0],
      [z.s, z.c, 0],
      [0, 0, 1],
    ];
    assert.deepEqual(rotationOfId(id), multiply(multiply(rotateY, rotateX), rotateZ), `0x${id.toString(16)}`);
  }
});

test('has 24 unique rotation ids, and none for other rotations', () => {
  const ids = Array.from({ length: 256 }, (_, id) => id).filter(id => rotationOfId(id) !== undefined);
  assert.deepEqual(
    ids,
    rotations.map(([id]) => id),
  );
  for (const id of ids) assert.equal(idOfRotation(rotationOfId(id)!), id);
  assert.equal(
    idOfRotation([
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, -1],
    ]),
    0,
  );
  assert.equal(
    idOfRotation([
      [1, 0, 0],
      [0, 1, 0],
      [0, 1e-20, 1],
    ]),
    0,
  );
});
