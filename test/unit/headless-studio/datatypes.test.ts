import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { startTestStudio, type TestStudio } from '../../harness/luau-vm.ts';

let studio: TestStudio;
before(async () => {
  studio = await startTestStudio();
});

/** Expressions for a value of each type, for an equal value, and for a different one. */
const values: readonly (readonly [type: string, one: string, same: string, other: string])[] = [
  ['Vector2', 'Vector2.new(1, 2)', 'Vector2.new(1, 1) + Vector2.new(0, 1)', 'Vector2.new(1, 3)'],
  ['Vector3', 'Vector3.new(1, 2, 3)', 'Vector3.new(2, 4, 6) / 2', 'Vector3.new()'],
  ['Vector2int16', 'Vector2int16.new(1, 2)', 'Vector2int16.new(65537, 2)', 'Vector2int16.new(2, 1)'],
  ['Vector3int16', 'Vector3int16.new(1, 2, 3)', 'Vector3int16.new(1.9, 2, 3)', 'Vector3int16.new(-1, 2, 3)'],
  ['CFrame', 'CFrame.new(1, 2, 3)', 'CFrame.new(Vector3.new(1, 2, 3))', 'CFrame.Angles(0, 1, 0)'],
  ['Color3', 'Color3.fromRGB(255, 0, 0)', 'Color3.fromHex("#f00")', 'Color3.new(0, 0, 1)'],
  ['UDim', 'UDim.new(0.5, 10)', 'UDim.new(0.25, 5) + UDim.new(0.25, 5)', 'UDim.new(0, 10)'],
  ['UDim2', 'UDim2.new(0, 1, 0, 2)', 'UDim2.fromOffset(1, 2)', 'UDim2.fromScale(1, 2)'],
  ['Rect', 'Rect.new(0, 0, 2, 2)', 'Rect.new(Vector2.new(2, 2), Vector2.zero)', 'Rect.new(0, 0, 1, 1)'],
  ['Ray', 'Ray.new(Vector3.zero, Vector3.one)', 'Ray.new(Vector3.new(), Vector3.new(1, 1, 1))', 'Ray.new()'],
  ['Region3', 'Region3.new(Vector3.zero, Vector3.one)', 'Region3.new(Vector3.one, Vector3.zero)', 'Region3.new()'],
  ['NumberRange', 'NumberRange.new(1, 2)', 'NumberRange.new(1, 2)', 'NumberRange.new(1)'],
  [
    'NumberSequence',
    'NumberSequence.new(0, 1)',
    'NumberSequence.new({ NumberSequenceKeypoint.new(0, 0), NumberSequenceKeypoint.new(1, 1) })',
    'NumberSequence.new(0)',
  ],
  [
    'ColorSequence',
    'ColorSequence.new(Color3.new(1, 1, 1))',
    'ColorSequence.new(Color3.new(1, 1, 1), Color3.new(1, 1, 1))',
    'ColorSequence.new(Color3.new())',
  ],
  ['BrickColor', 'BrickColor.new("Bright red")', 'BrickColor.new(21)', 'BrickColor.new(1)'],
  [
    'Font',
    'Font.new("rbxasset://fonts/families/Arial.json")',
    'Font.fromName("Arial")',
    'Font.fromName("Arial", Enum.FontWeight.Bold)',
  ],
  ['Axes', 'Axes.new(Enum.Axis.X)', 'Axes.new(Enum.NormalId.Right)', 'Axes.new(Enum.Axis.Y)'],
  ['Faces', 'Faces.new(Enum.NormalId.Top)', 'Faces.new(Enum.NormalId.Top, Enum.NormalId.Top)', 'Faces.new()'],
  [
    'PhysicalProperties',
    'PhysicalProperties.new(1, 0.5, 0.25)',
    'PhysicalProperties.new(1, 0.5, 0.25, 1, 1)',
    'PhysicalProperties.new(2, 0.5, 0.25)',
  ],
  ['Content', 'Content.fromUri("rbxassetid://1")', 'Content.fromAssetId(1)', 'Content.none'],
  [
    'DateTime',
    'DateTime.fromUnixTimestamp(86400)',
    'DateTime.fromIsoDate("1970-01-02T00:00:00Z")',
    'DateTime.fromUnixTimestamp(0)',
  ],
];

for (const [type, one, same, other] of values)
  test(`${type}: compares by content, is immutable and refuses unknown members`, () => {
    const expected = type === 'Vector3' ? ['Vector3', 'vector', true, false] : [type, 'userdata', true, false];
    assert.deepEqual(studio.run(`local a = ${one} return typeof(a), type(a), a == ${same}, a == ${other}`), expected);
    assert.match(studio.failure(`return (${one}).Nonsense`), new RegExp(`Nonsense is not a valid member of ${type}`));
    studio.failure(`local a = ${one} a.X = 5`);
    studio.failure(`local a = ${one} a.Family = 5`);
    assert.equal(typeof studio.run(`return tostring(${one})`)[0], 'string');
  });

test('stores numbers as 32-bit floats', () => {
  const float = Math.fround(0.1);
  assert.deepEqual(
    studio.run(`return Vector2.new(0.1, 0).X, Vector3.new(0.1, 0, 0).X, Color3.new(0.1, 0, 0).R, UDim.new(0.1, 0).Scale,
      CFrame.new(0.1, 0, 0).X, NumberRange.new(0.1).Min`),
    [float, float, float, float, float, float],
  );
});

test('multiplies a CFrame with its inverse to the identity, and returns its angles', () => {
  assert.deepEqual(
    studio.run(`local turned = CFrame.new(1, 2, 3) * CFrame.Angles(0.1, 0.2, 0.3)
    local x, y, z = turned:ToEulerAnglesXYZ()
    local a, b, c = CFrame.fromOrientation(0.4, 0.5, 0.6):ToOrientation()
    local function near(p, q) return math.abs(p - q) < 1e-5 end
    return (turned * turned:Inverse()):FuzzyEq(CFrame.identity, 1e-5), near(x, 0.1) and near(y, 0.2) and near(z, 0.3),
      near(a, 0.4) and near(b, 0.5) and near(c, 0.6), select("#", turned:GetComponents()),
      turned:ToWorldSpace(turned:ToObjectSpace(CFrame.new(7, 8, 9))):FuzzyEq(CFrame.new(7, 8, 9), 1e-4),
      CFrame.lookAt(Vector3.zero, Vector3.new(0, 0, -5)):FuzzyEq(CFrame.identity)`),
    [true, true, true, 12, true, true],
  );
});

test('returns the axis of half a turn with the signs of all its parts', () => {
  assert.deepEqual(
    studio.run(`local lost = {}
    for x = -1, 1 do for y = -1, 1 do for z = -1, 1 do
      local axis = Vector3.new(x, y, z)
      if axis.Magnitude > 0 then
        local turned = CFrame.fromAxisAngle(axis, math.pi)
        if not CFrame.fromAxisAngle(turned:ToAxisAngle()):FuzzyEq(turned, 1e-3) then table.insert(lost, tostring(axis)) end
      end
    end end end
    return lost`),
    [[]],
  );
});

test('computes vector geometry', () => {
  assert.deepEqual(
    studio.run(`local v = Vector3.new(3, 4, 0)
    return v.Magnitude, v.Unit.X == Vector3.new(0.6, 0, 0).X, v:Dot(Vector3.one), tostring(v:Cross(Vector3.zAxis)),
      tostring(v:Lerp(Vector3.zero, 0.5)), Vector2.new(3, 4).Magnitude, tostring(2 * Vector2.new(1, 2))`),
    [5, true, 7, '4, -3, 0', '1.5, 2, 0', 5, '2, 4'],
  );
});

test('refuses to create what the engine refuses', () => {
  assert.match(studio.failure('return NumberRange.new(2, 1)'), /invalid range/);
  assert.match(
    studio.failure('return NumberSequence.new({ NumberSequenceKeypoint.new(0, 0) })'),
    /at least 2 keypoints/,
  );
  assert.match(studio.failure('return Color3.fromHex("nope")'), /Unable to convert characters/);
  assert.match(studio.failure('return CFrame.new(1, 2)'), /./);
  assert.match(studio.failure('return Vector2.new(1, 1) + 1'), /./);
});
