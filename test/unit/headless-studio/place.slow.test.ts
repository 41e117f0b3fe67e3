import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import type { Model, ModelInstance } from '../../../src/roblox/instances/model.ts';
import type { Variant } from '../../../src/roblox/values/variant.ts';
import { readXmlModel } from '../../../src/roblox/formats/rbxmx/read.ts';
import { writeXmlModel } from '../../../src/roblox/formats/rbxmx/write.ts';
import { modelFromBytes, modelToBytes } from '../../../src/headless-studio/place-bytes.ts';
import { SharedBytes } from '../../../src/headless-studio/variant-bytes.ts';
import { startTestStudio } from '../../harness/luau-vm.ts';
import { reflection } from '../../harness/reflection.ts';
import { anyModel } from '../roblox/formats/arbitrary-model.ts';

const fixtures = fileURLToPath(new URL('../../fixtures/', import.meta.url));
const files = [
  ...globSync('{places,models}/*/xml.rbx*', { cwd: fixtures }),
  '../../examples/places/baseplate-566.rbxlx',
].toSorted();

function read(file: string): Model {
  const model = readXmlModel(readFileSync(`${fixtures}${file}`, 'utf8'), reflection);
  assert.ok(model.ok, file);
  return model.value;
}

/** Plain data, with references as paths, so that trees with other referents compare. */
function plain(roots: readonly ModelInstance[]): unknown {
  const paths = new Map<string, string>();
  const visit = (instances: readonly ModelInstance[], above: string): void => {
    for (const [index, instance] of instances.entries()) {
      const path = `${above}/${index}`;
      paths.set(instance.referent, path);
      visit(instance.children, path);
    }
  };
  visit(roots, '');
  const value = (variant: Variant): unknown => {
    if (variant.type === 'Ref') return { ref: paths.get(variant.value) ?? null };
    if (variant.type === 'Content' && variant.value.kind === 'object') return { object: paths.get(variant.value.ref) };
    return variant;
  };
  const one = (instance: ModelInstance): unknown => ({
    className: instance.className,
    name: instance.name,
    properties: Object.fromEntries(
      Array.from(instance.properties, ([name, variant]) => [name, value(variant)] as const).toSorted(([a], [b]) =>
        a < b ? -1 : 1,
      ),
    ),
    unknownXml: Object.fromEntries(instance.unknownXml ?? []),
    children: instance.children.map(one),
  });
  return roots.map(one);
}

test('has real files to test with', () => assert.ok(files.length > 30));

for (const file of files)
  test(`${file} passes through the VM without a change`, async () => {
    const model = read(file);
    const shared = new SharedBytes();
    const crossed = modelFromBytes(modelToBytes(model, shared), model.metadata, shared);
    assert.deepEqual(plain(crossed.roots), plain(model.roots));

    const studio = await startTestStudio(model);
    const saved = studio.save();
    const isPlace = file.endsWith('.rbxlx');
    const roots = isPlace
      ? saved.roots.slice(0, model.roots.length)
      : saved.roots.find(root => root.className === 'Workspace')!.children;
    assert.deepEqual(plain(roots), plain(model.roots));
  });

test('saves the changes of a script, and nothing else', async () => {
  const model = read('../../examples/places/baseplate-566.rbxlx');
  const studio = await startTestStudio(model);
  studio.run(`local baseplate = workspace.Baseplate
    baseplate.Transparency = 0.5
    baseplate:SetAttribute("speed", 3)
    local script = Instance.new("ModuleScript")
    script.Name = "Made" script.Source = "return 1\\n" script.Parent = baseplate
    local value = Instance.new("ObjectValue") value.Value = script value.Parent = script
    local unsaved = Instance.new("Folder") unsaved.Archivable = false unsaved.Parent = baseplate`);
  const text = writeXmlModel(studio.save(), 'place', reflection);
  assert.ok(text.ok);
  const again = readXmlModel(text.value, reflection);
  assert.ok(again.ok);
  const workspace = again.value.roots[0]!;
  const baseplate = workspace.children.find(child => child.name === 'Baseplate')!;
  const before = model.roots[0]!.children.find(child => child.name === 'Baseplate')!;
  assert.deepEqual(baseplate.properties.get('Transparency'), { type: 'Float32', value: 0.5 });
  assert.deepEqual(baseplate.properties.get('Attributes'), {
    type: 'Attributes',
    value: new Map([['speed', { type: 'Float64', value: 3 }]]),
  });
  const others = Array.from(before.properties.keys()).filter(name => name !== 'Transparency' && name !== 'Attributes');
  for (const name of others) assert.deepEqual(baseplate.properties.get(name), before.properties.get(name), name);
  const [made] = baseplate.children.filter(child => child.name === 'Made');
  assert.equal(made?.properties.get('Source')?.value, 'return 1\n');
  assert.equal(made?.children[0]?.properties.get('Value')?.value, made?.referent);
  assert.equal(
    baseplate.children.some(child => child.className === 'Folder'),
    false,
  );
});

test('keeps an instance of an unknown class, with the members of every instance', async () => {
  const model: Model = {
    roots: [
      {
        referent: 'r',
        className: 'Workspace',
        name: 'Workspace',
        properties: new Map(),
        children: [
          {
            referent: 'c',
            className: 'FutureThing',
            name: 'Thing',
            properties: new Map<string, Variant>([['Power', { type: 'Float32', value: 2 }]]),
            children: [],
          },
        ],
      },
    ],
    metadata: new Map(),
  };
  const studio = await startTestStudio(model);
  assert.deepEqual(
    studio.run('local thing = workspace.Thing return thing.ClassName, thing:IsA("Instance"), thing.Archivable'),
    ['FutureThing', true, true],
  );
  assert.match(studio.failure('return workspace.Thing.Power'), /Power is not a valid member of FutureThing/);
  assert.match(studio.failure('Instance.new("FutureThing")'), /Unable to create/);
  assert.deepEqual(studio.save().roots[0]!.children[0]!.properties.get('Power'), { type: 'Float32', value: 2 });
});

test('keeps the type of attributes until a script sets another value', async () => {
  const attributes: ReadonlyMap<string, Variant> = new Map([
    ['RBX_BackupGravity', { type: 'Float32', value: 1.5 }],
    ['RBX_BackupLevel', { type: 'Int32', value: 7 }],
    ['future', { type: 'EnumItem', value: { type: 'FutureEnum', value: 3 } }],
    ['infinite', { type: 'Float32', value: NaN }],
    ['plain', { type: 'Float64', value: 7 }],
    ['raw', { type: 'BinaryString', value: Uint8Array.of(255, 0) }],
    ['speed', { type: 'Float32', value: 3 }],
    ['text', { type: 'BinaryString', value: Uint8Array.of(97) }],
  ]);
  const properties = new Map<string, Variant>([['Attributes', { type: 'Attributes', value: attributes }]]);
  const workspace = { referent: 'r', className: 'Workspace', name: 'Workspace', properties, children: [] };
  const studio = await startTestStudio({ roots: [workspace], metadata: new Map() });
  assert.deepEqual(studio.save().roots[0]!.properties.get('Attributes')?.value, attributes);
  studio.run('workspace:SetAttribute("speed", 4) workspace:SetAttribute("text", nil)');
  const after = new Map<string, Variant>([...attributes, ['speed', { type: 'Float64', value: 4 }]]);
  after.delete('text');
  assert.deepEqual(studio.save().roots[0]!.properties.get('Attributes')?.value, after);
});

test('saves undeclared properties with their type, for zero too', async () => {
  for (const { roots } of fc.sample(anyModel, { numRuns: 8, seed: 1 })) {
    const properties = new Map<string, Variant>();
    const workspace = { referent: 'w', className: 'Workspace', name: 'Workspace', properties, children: roots };
    const studio = await startTestStudio({ roots: [workspace], metadata: new Map() });
    assert.deepEqual(plain(studio.save().roots[0]!.children), plain(roots));
  }
});

test('loads and visits a large place in time', async () => {
  const script = (index: number): ModelInstance => ({
    referent: `s${index}`,
    className: 'ModuleScript',
    name: `Module${index}`,
    properties: new Map<string, Variant>([['Source', { type: 'String', value: `return ${index}\n`.repeat(10) }]]),
    children: [],
  });
  const folders = Array.from({ length: 200 }, (_, folder): ModelInstance => ({
    referent: `f${folder}`,
    className: 'Folder',
    name: `Folder${folder}`,
    properties: new Map(),
    children: Array.from({ length: 100 }, (_each, index) => script(folder * 100 + index)),
  }));
  const storage = {
    referent: 'r',
    className: 'ReplicatedStorage',
    name: 'ReplicatedStorage',
    properties: new Map(),
    children: folders,
  };
  const studio = await startTestStudio({ roots: [storage], metadata: new Map() });
  assert.deepEqual(
    studio.run(`local bytes = 0
    for _, descendant in game:GetService("ReplicatedStorage"):GetDescendants() do
      if descendant:IsA("LuaSourceContainer") then bytes += #descendant.Source end
    end
    return bytes > 1e6`),
    [true],
  );
});
