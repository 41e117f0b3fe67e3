import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { PullRequest, PullsPlan } from '../../../../../src/core/sync/project-session.ts';
import type { StudioInstance } from '../../../../../src/protocol/studio/stream.ts';
import { never, openProject, type ProjectWorld, smallProject } from '../../../../harness/project-world.ts';

const R = 'ReplicatedStorage';
let ids = 0;
const studio = (name: string, className: string, parts: Partial<StudioInstance> = {}): StudioInstance => ({
  id: `${(ids += 1)}`.padStart(32, 'f'),
  name,
  className,
  properties: {},
  children: [],
  ...parts,
});
const edit = (world: ProjectWorld, path: string, state: StudioInstance): PullRequest => ({
  kind: 'edit',
  id: world.at(path).id,
  studio: state,
});
const create = (world: ProjectWorld, parent: string, state: StudioInstance): PullRequest => ({
  kind: 'create',
  parentId: world.at(parent).id,
  studio: state,
});
async function plan(world: ProjectWorld, ...requests: readonly PullRequest[]): Promise<PullsPlan> {
  return world.session.planPulls(requests, never);
}

/** Carries the plan out as the engine does, and looks at the tree again; every pull must have been planned. */
async function carryOut(world: ProjectWorld, ...requests: readonly PullRequest[]): Promise<PullsPlan> {
  const made = await plan(world, ...requests);
  for (const pull of made.pulls) assert.ok(pull.ok, pull.ok ? '' : pull.reason);
  for (const each of made.edits) {
    if (each.kind === 'write') await world.files.replace(each.path, each.bytes, each.precondition);
    else await world.files.remove(each.path, each.precondition);
  }
  await world.refresh();
  return made;
}
test('a reference is an attribute with an id, and its target says the id', async () => {
  using world = await openProject(
    smallProject({
      'src/O.model.json': '{"className": "ObjectValue"}',
      'src/P.model.json': '{"className": "Model", "children": [{"className": "Part", "name": "Hull"}]}',
    }),
  );
  const pointing = (target: string) => studio('O', 'ObjectValue', { properties: { Value: { Ref: target } } });
  await carryOut(world, edit(world, `${R}/O`, pointing(world.at(`${R}/P/Hull`).id)));
  const id = /"Rojo_Id": "([0-9a-f]{32})"/.exec(world.files.text('src/P.model.json') ?? '')?.[1];
  assert.ok(id);
  assert.match(world.files.text('src/O.model.json') ?? '', new RegExp(`"Rojo_Target_Value": "${id}"`));
  assert.equal(world.at(`${R}/O`).properties.get('Value')?.value, world.at(`${R}/P/Hull`).id);
  await carryOut(world, edit(world, `${R}/O`, pointing(world.at(`${R}/P`).id)));
  assert.match(world.files.text('src/P.model.json') ?? '', /"id": "[0-9a-f]{32}"/);
  assert.equal(world.at(`${R}/O`).properties.get('Value')?.value, world.at(`${R}/P`).id);
  await carryOut(world, edit(world, `${R}/O`, pointing('0'.repeat(32))));
  assert.equal(world.at(`${R}/O`).properties.has('Value'), false);
});

test('in the Atlas dialect a reference is a path, also to what the same plan makes', async () => {
  using world = await openProject({
    'default.project.json5': '{name: "Game", tree: {$className: "DataModel", ReplicatedStorage: {$path: "src"}}}',
    'src/O.model.json5': '{className: "ObjectValue"}',
    'src/A.luau': '',
  });
  const part = studio('Hull?', 'Part');
  const weld = studio('W', 'WeldConstraint', { properties: { Part0: { Ref: part.id } } });
  const state = studio('O', 'ObjectValue', { properties: { Value: { Ref: part.id } } });
  await carryOut(
    world,
    edit(world, `${R}/O`, state),
    create(world, `${R}/A`, studio('Ship', 'Model', { children: [part, weld] })),
  );
  const hull = world.at(`${R}/A/Ship/Hull?`).id;
  assert.match(world.files.text('src/O.model.json5') ?? '', /"\.\/A\/Ship\/Hull_\.model\.json5"/);
  assert.equal(world.at(`${R}/O`).properties.get('Value')?.value, hull);
  assert.equal(world.at(`${R}/A/Ship/W`).properties.get('Part0')?.value, hull);
  assert.equal(world.at(`${R}/A/Ship/W`).properties.has('Attributes'), false, 'the attribute has done its work');
});
