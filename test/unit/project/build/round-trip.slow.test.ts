import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { writeBinaryModel } from '../../../../src/roblox/formats/rbxm/write.ts';
import { readXmlModel } from '../../../../src/roblox/formats/rbxmx/read.ts';
import { writeXmlModel } from '../../../../src/roblox/formats/rbxmx/write.ts';
import type { Model } from '../../../../src/roblox/instances/model.ts';
import type { ModelFormat } from '../../../../src/roblox/formats/model/model-file.ts';
import { assertHolds, builtAndRead, modelFormats } from '../../../harness/built-tree.ts';
import { openProject } from '../../../harness/project-world.ts';
import { reflection } from '../../../harness/reflection.ts';
import { anyModel } from '../../roblox/formats/arbitrary-model.ts';
import { modelFiles } from '../../roblox/formats/model-files.ts';
import { anyEntries, filesOf } from '../../sync/arbitrary-files.ts';

type Files = Readonly<Record<string, string | Uint8Array>>;

/** Loads, builds and reads again, in every format. */
async function proves(files: Files, formats: readonly ModelFormat[] = modelFormats): Promise<void> {
  using world = await openProject(files);
  const errors = world.session.diagnostics().filter(({ severity }) => severity === 'error');
  assert.deepEqual(errors, []);
  for (const format of formats) assertHolds(builtAndRead(world.session, format), world.session, format);
}

function filesBelow(folder: string): Files {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  return Object.fromEntries(
    entries.map(entry => {
      const path = join(entry.parentPath, entry.name);
      return [path.slice(folder.length + 1), new Uint8Array(readFileSync(path))];
    }),
  );
}

const project = (more: object = {}): string =>
  JSON.stringify({ name: 'Game', tree: { $className: 'DataModel', ReplicatedStorage: { $path: 'src' }, ...more } });
const projectFile = { rojo: 'default.project.json', atlas: 'default.project.json5' } as const;
const dialects = ['rojo', 'atlas'] as const;

test('builds the obby example in every format as its files describe it', async () => {
  await proves(filesBelow(fileURLToPath(new URL('../../../../examples/obby', import.meta.url))));
});

for (const dialect of dialects)
  test(`${dialect}: builds a project with every file kind and resolves its references`, async () => {
    const model: Model = {
      roots: [
        {
          referent: '1',
          className: 'Model',
          name: 'x',
          properties: new Map([['PrimaryPart', { type: 'Ref', value: '2' as never }]]),
          children: [{ referent: '2', className: 'Part', name: 'Hull', properties: new Map(), children: [] }],
        },
      ],
      metadata: new Map(),
    };
    const xml = writeXmlModel(model, 'model', reflection);
    const binary = writeBinaryModel(model, reflection);
    assert.ok(xml.ok && binary.ok);
    await proves({
      [projectFile[dialect]]: project({
        Workspace: {
          $properties: { Gravity: 50 },
          $attributes: { Level: 3, Place: { Vector3: [1, 2, 3] } },
          Marker: { $className: 'ObjectValue', $attributes: { Rojo_Target_Value: 'hub' } },
        },
      }),
      'src/a.server.luau': 'print("]]>")\r\n',
      'src/a.meta.json': '{"properties": {"Tags": ["x", "y"]}}',
      'src/b.client.luau': '',
      'src/d/init.luau': 'return 1',
      'src/d/deep/note.txt': 'one\r\ntwo\ttab',
      'src/data.json': '{"a": [1, 2]}',
      'src/data2.toml': 'a = 1',
      'src/data3.yaml': 'a: 1',
      'src/words.csv': 'Key,de\nhi,hallo\n',
      'src/one.rbxmx': xml.value,
      'src/two.rbxm': binary.value,
      'src/part.model.json': JSON.stringify({
        className: 'Part',
        properties: {
          Color: [0.5, 0.25, 1],
          Size: [1, 2, 3.3],
          Material: 'Wood',
          CFrame: [1, 2, 3, 1, 0, 0, 0, 1, 0, 0, 0, 1],
        },
        attributes: { Rojo_Id: 'hub', Speed: 16.5 },
        children: [{ className: 'WeldConstraint', attributes: { Rojo_Target_Part0: 'hub' } }],
      }),
      'src/nested/default.project.json': '{"tree": {"$className": "Configuration"}}',
    });
  });

test('builds any root as a model, but only a DataModel as a place', async () => {
  const tree = '{"tree": {"$path": "src"}}';
  using world = await openProject({ 'default.project.json': tree, 'src/init.luau': 'return 1', 'src/x.luau': '' });
  for (const format of ['rbxm', 'rbxmx'] as const)
    assertHolds(builtAndRead(world.session, format), world.session, format);
  assert.throws(() => builtAndRead(world.session, 'rbxl'));
});

for (const { name, xml, binary } of modelFiles)
  test(`${name} survives a round trip through project files and a build`, async () => {
    const model = readXmlModel(xml, reflection);
    assert.ok(model.ok);
    const files: Record<string, string | Uint8Array> = {};
    for (const [index, root] of model.value.roots.entries()) {
      const alone = writeXmlModel({ ...model.value, roots: [root] }, 'model', reflection);
      assert.ok(alone.ok);
      files[`src/m${index}.rbxmx`] = alone.value;
    }
    if (model.value.roots.length === 1) files['src/whole.rbxm'] = binary;
    await proves({ 'default.project.json': project(), ...files });
  });

test('any model file in a project survives every build', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyModel,
      fc.constantFrom(...dialects),
      fc.constantFrom(...modelFormats),
      async (model, dialect, format) => {
        const whole: Model = {
          ...model,
          roots: [{ referent: 'top', className: 'Folder', name: 'any', properties: new Map(), children: model.roots }],
        };
        const xml = writeXmlModel(whole, 'model', reflection);
        const binary = writeBinaryModel(whole, reflection);
        // For undeclared properties, each format keeps types that the other lacks, so each one is compared with itself.
        const file = format.endsWith('x') ? xml : binary;
        fc.pre(file.ok);
        const files = file.ok ? { [`src/m.rbxm${format.endsWith('x') ? 'x' : ''}`]: file.value } : {};
        await proves({ [projectFile[dialect]]: project(), ...files }, [format]);
      },
    ),
    { numRuns: 60 },
  );
});

test('any tree of files is built as described in both dialects', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyEntries,
      fc.constantFrom(...dialects),
      fc.constantFrom(...modelFormats),
      async (entries, dialect, format) => {
        await proves({ [projectFile[dialect]]: project(), ...filesOf('src', entries, dialect) }, [format]);
      },
    ),
    { numRuns: 80 },
  );
});
