import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { Variant } from '../../../src/roblox/values/variant.ts';
import { startTestStudio, type TestStudio } from '../../harness/luau-vm.ts';

// State that files store, and that scripts reach only through methods.

let studio: TestStudio;
beforeEach(async () => {
  studio = await startTestStudio();
});

/** A property of the child of Workspace with this name, as it is saved. */
function saved(name: string, property: string): Variant | undefined {
  const workspace = studio.save().roots.find(root => root.className === 'Workspace');
  return workspace?.children.find(child => child.name === name)?.properties.get(property);
}

test('reads, writes, saves and undoes translations', () => {
  const [before, entries, undone] =
    studio.run(`local t = Instance.new("LocalizationTable") t.Name = "T" t.Parent = workspace
    local History = game:GetService("ChangeHistoryService")
    History:SetWaypoint("made")
    local before = t:GetContents()
    t:SetEntries({ { Key = "hi", Source = "Hello", Values = { de = "Hallo" } }, { Key = "bye" } })
    local entries = t:GetEntries()
    History:SetWaypoint("translated")
    History:Undo()
    local undone = t:GetContents()
    History:Redo()
    return before, entries, undone`);
  assert.equal(before, '[]');
  assert.deepEqual(entries, [
    { Key: 'hi', Source: 'Hello', Context: '', Example: '', Values: { de: 'Hallo' } },
    { Key: 'bye', Source: '', Context: '', Example: '', Values: [] },
  ]);
  assert.equal(undone, '[]');
  const contents = saved('T', 'Contents');
  assert.ok(contents?.type === 'String');
  assert.deepEqual(JSON.parse(contents.value), [
    { key: 'hi', source: 'Hello', values: { de: 'Hallo' } },
    { key: 'bye' },
  ]);
  assert.match(studio.failure('workspace.T:SetContents("{")'), /Can't parse JSON/);
});

test('stores the properties of a style rule', () => {
  assert.deepEqual(
    studio.run(`local r = Instance.new("StyleRule") r.Name = "R" r.Parent = workspace
    r:SetProperties({ BackgroundTransparency = 0.5, Text = "a" })
    r:SetProperty("Text", nil)
    r:SetProperty("Visible", true)
    return r:GetProperties(), r:GetProperty("Visible")`),
    [{ BackgroundTransparency: 0.5, Visible: true }, true],
  );
  const properties = saved('R', 'Properties');
  assert.ok(properties?.type === 'Attributes');
  assert.deepEqual(Array.from(properties.value.keys()).toSorted(), ['BackgroundTransparency', 'Visible']);
});

test('has a terrain color for each material, and for nothing else', () => {
  studio.vm.define(
    new Map([
      [
        'terrain-test.luau',
        `local terrain = require("@headless/instance").make(require("@headless/reflection").find("Terrain"))
        terrain.Parent = workspace
        return terrain`,
      ],
    ]),
  );
  assert.deepEqual(
    studio.run(`local terrain = require("@terrain-test")
    local grass = terrain:GetMaterialColor(Enum.Material.Grass)
    terrain:SetMaterialColor(Enum.Material.Grass, Color3.fromRGB(1, 2, 3))
    local hasNeon = pcall(terrain.GetMaterialColor, terrain, Enum.Material.Neon)
    return typeof(grass), terrain:GetMaterialColor(Enum.Material.Grass):ToHex(), hasNeon`),
    ['Color3', '010203', false],
  );
  assert.equal(saved('Terrain', 'MaterialColors')?.type, 'MaterialColors');
});

test('moves and scales a model as a whole', () => {
  const state = `local function state() return tostring(a.Position), tostring(b.Position), tostring(b.Size), tostring(hook.Position), model:GetScale() end`;
  const world = `local model = Instance.new("Model") model.Name = "M" model.Parent = workspace
    local a, b = Instance.new("Part"), Instance.new("Part")
    a.Size, b.Size = Vector3.one, Vector3.one
    a.Position, b.Position = Vector3.new(-1, 0, 0), Vector3.new(1, 0, 0)
    a.Parent, b.Parent = model, model
    local hook = Instance.new("Attachment") hook.Position = Vector3.new(0, 1, 0) hook.Parent = b
    ${state}`;
  assert.deepEqual(studio.run(`${world} model:ScaleTo(2) return state()`), [
    '-2, 0, 0',
    '2, 0, 0',
    '2, 2, 2',
    '0, 2, 0',
    2,
  ]);
  assert.deepEqual(saved('M', 'Scale'), { type: 'Float32', value: 2 });
  assert.deepEqual(
    studio.run(
      `${world} model:ScaleTo(2) model:ScaleTo(1) model:PivotTo(CFrame.new(0, 5, 0)) return tostring(model:GetPivot().Position), state()`,
    ),
    ['0, 5, 0', '-1, 5, 0', '1, 5, 0', '1, 1, 1', '0, 1, 0', 1],
  );
  assert.equal(saved('M', 'WorldPivotData')?.type, 'OptionalCFrame');
  assert.match(studio.failure('Instance.new("Model"):ScaleTo(0)'), /Scale must be between/);
});

test('uses the middle of the parts when a model has no pivot', () => {
  assert.deepEqual(
    studio.run(`local model, part = Instance.new("Model"), Instance.new("Part")
    part.Size = Vector3.new(2, 2, 2) part.Position = Vector3.new(3, 4, 5) part.Parent = model
    local first = tostring(model.WorldPivot.Position)
    model.PrimaryPart = part
    part.PivotOffset = CFrame.new(0, 1, 0)
    return first, tostring(model:GetPivot().Position), tostring(part:GetPivot().Position)`),
    ['3, 4, 5', '3, 5, 5', '3, 5, 5'],
  );
});
