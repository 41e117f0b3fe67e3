import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Model, ModelInstance } from '../../../../../src/roblox/instances/model.ts';
import { buildModel } from '../../../../../src/project/build/build-model.ts';
import type { FileProjectSession } from '../../../../../src/project/session/file-project-session.ts';
import { readXmlModel } from '../../../../../src/roblox/formats/rbxmx/read.ts';
import { builtAndRead } from '../../../../harness/built-tree.ts';
import { plain } from '../../../../harness/plain-model.ts';
import { openProject } from '../../../../harness/project-world.ts';
import { reflection } from '../../../../harness/reflection.ts';
import { linesOf, planOf, syncback } from '../../../../harness/syncback.ts';
import { anyModel } from '../../../roblox/formats/arbitrary-model.ts';
import { modelFiles } from '../../../roblox/formats/model-files.ts';
import { anyEntries, filesOf } from '../../../sync/arbitrary-files.ts';

const projects = {
  rojo: { 'default.project.json': '{"tree": {"$className": "DataModel", "$path": "src"}}', 'src/.keep': '' },
  atlas: {
    'default.project.json5': '{tree: {$className: "DataModel", $path: "src"}, syncbackRules: {syncUnscriptable: true}}',
    'src/.keep': '',
  },
} as const;
const dialects = ['rojo', 'atlas'] as const;

const inPlace = (roots: readonly ModelInstance[]): Model => {
  const folder = { referent: 'top', className: 'Folder', name: 'any', properties: new Map(), children: roots };
  const service = { referent: 'service', className: 'ReplicatedStorage', name: 'ReplicatedStorage' };
  return { roots: [{ ...service, properties: new Map(), children: [folder] }], metadata: new Map() };
};

/** Services in a folder and two scripts with the same name load with a warning. */
const errorsOf = (session: FileProjectSession) => session.diagnostics().filter(({ severity }) => severity === 'error');

for (const dialect of dialects)
  test(`${dialect}: writes any place to files that read back as the place, in one pass`, async () => {
    await fc.assert(
      fc.asyncProperty(anyModel, async model => {
        using world = await openProject(projects[dialect]);
        const wanted = inPlace(model.roots);
        await syncback(world, wanted);
        assert.deepEqual(errorsOf(world.session), []);
        assert.deepEqual(linesOf(await planOf(world, wanted)), []);
        const built = buildModel(world.session, 'place', reflection);
        assert.ok(built);
        assert.deepEqual(plain(built.model), plain(wanted));
        using again = await openProject(world.files.copy());
        assert.deepEqual(linesOf(await planOf(again, built.model)), []);
      }),
      { numRuns: 60 },
    );
  });

for (const { name, xml } of modelFiles)
  for (const dialect of dialects)
    test(`${dialect}: ${name} survives syncback into an empty project and a build`, async () => {
      const model = readXmlModel(xml, reflection);
      assert.ok(model.ok);
      using world = await openProject(projects[dialect]);
      const wanted = inPlace(model.value.roots);
      await syncback(world, wanted);
      assert.deepEqual(errorsOf(world.session), []);
      assert.deepEqual(linesOf(await planOf(world, wanted)), []);
      using again = await openProject(world.files.copy());
      assert.deepEqual(linesOf(await planOf(again, builtAndRead(world.session, 'rbxl'))), []);
    });

const withSources = {
  rojo: { 'default.project.json': '{"tree": {"$className": "DataModel", "ReplicatedStorage": {"$path": "src"}}}' },
  atlas: { 'default.project.json5': '{tree: {$className: "DataModel", ReplicatedStorage: {$path: "src"}}}' },
} as const;
for (const dialect of dialects)
  test(`${dialect}: any project survives a build, syncback into an empty folder and a load`, async () => {
    await fc.assert(
      fc.asyncProperty(anyEntries, async entries => {
        const empty = withSources[dialect];
        using first = await openProject({ ...empty, ...filesOf('src', entries, dialect) });
        const built = builtAndRead(first.session, 'rbxl');
        using second = await openProject({ ...empty, 'src/.keep': '' });
        await syncback(second, built);
        using again = await openProject(second.files.copy());
        assert.deepEqual(plain(builtAndRead(again.session, 'rbxl')), plain(built));
        assert.deepEqual(linesOf(await planOf(again, built)), []);
      }),
      { numRuns: 60 },
    );
  });
