import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { buildModel } from '../../../../../src/project/build/build-model.ts';
import type { Model, ModelInstance } from '../../../../../src/roblox/instances/model.ts';
import { plain } from '../../../../harness/plain-model.ts';
import { openProject } from '../../../../harness/project-world.ts';
import { reflection } from '../../../../harness/reflection.ts';
import { instance, linesOf, place, planOf, syncback, text } from '../../../../harness/syncback.ts';

const tree = (dialect: 'rojo' | 'atlas') => ({
  [dialect === 'rojo' ? 'default.project.json' : 'default.project.json5']: JSON.stringify({
    name: 'Game',
    tree: { $className: 'DataModel', ReplicatedStorage: { $path: 'src' } },
    syncbackRules: { syncUnscriptable: true },
  }),
  'src/.keep': '',
});
const storage = (children: readonly ModelInstance[]): Model =>
  place(instance('ReplicatedStorage', 'ReplicatedStorage', {}, children));

interface Shape {
  readonly className: string;
  readonly name: string;
  readonly text: string;
  readonly children: readonly Shape[];
}
const { shape } = fc.letrec<{ shape: Shape }>(tie => ({
  shape: fc.record({
    className: fc.constantFrom('Folder', 'Part', 'Model', 'ModuleScript', 'Script', 'StringValue', 'IntValue'),
    name: fc.constantFrom('Part', 'part', 'A', 'A/B', 'init', 'a.server', 'CON', 'x~2', 'x.', ''),
    text: fc.constantFrom('return 1\n', 'return 2\n'),
    children: fc.oneof({ maxDepth: 3 }, fc.constant([]), fc.array(tie('shape'), { maxLength: 5 })),
  }),
}));
const shapes = fc.array(shape, { maxLength: 6 });

/** Referents are numbered in order, as in a file. */
function made(shapes: readonly Shape[]): readonly ModelInstance[] {
  let count = 0;
  const make = ({ className, name, text: value, children }: Shape): ModelInstance => {
    const referent = String((count += 1));
    const property = className === 'StringValue' ? 'Value' : className.endsWith('Script') ? 'Source' : undefined;
    const below = children.map(make);
    return instance(className, name, property === undefined ? {} : { [property]: text(value) }, below, referent);
  };
  return shapes.map(make);
}

for (const dialect of ['rojo', 'atlas'] as const)
  test(`${dialect}: writes and reads any equal and invalid names in a project with files`, async () => {
    await fc.assert(
      fc.asyncProperty(shapes, shapes, async (before, after) => {
        using world = await openProject(tree(dialect));
        for (const shapes of [before, [...before, ...after], after]) {
          const wanted = storage(made(shapes));
          await syncback(world, wanted);
          using again = await openProject(world.files.copy());
          assert.deepEqual(linesOf(await planOf(again, wanted)), []);
          const built = buildModel(again.session, 'place', reflection);
          assert.ok(built);
          assert.deepEqual(plain(built.model), plain(wanted));
        }
      }),
      { numRuns: 60 },
    );
  });
