import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ref } from '../../../../src/base/brand.ts';
import type { PullRequest } from '../../../../src/project/project-session.ts';
import type { StudioInstance } from '../../../../src/protocol/studio/stream.ts';
import { studioInstance } from '../../../harness/pulls.ts';
import { writeModel } from '../../../../src/roblox/formats/model/model-file.ts';
import { reflection } from '../../../harness/reflection.ts';
import { instance, place } from '../../../harness/syncback.ts';
import { assertTakesNoLonger } from '../../../harness/linear-time.ts';
import { openProject, type ProjectWorld, smallProject } from '../../../harness/project-world.ts';

const COUNT = 300;
const FACTOR = 8;

const R = 'ReplicatedStorage';
const signal = new AbortController().signal;
const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
const part = (index: number) => ({
  name: `Part${index}`,
  className: 'Part',
  properties: { Transparency: 0.5 },
  attributes: { Kind: 'a' },
});
const model = (count: number, indent?: number): string =>
  JSON.stringify({ className: 'Model', children: numbers(count).map(part) }, undefined, indent);
const xml = (count: number): string =>
  `<roblox version="4"><Item class="Model" referent="m"><Properties><string name="Name">M</string></Properties>${numbers(
    count,
  )
    .map(
      index =>
        `<Item class="Part" referent="r${index}"><Properties><string name="Name">Part${index}</string><float name="Transparency">0.5</float></Properties></Item>`,
    )
    .join('\n')}</Item></roblox>`;

function binary(count: number): Uint8Array {
  const parts = numbers(count).map(index =>
    instance('Part', `Part${index}`, {
      Transparency: { type: 'Float32', value: 0.5 },
      Attributes: { type: 'Attributes', value: new Map([['Kind', { type: 'String', value: 'a' }]]) },
    }),
  );
  const written = writeModel(place(instance('Model', 'M', {}, parts)), 'rbxm', reflection);
  assert.ok(written.ok);
  return written.value;
}

/** Files with many instances, and the path of the one that contains them. */
const layouts: Readonly<Record<string, (count: number) => Readonly<Record<string, string | Uint8Array>>>> = {
  'a JSON model on one line': count => smallProject({ 'src/M.model.json': model(count) }),
  'a JSON model on many lines': count => smallProject({ 'src/M.model.json': model(count, 2) }),
  'an XML model': count => smallProject({ 'src/M.rbxmx': xml(count) }),
  'a binary model': count => ({ ...smallProject({}), 'src/M.rbxm': binary(count) }),
  'scripts with meta files': count =>
    smallProject(
      Object.fromEntries(
        numbers(count).flatMap(index => [
          [`src/M/Part${index}.luau`, 'return 1\n'],
          [`src/M/Part${index}.meta.json`, '{ "attributes": { "Kind": "a" } }'],
        ]),
      ),
    ),
  'nodes of a project file': count => ({
    'default.project.json': JSON.stringify(
      {
        name: 'Game',
        tree: {
          $className: 'DataModel',
          [R]: {
            M: {
              $className: 'Model',
              ...Object.fromEntries(
                numbers(count).map(index => [
                  `Part${index}`,
                  { $className: 'Part', $properties: { Transparency: 0.5 }, $attributes: { Kind: 'a' } },
                ]),
              ),
            },
          },
        },
      },
      undefined,
      2,
    ),
  }),
  'many properties of one file': count =>
    smallProject({
      'src/M.model.json': JSON.stringify({
        className: 'Model',
        children: [{ ...part(0), attributes: Object.fromEntries(numbers(count).map(index => [`A${index}`, index])) }],
      }),
    }),
};

const studioPart = (index: number, properties: object, attributes: object = { Kind: { String: 'a' } }) =>
  studioInstance(`Part${index}`, 'Part', {
    properties: { ...properties, Attributes: { Attributes: attributes } },
  });

const studioScript = (index: number, attributes: object = { Kind: { String: 'a' } }) =>
  studioInstance(`Part${index}`, 'ModuleScript', {
    source: 'return 1\n',
    properties: { Attributes: { Attributes: attributes } },
  });

type Plan = (partAt: (index: number) => Ref, count: number) => readonly PullRequest[];
const edits = (
  partAt: (index: number) => Ref,
  count: number,
  studioOf: (index: number) => StudioInstance,
): readonly PullRequest[] =>
  numbers(count).map(index => ({ kind: 'edit', id: partAt(index), studio: studioOf(index) }));

const changeAll: Plan = (partAt, count) =>
  edits(partAt, count, index =>
    studioPart(index, { Transparency: { Float32: 0.25 }, Anchored: { Bool: true } }, { Kind: { String: 'b' } }),
  );
const clearAll: Plan = (partAt, count) => edits(partAt, count, index => studioPart(index, {}, {}));
const removeAll: Plan = (partAt, count) => numbers(count - 1).map(index => ({ kind: 'delete', id: partAt(index) }));
const renameAll: Plan = (partAt, count) =>
  edits(partAt, count, index => ({ ...studioPart(index, {}), name: `Other${index}` }));
const addToAll: Plan = (partAt, count) =>
  numbers(count).map(index => ({ kind: 'create', parentId: partAt(index), studio: studioInstance('New', 'Folder') }));
const changeAttributes: Plan = (partAt, count) =>
  edits(partAt, 1, index =>
    studioPart(index, {}, Object.fromEntries(numbers(count).map(each => [`A${each}`, { Float64: each + 1 }]))),
  );

const changeScripts: Plan = (partAt, count) =>
  edits(partAt, count, index => studioScript(index, { Kind: { String: 'b' } }));
const renameScripts: Plan = (partAt, count) =>
  edits(partAt, count, index => ({ ...studioScript(index), name: `Other${index}` }));

/** The ids of the parts. Looking up each by its path would take quadratic time. */
function partsOf(world: ProjectWorld): (index: number) => Ref {
  const ids = new Map(world.at(`${R}/M`).children.map(id => [world.session.get(id)?.name, id]));
  return index => {
    const id = ids.get(`Part${index}`);
    assert.ok(id !== undefined);
    return id;
  };
}

const inModels = { changeAll, clearAll, removeAll, renameAll, addToAll };
const plans: Readonly<Record<string, Readonly<Record<string, Plan>>>> = {
  'a JSON model on one line': inModels,
  'a JSON model on many lines': inModels,
  'an XML model': { changeAll, removeAll, renameAll, addToAll },
  'a binary model': { changeAll, removeAll, renameAll, addToAll },
  'scripts with meta files': { changeScripts, renameScripts, removeAll },
  'nodes of a project file': { changeAll, clearAll },
  'many properties of one file': { changeAttributes },
};

async function planAll(world: ProjectWorld, requests: readonly PullRequest[]): Promise<void> {
  const { pulls, edits } = await world.session.planPulls(requests, signal);
  assert.equal(pulls.filter(({ ok }) => ok).length, requests.length);
  assert.ok(edits.length > 0);
}

async function assertLinear(layout: string, plan: Plan, count: number): Promise<void> {
  using small = await openProject(layouts[layout]?.(count) ?? {});
  using large = await openProject(layouts[layout]?.(FACTOR * count) ?? {});
  const few = plan(partsOf(small), count);
  const many = plan(partsOf(large), FACTOR * count);
  await assertTakesNoLonger(
    async () => {
      for (let time = 0; time < FACTOR; time++) await planAll(small, few);
    },
    () => planAll(large, many),
  );
}

for (const [layout, byName] of Object.entries(plans))
  for (const [name, plan] of Object.entries(byName))
    test(`plans changes of ${layout} in linear time: ${name}`, () => assertLinear(layout, plan, COUNT));

/** 8 times 1,250: what a paste or a script in Studio can change at once. */
const MANY = 10_000;

for (const [layout, plan] of [
  ['a JSON model on many lines', changeAll],
  ['a binary model', changeAll],
  ['scripts with meta files', changeScripts],
] as const)
  test(`plans 10,000 changes of ${layout} in linear time`, () => assertLinear(layout, plan, MANY / FACTOR));
