import assert from 'node:assert/strict';
import { test } from 'node:test';
import { threadCpuTime } from '../../../../../scripts/bench/cpu-time.ts';
import type { ModelInstance } from '../../../../../src/roblox/instances/model.ts';
import type { Variant } from '../../../../../src/roblox/values/variant.ts';
import { never, openProject } from '../../../../harness/project-world.ts';

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

/** Time to plan a syncback into an empty project, and to read the files again. */
async function timeOf(children: readonly ModelInstance[]): Promise<number> {
  using world = await openProject({
    'default.project.json5': '{ tree: { $className: "DataModel", Workspace: { $path: "ws" } } }',
    'ws/.gitkeep': '',
  });
  const model = { roots: [{ ...instance('Workspace', 'Workspace'), children }], metadata: new Map() };
  const began = threadCpuTime();
  const plan = await world.session.planSyncback({ model, kind: 'place' }, never);
  assert.ok(typeof plan !== 'string');
  assert.deepEqual(plan.refused, []);
  for (const edit of plan.edits)
    if (edit.kind === 'write') await world.files.replace(edit.path, edit.bytes, edit.precondition);
  await world.refresh();
  return threadCpuTime() - began;
}

for (const [what, shape] of Object.entries({ 'the same name': sameNames, references }))
  test(`takes linear time when a place has many instances with ${what}`, async () => {
    await timeOf(shape(250));
    const [small, large] = [await timeOf(shape(500)), await timeOf(shape(2000))];
    assert.ok(large < small * 10, `4 times the size took ${(large / small).toFixed(1)} times as long`);
  });
