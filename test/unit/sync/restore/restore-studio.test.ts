import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import { type JournalItem, JournalRecord } from '../../../../src/protocol/journal/journal-record.ts';
import type { StudioChange, StudioInstance } from '../../../../src/protocol/studio/stream.ts';
import type { StudioLink } from '../../../../src/studio/studio-link.ts';
import type { RecordedSide, RecordedTree } from '../../../../src/sync/restore/restore-plan.ts';
import { recordedTree, restoreStudio } from '../../../../src/sync/restore/restore-studio.ts';
import { ManualClock } from '../../../harness/manual-clock.ts';
import { syncWorld } from '../../../harness/sync-world.ts';

const pathOf = (name: string): string => `ServerScriptService/${name}`;

/** A record without changes, with the items of a test. */
const sideWith = (items: RecordedSide['items']): RecordedSide => ({
  record: JournalRecord.parse({
    version: 1,
    runId: 'run',
    at: '2026-01-01T00:00:00Z',
    mode: 'standard',
    requestedBy: 'a test',
    place: { name: 'Game', placeId: 0 },
    items: [],
  }),
  items,
});

const net = { path: pathOf('Net'), name: 'Net' };
const classesOf = (tree: RecordedTree | undefined) =>
  Object.values(tree?.instances ?? {}).map(({ ClassName }) => ClassName);
const service = { name: 'ServerScriptService', className: 'ServerScriptService' };

/** The record of a push that created the script Net. */
const createdNet: JournalItem = {
  id: 'net',
  path: net.path,
  className: 'ModuleScript',
  patchType: 'Add',
  choice: 'push',
  fsPath: null,
  files: [],
  studio: null,
  parents: [service],
};

/** Restores Studio from a record while Studio has the given instances that the record lacks, and returns the tree that it is compared with. */
async function restoreBeside(items: readonly JournalItem[], inStudio: readonly string[]) {
  const [link] = (await syncWorld()).studios.all();
  assert.ok(link);
  let tree: RecordedTree | undefined;
  const side = sideWith(items);
  const changes = inStudio.map((className, at): StudioChange => {
    return { ...net, id: String(at), className, patchType: 'Remove', parentId: '', sourceDiffers: false };
  });
  const studio: StudioLink = {
    ...link,
    async compare(_overrides, _signal, _progress, sent) {
      tree = sent;
      return { type: 'compared', requestId: '', place: side.record.place, messageCursor: 0, changes, overrides: [] };
    },
  };
  const deps = { link: studio, hasher: nodeHasher, clock: new ManualClock(), revision: () => 0 };
  const plan = await restoreStudio(side, deps);
  const compared = await plan.compare(new AbortController().signal, () => undefined);
  return { tree, restored: compared.changes };
}

test('[P1] removes what a push created, but no instance of another class with the same name', async () => {
  const { restored } = await restoreBeside([createdNet], ['ModuleScript', 'Folder']);
  assert.deepEqual(
    restored.map(({ studio, choice }) => [studio.className, choice]),
    [['ModuleScript', 'push']],
  );
});

test('[P1] suggests to remove none of several instances when a push created only some of them', async () => {
  const choicesWith = async (items: readonly JournalItem[]) =>
    (await restoreBeside(items, ['ModuleScript', 'ModuleScript'])).restored.map(({ choice }) => choice);
  assert.deepEqual(await choicesWith([createdNet]), [null, null]);
  assert.deepEqual(await choicesWith([createdNet, { ...createdNet, id: 'net2' }]), ['push', 'push']);
});

test('restores what is in a folder when the push created a script with its name', async () => {
  const source = 'return "before"\n';
  const edited: JournalItem = {
    ...createdNet,
    id: 'child',
    path: `${net.path}/Child`,
    patchType: 'Edit',
    studio: { id: 'child', name: 'Child', className: 'ModuleScript', source, properties: {}, children: [] },
    parents: [service, { name: 'Net', className: 'Folder' }],
  };
  const { tree } = await restoreBeside([createdNet, edited], []);
  assert.deepEqual(classesOf(tree), ['DataModel', service.className, 'Folder', 'ModuleScript']);
  const removed: JournalItem = {
    ...createdNet,
    patchType: 'Remove',
    studio: { id: 'net', name: 'Net', className: 'ModuleScript', properties: {}, children: [] },
  };
  const beside = await restoreBeside([edited, removed], []);
  assert.deepEqual(classesOf(beside.tree), ['DataModel', service.className, 'Folder', 'ModuleScript', 'ModuleScript']);
});

test('restores a service, a script in it and a script below that, in any order of the record', async () => {
  const part = (path: string, className: string, parents: JournalItem['parents']): JournalItem => {
    const name = path.split('/').at(-1) ?? '';
    const source = `return "${name}"\n`;
    const studio = { id: path, name, className, source, properties: {}, children: [] };
    return { ...createdNet, id: path, path, className, patchType: 'Edit', studio, parents };
  };
  const items = [
    part('ServerScriptService', service.className, []),
    part(net.path, 'ModuleScript', [service]),
    part(`${net.path}/Child`, 'ModuleScript', [service, { name: 'Net', className: 'ModuleScript' }]),
  ];
  for (const order of [items, items.toReversed()]) {
    const { tree } = await restoreBeside(order, []);
    const sources = Object.values(tree?.instances ?? {}).map(({ Name, Properties }) => [Name, Properties['Source']]);
    assert.deepEqual(sources, [
      ['record', undefined],
      ['ServerScriptService', { String: 'return "ServerScriptService"\n' }],
      ['Net', { String: 'return "Net"\n' }],
      ['Child', { String: 'return "Child"\n' }],
    ]);
  }
});

test('[P1] restores only what a push changed in an instance, not what the record has besides', async () => {
  const restored = async (edited: Partial<JournalItem>, text: string) => {
    const studio: StudioInstance = {
      id: 'net',
      name: 'Net',
      className: 'ModuleScript',
      source: 'return 1\n',
      properties: { Archivable: { Bool: true }, Tags: { Tags: ['old'] } },
      children: [],
    };
    const files = [{ path: 'src/Net.luau', blob: nodeHasher.gitBlob(Buffer.from(text)) }];
    const item: JournalItem = { ...createdNet, patchType: 'Edit', fsPath: 'src/Net.luau', files, studio, ...edited };
    const { tree } = await restoreBeside([item], []);
    return Object.values(tree?.instances ?? {}).find(({ Name }) => Name === 'Net')?.Properties;
  };
  const properties = { Tags: { current: { Tags: ['old'] }, incoming: { Tags: ['new'] } } };
  assert.deepEqual(await restored({ properties }, 'return 1\r\n'), { Tags: { Tags: ['old'] } });
  assert.deepEqual(await restored({}, 'return 2\n'), { Source: { String: 'return 1\n' } });
  const whole = { Archivable: { Bool: true }, Tags: { Tags: ['old'] }, Source: { String: 'return 1\n' } };
  assert.deepEqual(await restored({ patchType: 'Remove' }, 'return 1\n'), whole);
  // An edit that Live Sync did not write to files.
  assert.deepEqual(await restored({ choice: 'skip' }, 'return 1\n'), whole);
});

test('restores every instance of a removed folder when siblings have the same name', async () => {
  const studio = (name: string, children: StudioInstance[] = []): StudioInstance => ({
    id: name,
    name,
    className: children.length === 0 ? 'Part' : 'Folder',
    properties: {},
    children,
  });
  const item = (id: string): JournalItem => ({
    id,
    path: pathOf('Gone'),
    className: 'Folder',
    patchType: 'Remove',
    choice: 'push',
    fsPath: null,
    files: [],
    studio: studio('Gone', [studio('Part'), studio('Part')]),
    parents: [{ name: 'ServerScriptService', className: 'ServerScriptService' }],
  });
  const record: JournalRecord = {
    version: 1,
    runId: 'run',
    at: new Date(0).toISOString(),
    mode: 'standard',
    requestedBy: 'test',
    place: { name: 'Place', placeId: 0 },
    items: [item('a'), item('b')],
  };
  const { studios } = await syncWorld();
  const [link] = studios.all();
  assert.ok(link);
  let tree: RecordedTree | undefined;
  const capturing: StudioLink = {
    ...link,
    async compare(_overrides, _signal, _progress, sent) {
      tree = sent;
      return { type: 'compared', requestId: '', place: record.place, messageCursor: 0, changes: [], overrides: [] };
    },
  };
  const side = { record, items: record.items };
  const deps = { link: capturing, hasher: nodeHasher, clock: new ManualClock(), revision: () => 0 };
  const plan = await restoreStudio(side, deps);
  await plan.compare(new AbortController().signal, () => undefined);
  const names = Object.values(tree?.instances ?? {}).map(({ Name }) => Name);
  assert.deepEqual(names.toSorted(), ['Gone', 'Gone', 'Part', 'Part', 'Part', 'Part', 'ServerScriptService', 'record']);
});

test('pauses at each instance of a record whose tree is built', () => {
  const part = (id: string): StudioInstance => ({ id, name: id, className: 'Part', properties: {}, children: [] });
  const parts = Array.from({ length: 300 }, (_, at) => part(`Part${at}`));
  const item: JournalItem = {
    id: 'Gone',
    path: pathOf('Gone'),
    className: 'Folder',
    patchType: 'Remove',
    choice: 'push',
    fsPath: null,
    files: [],
    studio: { ...part('Gone'), className: 'Folder', children: parts },
    parents: [],
  };
  assert.ok(Array.from(recordedTree([item], nodeHasher)).length >= 2 * parts.length);
});
