import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
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
  const bringBack = await base.beforeChange(parts(A, ['Source']));
  bringBack();
  assert.deepEqual(await state(A), before);
  const bringBackLate = await base.beforeChange(parts(A, ['Source']));
  await save('src/A/init.luau', 'a2');
  learn(A, ['Source']);
  bringBackLate();
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

test('keeps the base of a renamed file and of everything below it when Studio has the new name', async () => {
  const { base, learn, state, files, refresh, ...project } = await world();
  const at = (path: string) => project.at(path);
  learn(A, 'all');
  learn(`${A}/B`, 'all');
  await state(A);
  const { id } = at(A);
  for (const name of ['init.luau', 'B.luau']) {
    files.set(`src/New/${name}`, files.text(`src/A/${name}`) ?? '');
    files.delete(`src/A/${name}`);
  }
  files.delete('src/A');
  await refresh();
  const renamed = 'ReplicatedStorage/New';
  assert.equal(at(renamed).id, id, 'the tree keeps the id');
  await base.beforeChange([{ id, names: [] }]);
  assert.deepEqual([await state(A), await state(`${A}/B`), await state(renamed)], [undefined, undefined, undefined]);
  learn(renamed, []);
  assert.deepEqual([(await state(renamed))?.source, (await state(`${renamed}/B`))?.source], [hash('a'), hash('b')]);
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
