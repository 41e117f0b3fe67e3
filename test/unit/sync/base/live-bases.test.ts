import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import { runToEnd } from '../../../../src/base/time-slice.ts';
import { baseKeys } from '../../../../src/sync/base/base-keys.ts';
import { BaseStates } from '../../../../src/sync/base/base-state.ts';
import { createLiveBases } from '../../../../src/sync/base/live-bases.ts';
import { captureParts } from '../../../../src/studio/live/live-base.ts';
import { MemoryBaseStore } from '../../../harness/memory-base-store.ts';
import { memoryLog } from '../../../harness/memory-log.ts';
import { openProject, smallProject } from '../../../harness/project-world.ts';
import { reflection } from '../../../harness/reflection.ts';
import { settle } from '../../../harness/settle.ts';

const place = { placeId: 1, placeName: 'Game', placeVersion: 0 };
const hash = (text: string): string => nodeHasher.gitBlob(Buffer.from(text));

async function world(placeVersion = 0) {
  const project = await openProject(
    smallProject({
      'src/A/init.luau': 'a',
      'src/A/B.luau': 'b',
      'src/Lamp.model.json': JSON.stringify({ className: 'Part', properties: { Locked: true, Anchored: true } }),
    }),
  );
  const bases = new MemoryBaseStore();
  const stored: string[] = [];
  const live = createLiveBases({
    bases,
    baseTexts: { store: texts => void stored.push(...texts.map(({ text }) => text())) },
    hasher: nodeHasher,
    reflection,
    clock: project.clock,
    log: memoryLog(),
  });
  const base = live.open(project.session, { ...place, placeVersion });
  const parts = (path: string, names: readonly string[] | 'all') => [{ id: project.at(path).id, names }];
  const state = async (path: string) => {
    await settle();
    const [key = ''] = bases.places();
    return (await bases.load(key)).get(path);
  };
  return {
    ...project,
    bases,
    live,
    base,
    stored,
    parts,
    state,
    learn: (path: string, names: readonly string[] | 'all') =>
      base.learn(Array.from(captureParts(parts(path, names), project.session).values())),
    refresh: () => project.refresh(),
    save: async (path: string, text: string) => {
      project.files.set(path, text);
      await project.refresh();
    },
  };
}
const A = 'ReplicatedStorage/A';
const LAMP = 'ReplicatedStorage/Lamp';

test('forgets a part before it changes, and learns it when both sides have it', async () => {
  const { base, learn, parts, state, save } = await world();
  learn(A, 'all');
  assert.equal((await state(A))?.source, hash('a'));
  await save('src/A/init.luau', 'a2');
  await base.beforeChange(parts(A, ['Source']));
  assert.deepEqual(await state(A), { properties: {}, earlier: { Source: [hash('a')] } });
  learn(A, ['Source']);
  assert.equal((await state(A))?.source, hash('a2'));
});

test('restores a part whose change did not happen, unless it changed since', async () => {
  const { base, learn, parts, state, save } = await world();
  learn(A, 'all');
  const before = await state(A);
  const ids = new Set(parts(A, 'all').map(({ id }) => id));
  const bringBack = await base.beforeChange(parts(A, ['Source']));
  bringBack(ids);
  assert.deepEqual(await state(A), before);
  const bringBackLate = await base.beforeChange(parts(A, ['Source']));
  await save('src/A/init.luau', 'a2');
  learn(A, ['Source']);
  bringBackLate(ids);
  assert.equal((await state(A))?.source, hash('a2'));
});

test('keeps a property unknown that is on its way to Studio while another one is learned', async () => {
  const { base, learn, parts, state } = await world();
  learn(LAMP, 'all');
  await base.beforeChange(parts(LAMP, ['Locked']));
  await base.beforeChange(parts(LAMP, ['Anchored']));
  learn(LAMP, ['Anchored']);
  assert.deepEqual(Object.keys((await state(LAMP))?.properties ?? {}), ['Anchored']);
});

test('records the version of the place with every part, and keeps it while a part changes', async () => {
  const { base, learn, parts, state, live, session } = await world(7);
  learn(A, 'all');
  assert.equal((await state(A))?.placeVersion, 7);
  await base.beforeChange(parts(A, ['Source']));
  assert.equal((await state(A))?.placeVersion, 7);
  learn(A, ['Source']);
  assert.equal((await state(A))?.placeVersion, 7);
  base[Symbol.dispose]();
  for (const [placeVersion, expected] of [
    [0, 7],
    [8, 8],
  ] as const) {
    using next = live.open(session, { ...place, placeVersion });
    next.learn(Array.from(captureParts(parts(A, ['Source']), session).values()));
    assert.equal((await state(A))?.placeVersion, expected);
  }
});

test('knows after a crash that a new instance may have been written, until it is abandoned', async () => {
  const both = await world();
  const { base, state, live, session } = both;
  const child = { id: 'e'.repeat(32), name: 'Below', className: 'Folder', properties: {}, children: [] };
  const studio = { ...child, id: 'f'.repeat(32), name: 'New/1', children: [child] };
  const created = { parentId: both.at('ReplicatedStorage').id, studio };
  assert.deepEqual((await base.beforeCreate([created])).agreed, new Set());
  // The bridge crashes here, and Studio sends the instance again.
  using next = live.open(session, place);
  const again = await next.beforeCreate([created]);
  assert.deepEqual(again.agreed, new Set([created]));
  again.abandon([created]);
  const key = 'ReplicatedStorage/New%2F1';
  assert.deepEqual(await state(key), { properties: {}, isOutdated: true });
  const below = { parentId: both.at(A).id, studio };
  const planned = await next.beforeCreate([below]);
  assert.deepEqual(await state(`${A}/New%2F1/Below`), { properties: {}, isOutdated: true });
  planned.abandon([below]);
  assert.deepEqual([await state(`${A}/New%2F1`), await state(`${A}/New%2F1/Below`)], [undefined, undefined]);
});

test('learns a new instance that is written after its live session has ended', async () => {
  const both = await world();
  const { base, state } = both;
  const studio = {
    id: 'f'.repeat(32),
    name: 'B',
    className: 'ModuleScript',
    source: 'b',
    properties: {},
    children: [],
  };
  const created = { parentId: both.at(A).id, studio };
  await base.beforeCreate([created]);
  base[Symbol.dispose]();
  base.learnCreated([created]);
  assert.equal((await state(`${A}/B`))?.source, hash('b'));
});

test('learns only the changed part of an instance whose base was outdated', async () => {
  const { bases, learn, state } = await world();
  learn(LAMP, 'all');
  await state(LAMP);
  await bases.outdateAll();
  learn(LAMP, ['Locked']);
  assert.deepEqual(Object.keys((await state(LAMP))?.properties ?? {}), ['Locked']);
  assert.equal((await state(LAMP))?.isOutdated, undefined);
});

test('learns nothing while two Studios have the same place open', async () => {
  const { live, session, learn, base, parts, state } = await world();
  learn(A, 'all');
  const other = live.open(session, place);
  await base.beforeChange(parts(A, ['Source']));
  learn(A, ['Source']);
  assert.equal((await state(A))?.source, undefined);
  other[Symbol.dispose]();
  learn(A, ['Source']);
  assert.equal((await state(A))?.source, hash('a'));
});

test('forgets a removed instance with everything below it', async () => {
  const { base, learn, parts, state, files, refresh } = await world();
  learn(A, 'all');
  learn(`${A}/B`, 'all');
  const removed = parts(A, 'all');
  for (const path of ['src/A/init.luau', 'src/A/B.luau', 'src/A']) files.delete(path);
  await refresh();
  await base.beforeChange(removed);
  assert.deepEqual([await state(A), await state(`${A}/B`)], [undefined, undefined]);
});

test('[P1] keeps a text unknown that is on its way to Studio while a property of the script is learned', async () => {
  const { base, learn, parts, save, state } = await world();
  await save('src/A/init.meta.json', JSON.stringify({ properties: { Archivable: false } }));
  learn(A, 'all');
  await save('src/A/init.luau', 'a2');
  await base.beforeChange(parts(A, ['Source']));
  learn(A, ['Archivable']);
  const now = await state(A);
  assert.deepEqual([now?.source, Object.keys(now?.properties ?? {})], [undefined, ['Archivable']]);
});

const RENAMED = 'ReplicatedStorage/New';

/** A project whose folder with the script `A` and the script `B` below it was renamed on disk, which Studio has not confirmed. */
async function renamedWorld() {
  const one = await world();
  one.learn(A, 'all');
  one.learn(`${A}/B`, 'all');
  await one.state(A);
  const { id } = one.at(A);
  for (const name of ['init.luau', 'B.luau']) {
    one.files.set(`src/New/${name}`, one.files.text(`src/A/${name}`) ?? '');
    one.files.delete(`src/A/${name}`);
  }
  one.files.delete('src/A');
  await one.refresh();
  assert.equal(one.at(RENAMED).id, id, 'the tree keeps the id');
  return { ...one, id };
}

test('keeps the base of a renamed file and of everything below it when Studio has the new name', async () => {
  const { base, learn, state, id } = await renamedWorld();
  await base.beforeChange([{ id, names: [] }]);
  assert.deepEqual([await state(A), await state(`${A}/B`), await state(RENAMED)], [undefined, undefined, undefined]);
  learn(RENAMED, []);
  assert.deepEqual([(await state(RENAMED))?.source, (await state(`${RENAMED}/B`))?.source], [hash('a'), hash('b')]);
});

test('[P1] keeps a text unknown that is edited below a renamed file before Studio has the new name', async () => {
  const { base, learn, parts, save, state, id } = await renamedWorld();
  await base.beforeChange([{ id, names: [] }]);
  await save('src/New/B.luau', 'b2');
  await base.beforeChange(parts(`${RENAMED}/B`, ['Source']));
  learn(RENAMED, []);
  assert.equal((await state(RENAMED))?.source, hash('a'));
  assert.equal((await state(`${RENAMED}/B`))?.source, undefined);
  learn(`${RENAMED}/B`, ['Source']);
  assert.equal((await state(`${RENAMED}/B`))?.source, hash('b2'));
});

test('[P1] restores no state below a renamed file when two Studios were open as it was renamed', async () => {
  const { base, learn, live, session, state, id } = await renamedWorld();
  const other = live.open(session, place);
  await base.beforeChange([{ id, names: [] }]);
  learn(RENAMED, []);
  other[Symbol.dispose]();
  learn(RENAMED, ['Source']);
  assert.equal((await state(RENAMED))?.source, hash('a'));
  assert.equal(await state(`${RENAMED}/B`), undefined);
});

test('moves the base to the new keys when Studio renamed an instance', async () => {
  const { base, state, id } = await renamedWorld();
  base.learnRenamed([id]);
  assert.deepEqual([await state(A), await state(`${A}/B`)], [undefined, undefined]);
  assert.deepEqual([(await state(RENAMED))?.source, (await state(`${RENAMED}/B`))?.source], [hash('a'), hash('b')]);
});

test('only removes the former keys when Studio renamed an instance of a place that two Studios have open', async () => {
  const { base, live, session, state, id } = await renamedWorld();
  using _ = live.open(session, place);
  base.learnRenamed([id]);
  for (const key of [A, `${A}/B`, RENAMED, `${RENAMED}/B`]) assert.equal(await state(key), undefined, key);
});

test('learns references by the keys of their targets, as a comparison does', async () => {
  const { learn, save, state, session, ...project } = await world();
  const pointer = { className: 'ObjectValue', attributes: { Rojo_Target_Value: 'lamp' } };
  await save('src/Lamp.model.json', JSON.stringify({ className: 'Part', attributes: { Rojo_Id: 'lamp' } }));
  await save('src/Pointer.model.json', JSON.stringify(pointer));
  const path = 'ReplicatedStorage/Pointer';
  assert.equal(project.at(path).properties.get('Value')?.type, 'Ref');
  learn(path, ['Value']);
  const compared = new BaseStates(nodeHasher);
  compared.useKeys(runToEnd(baseKeys(session)));
  assert.equal((await state(path))?.properties['Value'], compared.of(project.at(path)).properties['Value']);
});

test('stores the last text of a burst of saves', async () => {
  const { learn, save, stored, clock, state } = await world();
  for (const text of ['1', '2', '3']) {
    await save('src/A/init.luau', text);
    learn(A, ['Source']);
  }
  await state(A);
  clock.advance(2000);
  await state(A);
  assert.deepEqual(stored, ['3']);
  await save('src/A/B.luau', 'later');
  learn(`${A}/B`, ['Source']);
  clock.advance(2000);
  await state(A);
  assert.deepEqual(stored, ['3', 'later']);
});

test('never treats a text as common that is not the last common one', async () => {
  const step = fc.record({
    kind: fc.constantFrom('disk', 'studio', 'refused', 'crash', 'restart'),
    script: fc.constantFrom('A', 'A/B'),
    text: fc.constantFrom('1', '2', '3'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async steps => {
      const one = await world();
      const paths: Record<string, string> = { A: 'src/A/init.luau', 'A/B': 'src/A/B.luau' };
      const studio: Record<string, string> = { A: 'a', 'A/B': 'b' };
      const common = { ...studio };
      let { base } = one;
      for (const { kind, script, text } of steps) {
        const path = `ReplicatedStorage/${script}`;
        const parts = one.parts(path, ['Source']);
        const learn = () => base.learn(Array.from(captureParts(parts, one.session).values()));
        if (kind === 'restart') {
          base[Symbol.dispose]();
          base = one.live.open(one.session, place);
          await base.beforeStart();
        } else if (kind === 'studio') {
          studio[script] = text;
          await base.beforeChange(parts);
          await one.save(paths[script] ?? '', text);
          learn();
          common[script] = text;
        } else {
          await one.save(paths[script] ?? '', text);
          await base.beforeChange(parts);
          if (kind === 'refused') continue;
          studio[script] = text;
          common[script] = text;
          // A crash in between: Studio has the text, and the base does not know it.
          if (kind === 'disk') learn();
        }
        for (const [name, both] of Object.entries(common)) {
          const known = (await one.state(`ReplicatedStorage/${name}`))?.source;
          assert.ok(known === undefined || known === hash(both), `${name}: ${JSON.stringify(steps)}`);
        }
      }
      one[Symbol.dispose]();
    }),
    { numRuns: 40 },
  );
});
