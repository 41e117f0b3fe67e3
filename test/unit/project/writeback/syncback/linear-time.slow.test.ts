import assert from 'node:assert/strict';
import { test } from 'node:test';
import { threadCpuTime } from '../../../../../scripts/bench/cpu-time.ts';
import type { ModelInstance } from '../../../../../src/roblox/instances/model.ts';
import type { Variant } from '../../../../../src/roblox/values/variant.ts';
import { gameOfScale, gamePlace } from '../../../../../scripts/bench/shapes/game-place.ts';
import { never, openProject } from '../../../../harness/project-world.ts';
import { planOf, syncback } from '../../../../harness/syncback.ts';
import { planSessionSyncback } from '../../../../../src/project/session/plan-session-syncback.ts';

let count = 0;
const instance = (name: string, className: string, values: Readonly<Record<string, Variant>> = {}): ModelInstance => ({
  referent: `r${(count += 1)}`,
  name,
  className,
  properties: new Map(Object.entries(values)),
  children: [],
});
const sameNames = (size: number): ModelInstance[] =>
  Array.from({ length: size }, (_, index) =>
    instance('S', 'ModuleScript', { Source: { type: 'String', value: `return ${index}` } }),
  );
const references = (size: number): ModelInstance[] => {
  const parts = Array.from({ length: size }, (_, index) => instance(`P${index}`, 'Part'));
  const values = parts.map(({ referent }, index) =>
    instance(`V${index}`, 'ObjectValue', { Value: { type: 'Ref', value: referent } as Variant }),
  );
  return [...parts, ...values];
};

const referencesInOneFile = (size: number): ModelInstance[] => [
  { ...instance('Rig', 'Model'), children: references(size) },
];
const folders = (size: number): ModelInstance[] =>
  Array.from({ length: size }, (_, index) => ({
    ...instance(`F${index}`, 'Folder'),
    children: [instance('S', 'ModuleScript'), instance('T', 'ModuleScript')],
  }));

/** Time to plan a syncback into an empty project, and to read the files again. */
async function timeOf(children: readonly ModelInstance[], projectFile = 'default.project.json5'): Promise<number> {
  using world = await openProject({
    [projectFile]: '{ "tree": { "$className": "DataModel", "Workspace": { "$path": "ws" } } }',
    'ws/.gitkeep': '',
  });
  const model = { roots: [{ ...instance('Workspace', 'Workspace'), children }], metadata: new Map() };
  const began = threadCpuTime();
  const plan = await planSessionSyncback(world.session, { model, kind: 'place' }, never);
  assert.ok(typeof plan !== 'string');
  assert.deepEqual(plan.refused, []);
  for (const edit of plan.edits)
    if (edit.kind === 'write') await world.files.replace(edit.path, edit.bytes, edit.precondition);
  await world.refresh();
  return threadCpuTime() - began;
}

const shapes = {
  'the same name': sameNames,
  references,
  'a folder each': folders,
};
for (const [what, shape] of Object.entries(shapes))
  test(`takes linear time when a place has many instances with ${what}`, async () => {
    await timeOf(shape(250));
    const [small, large] = [await timeOf(shape(500)), await timeOf(shape(2000))];
    assert.ok(large < small * 10, `4 times the size took ${(large / small).toFixed(1)} times as long`);
  });

// In the Rojo dialect, instances without scripts share one model file.
const game = (scale: number): readonly ModelInstance[] => {
  const { roots } = gamePlace({ ...gameOfScale(scale, 500), largeScripts: 0, depth: 0 });
  return roots.find(({ className }) => className === 'Workspace')?.children ?? [];
};
for (const [what, shape] of Object.entries({
  'references in one model file': referencesInOneFile,
  'the shapes of a real game': game,
}))
  test(`rojo: takes linear time when a place has ${what}`, async () => {
    const sizes = shape === game ? [6, 12, 48] : [100, 250, 1000];
    const times: number[] = [];
    for (const size of sizes) times.push(await timeOf(shape(size), 'default.project.json'));
    const [, small = 0, large = 0] = times;
    assert.ok(large < small * 10, `4 times the size took ${(large / small).toFixed(1)} times as long`);
  });

const rigs = (size: number): ModelInstance[] =>
  Array.from({ length: size }, (_, rig) => ({
    ...instance('Rig', 'Model'),
    children: Array.from({ length: 12 }, (_, limb) =>
      instance(`Limb${limb}`, 'Part', { Transparency: { type: 'Float32', value: rig } }),
    ),
  }));

test('takes linear time to compare models of one name that differ in their children', async () => {
  const times: number[] = [];
  for (const size of [20, 75, 300]) {
    using world = await openProject({
      'default.project.json5': '{ "tree": { "$className": "DataModel", "Workspace": { "$path": "ws" } } }',
      'ws/.gitkeep': '',
    });
    const model = { roots: [{ ...instance('Workspace', 'Workspace'), children: rigs(size) }], metadata: new Map() };
    await syncback(world, model);
    const began = threadCpuTime();
    const again = await planOf(world, { ...model, roots: model.roots.map(reversed) });
    times.push(threadCpuTime() - began);
    assert.deepEqual(again.edits, []);
  }
  const [, small = 0, large = 0] = times;
  assert.ok(large < small * 10, `4 times the size took ${(large / small).toFixed(1)} times as long`);
});

const reversed = (of: ModelInstance): ModelInstance => ({ ...of, children: of.children.toReversed().map(reversed) });
