import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import type { Ref } from '../../../../src/base/brand.ts';
import type { LiveStructureChange } from '../../../../src/protocol/studio/live.ts';
import type { LiveBase } from '../../../../src/studio/live/live-base.ts';
import { liveSessionWorld } from '../../../harness/live-session-world.ts';
import { projectPath } from '../../../harness/project-world.ts';
import { until } from '../../../harness/until.ts';

/** A live session that has started, over the modules A and B. */
async function world(options: Parameters<typeof liveSessionWorld>[0] = {}) {
  const project = await liveSessionWorld(options);
  const { files, served, message, sent } = project;
  files.set('src/B.luau', 'b');
  await project.refresh();
  message.fire({ type: 'liveReady', cursor: served.session.revision(), undecided: 0 });
  const idOf = (path: string): string => served.session.idsAtPath(projectPath(path))[0] ?? '';
  const parentId = served.session.get(idOf('src/A.luau') as Ref)?.parent ?? '';
  const answer = async (seq: number): Promise<readonly boolean[]> => {
    const find = () => sent.find(one => one.type === 'liveWritten' && one.seq === seq);
    await until(() => find() !== undefined);
    const found = find();
    return found?.type === 'liveWritten' ? found.results.map(({ ok }) => ok) : [];
  };
  /** Sends changes of Studio. @returns whether each was written */
  const send = (changes: readonly LiveStructureChange[]): Promise<readonly boolean[]> => {
    message.fire({ type: 'liveStructure', seq: 1, changes: Array.from(changes) });
    return answer(1);
  };
  /** Sends an edit of A. @returns whether it was written */
  const edit = (): Promise<readonly boolean[]> => {
    const baseHash = nodeHasher.gitBlob(Buffer.from('0'));
    const one = { id: idOf('src/A.luau'), source: 'Studio', baseHash, properties: {}, base: {} };
    message.fire({ type: 'liveEdit', seq: 2, edits: [one] });
    return answer(2);
  };
  return { ...project, idOf, parentId, send, edit };
}

/** A base that adds what it learns to `learned`. @param removed the name of an instance that both sides had before */
const baseOf = (learned: unknown[], removed?: string): LiveBase => ({
  beforeStart: () => Promise.resolve(),
  beforeChange: () => Promise.resolve(() => undefined),
  learn: () => undefined,
  beforeCreate: all => {
    const agreed = new Set(all.filter(({ studio }) => studio.name === removed));
    return Promise.resolve({
      agreed,
      abandon: left => learned.push(...left.map(({ studio }) => `not ${studio.name}`)),
    });
  },
  learnRenamed: ids => learned.push(...ids),
  learnCreated: created => learned.push(...created.map(({ studio }) => studio.name)),
  [Symbol.dispose]: () => undefined,
});

test('requests a decision about each change of the structure that was not written', async () => {
  const { session, needed, idOf, send, files, structure } = await world();
  const written = await send([
    { kind: 'renamed', id: idOf('src/A.luau'), name: 'B', base: 'A' },
    { kind: 'renamed', id: idOf('src/B.luau'), name: 'C', base: 'former' },
  ]);
  assert.deepEqual(written, [false, false]);
  assert.deepEqual([files.text('src/A.luau'), files.text('src/B.luau'), structure], ['0', 'b', []]);
  assert.deepEqual(
    needed.map(reason => reason.split(':')[0]),
    ['ReplicatedStorage/A', 'ReplicatedStorage/B'],
  );
  session[Symbol.dispose]();
});

test('reports that a new instance was written when only one of two instances was moved into it', async () => {
  const { session, needed, idOf, parentId, send, files, structure } = await world();
  const instance = { id: 'f'.repeat(32), name: 'A', className: 'Folder', properties: {}, children: [] };
  const [a, b] = [idOf('src/A.luau'), idOf('src/B.luau')];
  const written = await send([
    { kind: 'created', parentId, instance },
    { kind: 'moved', id: a, parentId: instance.id, name: 'A', base: { parentId, name: 'A' } },
    { kind: 'moved', id: b, parentId: instance.id, name: 'B', base: { parentId, name: 'B' } },
  ]);
  assert.deepEqual([files.text('src/A/A.luau'), files.text('src/B.luau')], ['0', 'b']);
  assert.deepEqual(written, [true, true, false]);
  assert.deepEqual(structure, [['moved', 'ReplicatedStorage/A/A']]);
  assert.equal(needed.length, 1);
  session[Symbol.dispose]();
});

test('answers that nothing was written in a session that only sends the files to Studio', async () => {
  const { session, idOf, send, edit, files } = await world({ mode: 'diskToStudio' });
  assert.deepEqual(await send([{ kind: 'renamed', id: idOf('src/A.luau'), name: 'C', base: 'A' }]), [false]);
  assert.deepEqual(await edit(), [false]);
  assert.deepEqual([files.text('src/A.luau'), files.text('src/C.luau')], ['0', undefined]);
  session[Symbol.dispose]();
});

test('answers that nothing was written when an unexpected error occurs, and requests a decision', async () => {
  const { session, idOf, send, edit, files, served, needed } = await world();
  const fail = () => Promise.reject(new Error('broken'));
  mock.method(served.writer, 'inTurn', fail);
  mock.method(served.writer, 'write', fail);
  assert.deepEqual(await send([{ kind: 'renamed', id: idOf('src/A.luau'), name: 'C', base: 'A' }]), [false]);
  assert.deepEqual(await edit(), [false]);
  assert.deepEqual([files.text('src/A.luau'), files.text('src/C.luau')], ['0', undefined]);
  assert.deepEqual(needed, Array(2).fill('an unexpected error occurred; see the Atlas Bridge log'));
  session[Symbol.dispose]();
});

test('learns the new and the renamed instances that were written, and no others', async () => {
  const learned: unknown[] = [];
  const { session, idOf, parentId, send, structure } = await world({ base: baseOf(learned) });
  const renamed = idOf('src/B.luau');
  const created = (name: string, digit: string): LiveStructureChange => ({
    kind: 'created',
    parentId,
    instance: { id: digit.repeat(32), name, className: 'Folder', properties: {}, children: [] },
  });
  const written = await send([
    created('A', 'd'),
    created('New', 'e'),
    { kind: 'renamed', id: renamed, name: 'C', base: 'B' },
    { kind: 'renamed', id: idOf('src/A.luau'), name: 'D', base: 'former' },
  ]);
  assert.deepEqual(written, [false, true, true, false]);
  assert.deepEqual(learned, [renamed, 'not A', 'New']);
  assert.deepEqual(structure, [
    ['renamed', 'ReplicatedStorage/C'],
    ['created', 'ReplicatedStorage/New'],
  ]);
  session[Symbol.dispose]();
});

test('learns nothing when an instance cannot be moved into the new one that has its name', async () => {
  const learned: unknown[] = [];
  const { session, idOf, parentId, send, structure, files } = await world({ base: baseOf(learned) });
  const instance = { id: 'f'.repeat(32), name: 'A', className: 'Folder', properties: {}, children: [] };
  const written = await send([
    { kind: 'created', parentId, instance },
    { kind: 'moved', id: idOf('src/A.luau'), parentId: instance.id, name: 'A', base: { parentId, name: 'former' } },
  ]);
  assert.deepEqual([written, learned, structure], [[false, false], [], []]);
  assert.deepEqual([files.text('src/A.luau'), files.text('src/A/A.luau')], ['0', undefined]);
  session[Symbol.dispose]();
});

test('requests a decision about a new instance whose file was deleted since both sides had it', async () => {
  const learned: unknown[] = [];
  const { session, parentId, send, needed, structure } = await world({ base: baseOf(learned, 'Deleted') });
  const instance = { id: 'f'.repeat(32), name: 'Deleted', className: 'Folder', properties: {}, children: [] };
  const other = { ...instance, id: 'e'.repeat(32), name: 'New' };
  const written = await send([
    { kind: 'created', parentId, instance },
    { kind: 'created', parentId, instance: other },
  ]);
  assert.deepEqual(
    [written, learned],
    [
      [false, true],
      ['not Deleted', 'New'],
    ],
  );
  assert.deepEqual(needed, ['ReplicatedStorage/Deleted: disk no longer has its file']);
  assert.deepEqual(structure, [['created', 'ReplicatedStorage/New']]);
  session[Symbol.dispose]();
});

test('forgets the former place of a moved instance, so that another one can be created there', async () => {
  const forgotten: unknown[] = [];
  const base: LiveBase = {
    ...baseOf([]),
    beforeChange: parts => {
      forgotten.push(...(sent.some(({ type }) => type === 'liveWritten') ? [] : parts));
      return Promise.resolve(() => undefined);
    },
  };
  const { session, idOf, parentId, send, sent, files } = await world({ base });
  const [id, into] = [idOf('src/A.luau'), idOf('src/B.luau')];
  const written = await send([{ kind: 'moved', id, parentId: into, name: 'A', base: { parentId, name: 'A' } }]);
  assert.deepEqual([written, files.text('src/B/A.luau')], [[true], '0']);
  assert.deepEqual(forgotten, [{ id, names: 'all' }]);
  session[Symbol.dispose]();
});
