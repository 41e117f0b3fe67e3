import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readFileProperties, writeFileProperties } from '../../../../src/roblox/formats/file-properties.ts';
import { areVariantsEqual } from '../../../../src/roblox/instances/equality.ts';
import { identityCFrame, type Variant, type Vec3 } from '../../../../src/roblox/values/variant.ts';
import { startTestStudio } from '../../../harness/luau-vm.ts';
import { reflection } from '../../../harness/reflection.ts';

const vector = (...value: Vec3): Variant => ({ type: 'Vector3', value });
const written = (className: string, values: Readonly<Record<string, Variant>>): Readonly<Record<string, Variant>> =>
  Object.fromEntries(writeFileProperties(reflection, className, new Map(Object.entries(values))));
const read = (className: string, values: Readonly<Record<string, Variant>>): Readonly<Record<string, Variant>> =>
  Object.fromEntries(readFileProperties(reflection, className, Object.entries(values)));
const at = (...position: Vec3): Variant => ({ type: 'CFrame', value: { ...identityCFrame, position } });

test('writes and reads Position as the CFrame that stores it', () => {
  assert.deepEqual(written('Part', { Position: vector(1, 2, 3) }), { CFrame: at(1, 2, 3) });
  assert.deepEqual(read('Part', { Position: vector(1, 2, 3) }), { CFrame: at(1, 2, 3) });
  assert.deepEqual(written('Attachment', { Position: vector(1, 2, 3) }), { CFrame: at(1, 2, 3) });
});

test('keeps the stored property when a file has both', () => {
  const both = { Position: vector(1, 2, 3), CFrame: at(4, 5, 6) };
  assert.deepEqual(written('Part', both), { CFrame: at(4, 5, 6) });
  assert.deepEqual(read('Part', both), { CFrame: at(4, 5, 6) });
});

test('keeps a derived property whose value has another type', () => {
  const odd: Variant = { type: 'Bool', value: true };
  assert.deepEqual(read('Part', { Position: odd }), { Position: odd });
});

test('gives the same rotation in every order of two properties that describe it', () => {
  const [axis, secondary] = [vector(0, 0.6, 0.8), vector(0.6, 0, 0.8)];
  const forward = written('Attachment', { Axis: axis, SecondaryAxis: secondary });
  assert.deepEqual(written('Attachment', { SecondaryAxis: secondary, Axis: axis }), forward);
  const [once, twice] = [written('Attachment', { Axis: axis }), written('Attachment', { SecondaryAxis: secondary })];
  assert.notDeepEqual(once, forward);
  assert.notDeepEqual(twice, forward);
});

const rows: readonly (readonly [
  className: string,
  given: Readonly<Record<string, Variant>>,
  Readonly<Record<string, Variant>>,
])[] = [
  ['Script', { Enabled: { type: 'Bool', value: false } }, { Disabled: { type: 'Bool', value: true } }],
  [
    'Frame',
    { Transparency: { type: 'Float32', value: 0.5 } },
    { BackgroundTransparency: { type: 'Float32', value: 0.5 } },
  ],
  [
    'Frame',
    { BackgroundColor: { type: 'BrickColor', value: 1004 } },
    { BackgroundColor3: { type: 'Color3', value: [1, 0, 0] } },
  ],
  ['TextLabel', { FontSize: { type: 'Enum', value: 6 } }, { TextSize: { type: 'Float32', value: 18 } }],
  ['Sound', { MinDistance: { type: 'Float32', value: 7 } }, { EmitterSize: { type: 'Float32', value: 7 } }],
  [
    'Model',
    { WorldPivot: at(1, 2, 3) },
    { WorldPivotData: { type: 'OptionalCFrame', value: { ...identityCFrame, position: [1, 2, 3] } } },
  ],
  ['Tool', { GripPos: vector(1, 2, 3) }, { Grip: at(1, 2, 3) }],
];
for (const [className, given, expected] of rows)
  test(`writes ${className}.${Object.keys(given).join()} as ${Object.keys(expected).join()}`, () =>
    assert.deepEqual(written(className, given), expected));

const degrees = fc.tuple(...([0, 1, 2] as const).map(() => fc.integer({ min: -179, max: 179 })));

test('rotates like the engine: a script reads the Orientation that a file sets', async () => {
  const studio = await startTestStudio();
  fc.assert(
    fc.property(
      fc.constantFrom('Orientation', 'Rotation'),
      degrees,
      fc.constantFrom('Part', 'Attachment'),
      (name, [x = 0, y = 0, z = 0], className) => {
        const { CFrame } = written(className, { [name]: vector(x, y, z) });
        assert.ok(CFrame?.type === 'CFrame');
        const [components] = studio.run(
          `local made = Instance.new(args[1]) made[args[2]] = Vector3.new(args[3], args[4], args[5])
         return { made.CFrame:GetComponents() }`,
          className,
          name,
          x,
          y,
          z,
        ) as readonly [readonly number[]];
        const [, , , a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0] = components;
        const engine: Variant = {
          type: 'CFrame',
          value: {
            position: [0, 0, 0],
            orientation: [
              [a, b, c],
              [d, e, f],
              [g, h, i],
            ],
          },
        };
        assert.ok(areVariantsEqual(CFrame, engine), `${name} ${x} ${y} ${z}`);
      },
    ),
    { numRuns: 50 },
  );
});
