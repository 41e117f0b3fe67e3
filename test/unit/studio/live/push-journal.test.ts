import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import type { Ref } from '../../../../src/base/brand.ts';
import type { Instance } from '../../../../src/roblox/instances/instance.ts';
import type { PatchMessage } from '../../../../src/protocol/studio/messages.ts';
import type { AppliedItem } from '../../../../src/protocol/studio/stream.ts';
import { readJournalRecord } from '../../../../src/protocol/journal/read-record.ts';
import { runToEnd } from '../../../../src/base/time-slice.ts';
import type { PartNames } from '../../../../src/studio/live/changes-from-studio.ts';
import { captureParts, livePartsOf } from '../../../../src/studio/live/live-base.ts';
import { PushJournal } from '../../../../src/studio/live/push-journal.ts';
import type { KnownInstances } from '../../../../src/studio/feed/patch-message.ts';
import { recordedRuns } from '../../../../src/sync/history/recorded-runs.ts';
import { CountingSlice } from '../../../harness/counting-slice.ts';
import { defaultSettings } from '../../../harness/default-settings.ts';
import { MemoryJournalStore } from '../../../harness/memory-journal-store.ts';
import { memoryLog } from '../../../harness/memory-log.ts';
import { openProject, smallProject } from '../../../harness/project-world.ts';
import { reflection } from '../../../harness/reflection.ts';
import { sequentialRandom } from '../../../harness/sequential-random.ts';
import { settle } from '../../../harness/settle.ts';

const model = JSON.stringify({ className: 'Folder', children: [{ name: 'Inner', className: 'Folder' }] });

async function world() {
  const project = await openProject(smallProject({ 'src/A.luau': 'return 1', 'src/Kit.model.json': model }));
  const { session, clock, files } = project;
  const journal = new MemoryJournalStore();
  const pushes = new PushJournal({
    journal,
    settings: defaultSettings(),
    session,
    place: 'Place',
    reflection,
    files,
    hasher: nodeHasher,
    random: sequentialRandom(),
    clock,
    log: memoryLog(),
  });
  const record = (
    changed: Partial<PatchMessage>,
    known: KnownInstances,
    inStudio: (id: Ref) => PartNames = () => [],
  ) => {
    const message = { removed: [], added: {}, updated: [], ...changed };
    const sent = captureParts(livePartsOf(message), session);
    return pushes.record(message, { known, removed: new Map(), sent }, inStudio);
  };
  const items = async () => runToEnd(readJournalRecord((await journal.list(1))[0]?.record))?.items ?? [];
  const summary = async () => (await recordedRuns(journal, 1, new CountingSlice()))[0]?.summary;
  const at = (path: string): Instance => project.at(path);
  const idOf = (path: string): Ref => at(path).id;
  return { files, journal, record, items, summary, at, idOf };
}

const Metadata = { ignoreUnknownInstances: true };

/** The members of `added` are not read, only its ids. */
const addedWith = (ids: readonly Ref[]): PatchMessage['added'] =>
  Object.fromEntries(
    ids.map(id => [id, { Id: id, Parent: '', Name: '', ClassName: '', Properties: {}, Children: [], Metadata }]),
  );

test('records the value that Studio has by default when the files set it for the first time', async () => {
  const { at, record, items } = await world();
  const kit = at('ReplicatedStorage/Kit');
  const changedProperties = { Archivable: { Bool: false } };
  const update = { id: kit.id, changedName: 'New', changedClassName: null, changedProperties, changedMetadata: null };
  await record({ updated: [update] }, new Map([[kit.id, { ...kit, name: 'Old' }]]));
  const [item] = await items();
  assert.deepEqual(item?.properties, {
    Archivable: { current: { Bool: true }, incoming: { Bool: false } },
    Name: { current: { String: 'Old' }, incoming: { String: 'New' } },
  });
  assert.deepEqual(item?.studio?.properties, { Archivable: { Bool: true } });
  assert.ok(item.studio !== null && !('source' in item.studio));
});

test('records the topmost new instance with its file, and no ancestor that Studio has', async () => {
  const { at, idOf, record, items, files } = await world();
  const [above, kit, inner] = ['ReplicatedStorage', 'ReplicatedStorage/Kit', 'ReplicatedStorage/Kit/Inner'].map(idOf);
  assert.ok(above && kit && inner);
  const known = new Map([
    [above, at('ReplicatedStorage')],
    [kit, undefined],
    [inner, undefined],
  ]);
  await record({ added: addedWith([above, kit, inner]) }, known);
  const recorded = await items();
  assert.deepEqual(
    recorded.map(({ path, patchType, studio }) => [path, patchType, studio]),
    [['ReplicatedStorage/Kit', 'Add', null]],
  );
  const blob = nodeHasher.gitBlob(Buffer.from(files.text('src/Kit.model.json') ?? ''));
  assert.deepEqual(recorded[0]?.files, [{ path: 'src/Kit.model.json', blob }]);
});

test('records nothing when Studio has sent the change itself', async () => {
  const { idOf, record, journal } = await world();
  const kit = idOf('ReplicatedStorage/Kit');
  const complete = await record({ added: addedWith([kit]) }, new Map([[kit, undefined]]), () => 'all');
  complete([]);
  await settle();
  assert.deepEqual(await journal.list(), []);
});

test('records only the parts of a change that Studio does not have', async () => {
  const { at, record, items, journal } = await world();
  const kit = at('ReplicatedStorage/Kit');
  const changedProperties = { Archivable: { Bool: false } };
  const update = { id: kit.id, changedName: 'Kit', changedClassName: null, changedProperties, changedMetadata: null };
  const known = new Map([[kit.id, { ...kit, name: 'Old' }]]);
  await record({ updated: [update] }, known, () => ['Name', 'Archivable']);
  assert.deepEqual(await journal.list(), []);
  await record({ updated: [update] }, known, () => ['Name']);
  const [item] = await items();
  assert.deepEqual(item?.properties, { Archivable: { current: { Bool: true }, incoming: { Bool: false } } });
  assert.equal(item?.studio?.name, 'Kit');
});

for (const [name, results, expected] of [
  [
    'had one of two changes already',
    [{ ok: true, unchanged: true }, { ok: true }],
    'Updated ReplicatedStorage/Kit in Studio. The previous state is in History.',
  ],
  [
    'did not confirm one of two changes',
    [{ ok: true }],
    'Studio did not confirm the changes of 1 of 2 instances. The previous state is in History.',
  ],
  [
    'could not apply one of two changes',
    [{ ok: true }, { ok: false }],
    'Did not change 1 of 2 instances in Studio: Studio could not apply the change.',
  ],
  [
    'applied both changes',
    [{ ok: true }, { ok: true }],
    'Updated 2 instances in Studio. The previous state is in History.',
  ],
] as const satisfies readonly (readonly [string, readonly Omit<AppliedItem, 'id'>[], string])[])
  test(`records what happened when Studio ${name}`, async () => {
    const { at, record, summary } = await world();
    const both = ['ReplicatedStorage/A', 'ReplicatedStorage/Kit'].map(at);
    const updated = both.map(({ id }) => {
      const changedProperties = { Archivable: { Bool: false } };
      return { id, changedName: null, changedClassName: null, changedProperties, changedMetadata: null };
    });
    const complete = await record({ updated }, new Map(both.map(one => [one.id, one])));
    complete(results.map((result, index) => ({ id: both[index]?.id ?? '', ...result })));
    await settle();
    assert.equal(await summary(), expected);
  });

test('offers in Studio to restore only the changes that Studio did not refuse', async () => {
  const { at, record, journal } = await world();
  const both = ['ReplicatedStorage/A', 'ReplicatedStorage/Kit'].map(at);
  const updated = both.map(({ id }) => {
    const changedProperties = { Archivable: { Bool: false } };
    return { id, changedName: null, changedClassName: null, changedProperties, changedMetadata: null };
  });
  const complete = await record({ updated }, new Map(both.map(one => [one.id, one])));
  const refused = { ok: false, code: 'property_mismatch', unchanged: true } as const;
  const partial = { ok: false, code: 'engine' } as const;
  complete([refused, partial].map((result, index) => ({ id: both[index]?.id ?? '', ...result })));
  await settle();
  const [run] = await recordedRuns(journal, 1, new CountingSlice());
  assert.deepEqual(
    run?.changes.map(({ sides }) => sides),
    [[], ['studio']],
  );
});
