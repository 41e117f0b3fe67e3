import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import type { Ref } from '../../../../src/base/brand.ts';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import { writeLiveEdits } from '../../../../src/studio/live/write-live-edits.ts';
import { WrittenEdits } from '../../../../src/studio/live/written-edits.ts';
import { READ_REPLY_BYTES } from '../../../../src/protocol/limits.ts';
import { reasonOf } from '../../../../src/protocol/reason.ts';
import type { LiveStructureChange, LiveToPlugin } from '../../../../src/protocol/studio/live.ts';
import { projectPath } from '../../../harness/project-world.ts';
import { reflection } from '../../../harness/reflection.ts';
import { settle } from '../../../harness/settle.ts';
import { until } from '../../../harness/until.ts';
import { liveSessionWorld as world } from '../../../harness/live-session-world.ts';

const types = (sent: readonly LiveToPlugin[]): readonly string[] => sent.map(one => one.type);

test('starts again when Studio never reports the result of a change', async () => {
  const { session, served, sent, message, states, save, clock } = await world();
  message.fire({ type: 'liveReady', cursor: 1, undecided: 0 });
  await save('1');
  await save('2');
  assert.deepEqual(types(sent), ['live', 'livePatch']);
  clock.advance(30_000);
  assert.deepEqual(types(sent), ['live', 'livePatch', 'live']);
  assert.deepEqual(sent.at(-1), {
    type: 'live',
    mode: 'twoWay',
    isFresh: true,
    start: 2,
    sendsMissed: true,
    sendsNew: true,
    takes: ['created', 'renamed', 'moved'],
  });
  assert.deepEqual(states, ['starting', 'on', 'starting']);
  assert.equal(served.feed.count(), 0);
  message.fire({ type: 'liveReady', cursor: served.session.revision(), undecided: 0 });
  assert.equal(served.feed.count('own'), 1);
  session[Symbol.dispose]();
  assert.equal(served.feed.count(), 0);
});

test('fails when a change cannot be rendered, instead of showing that it is on', async () => {
  const { served, sent, message, states, save, session } = await world();
  message.fire({ type: 'liveReady', cursor: 1, undecided: 0 });
  assert.equal(served.feed.count('own'), 1);
  const read = mock.method(served.session, 'get', () => {
    throw new Error('broken tree');
  });
  await save('1');
  read.mock.restore();
  assert.deepEqual(states, ['starting', 'on', 'failed']);
  assert.deepEqual(types(sent), ['live', 'live']);
  assert.deepEqual(sent.at(-1), { type: 'live', mode: 'off', isFresh: false, start: 2 });
  assert.equal(served.feed.count(), 0);
  session[Symbol.dispose]();
});

test('reports the files of a rename when a later change of the same message fails', async () => {
  const { session, served, sent, message, needed, structure } = await world();
  message.fire({ type: 'liveReady', cursor: 1, undecided: 0 });
  const [id = ''] = served.session.idsAtPath(projectPath('src/A.luau'));
  const parentId = served.session.get(id as Ref)?.parent ?? '';
  const { writer } = served;
  const inTurn = writer.inTurn.bind(writer);
  let steps = 0;
  mock.method(writer, 'inTurn', (...args: Parameters<typeof inTurn>) => {
    if ((steps += 1) > 1) throw new Error('broken');
    return inTurn(...args);
  });
  const instance = { id: 'f'.repeat(32), name: 'New', className: 'Folder', properties: {}, children: [] };
  const changes: readonly LiveStructureChange[] = [
    { kind: 'renamed', id, name: 'B', base: 'A' },
    { kind: 'created', parentId, instance },
  ];
  message.fire({ type: 'liveStructure', seq: 1, changes: [...changes] });
  await until(() => sent.some(one => one.type === 'liveWritten'));
  assert.deepEqual(structure, [['renamed', 'ReplicatedStorage/B']]);
  assert.deepEqual(needed, ['an unexpected error occurred; see the Atlas Bridge log']);
  session[Symbol.dispose]();
});

test('reads what a change removes before it sends it, and starts again if Studio does not answer', async () => {
  const project = await world();
  const { session, served, sent, message, files, clock } = project;
  const [id = ''] = served.session.idsAtPath(projectPath('src/A.luau'));
  message.fire({ type: 'liveReady', cursor: 1, undecided: 0, readsRemoved: true });
  files.delete('src/A.luau');
  await project.refresh();
  await settle();
  const [, read] = sent;
  assert.deepEqual(read, { type: 'liveRead', cursor: 2, ids: [id], maxBytes: READ_REPLY_BYTES, inParts: true });
  message.fire({ type: 'liveInstances', cursor: 1, instances: [], left: [] });
  await settle();
  assert.deepEqual(types(sent), ['live', 'liveRead'], 'an answer to an earlier question');
  message.fire({ type: 'liveInstances', cursor: 2, instances: [], left: [id] });
  await settle();
  assert.deepEqual(types(sent), ['live', 'liveRead', 'liveRead']);
  clock.advance(30_000);
  assert.deepEqual(types(sent), ['live', 'liveRead', 'liveRead', 'live']);
  message.fire({ type: 'liveInstances', cursor: 2, instances: [], left: [] });
  await settle();
  assert.equal(sent.length, 4, 'too late');
  session[Symbol.dispose]();
});

test('removes nothing that Studio could not read whole, and says why', async () => {
  const project = await world();
  const { session, sent, message, files, needed, states } = project;
  message.fire({ type: 'liveReady', cursor: 1, undecided: 0, readsRemoved: true });
  files.delete('src/A.luau');
  await project.refresh();
  await settle();
  message.fire({ type: 'liveInstances', cursor: 2, instances: [], left: [], partCount: 1 });
  await settle();
  assert.deepEqual(types(sent), ['live', 'liveRead', 'live']);
  assert.deepEqual(states, ['starting', 'on', 'starting']);
  assert.match(needed.join(), /^nothing was removed in Studio: .*0 of 1 parts of the reply arrived/);
  session[Symbol.dispose]();
});

for (const [what, end] of [
  ['the session ends', ({ session }: Awaited<ReturnType<typeof world>>) => session[Symbol.dispose]()],
  ['Studio disconnects', ({ closed }: Awaited<ReturnType<typeof world>>) => closed.fire({ reason: 'cut' })],
] as const)
  test(`removes and records nothing when ${what} between the parts of a removal`, async () => {
    const project = await world();
    const { served, session, sent, message, files, needed } = project;
    const [id = ''] = served.session.idsAtPath(projectPath('src/A.luau'));
    message.fire({ type: 'liveReady', cursor: 1, undecided: 0, readsRemoved: true });
    files.delete('src/A.luau');
    await project.refresh();
    await settle();
    const instance = { id, name: 'A', className: 'ModuleScript', source: '0', properties: {}, children: [] };
    const part = { parentId: id, instance: { ...instance, id: 'child', name: 'Child' } };
    message.fire({ type: 'liveInstancesPart', cursor: 2, parts: [part] });
    end(project);
    message.fire({ type: 'liveInstances', cursor: 2, instances: [instance], left: [], partCount: 1 });
    await settle();
    assert.ok(!types(sent).includes('livePatch'));
    assert.deepEqual(await project.journal.list(), []);
    assert.deepEqual(needed, []);
    session[Symbol.dispose]();
  });

test('waits for Studio as long as parts of a removal arrive', async () => {
  const project = await world();
  const { session, served, sent, message, files, clock } = project;
  const [id = ''] = served.session.idsAtPath(projectPath('src/A.luau'));
  message.fire({ type: 'liveReady', cursor: 1, undecided: 0, readsRemoved: true });
  files.delete('src/A.luau');
  await project.refresh();
  await settle();
  const child = { id: 'child', name: 'Child', className: 'Folder', properties: {}, children: [] };
  for (let part = 0; part < 3; part += 1) {
    clock.advance(20_000);
    message.fire({ type: 'liveInstancesPart', cursor: 2, parts: [{ parentId: id, instance: { ...child } }] });
  }
  const top = { ...child, id, name: 'A', className: 'ModuleScript', source: '0', children: [] };
  message.fire({ type: 'liveInstances', cursor: 2, instances: [top], left: [], partCount: 3 });
  await until(() => sent.length > 2);
  assert.deepEqual(types(sent), ['live', 'liveRead', 'livePatch']);
  assert.match(JSON.stringify(await project.journal.list()), /"name":"Child"/);
  session[Symbol.dispose]();
});

test('answers a change that it cannot read, and requests a decision', async () => {
  const { session, sent, message, unreadable, needed, states } = await world();
  message.fire({ type: 'liveReady', cursor: 1, undecided: 0 });
  unreadable.fire({ type: 'liveEdit', seq: 4 });
  assert.deepEqual(sent.at(-1), { type: 'liveWritten', seq: 4, results: [] });
  assert.deepEqual(needed, ['a message from Studio could not be read; see the Atlas Bridge log']);
  unreadable.fire({ type: 'liveReady' });
  assert.deepEqual(states, ['starting', 'on', 'failed']);
  session[Symbol.dispose]();
});

test('answers a change that is too large for one message, and writes later edits', async () => {
  const { session, sent, message, unreadable, needed, states, served, files } = await world();
  const [id = ''] = served.session.idsAtPath(projectPath('src/A.luau'));
  message.fire({ type: 'liveReady', cursor: 1, undecided: 0 });
  for (const type of ['liveEdit', 'liveStructure', 'failed']) unreadable.fire({ type, seq: 4, isOversized: true });
  assert.deepEqual(sent.slice(1), Array(3).fill({ type: 'liveWritten', seq: 4, results: [] }));
  assert.deepEqual(Array.from(new Set(needed)), [
    'a change in Studio is larger than one message can be, so it was not written to files',
  ]);
  assert.deepEqual(states, ['starting', 'on']);
  const edit = { id, source: 'later', baseHash: nodeHasher.gitBlob(Buffer.from('0')), properties: {}, base: {} };
  message.fire({ type: 'liveEdit', seq: 5, edits: [edit] });
  await until(() => files.text('src/A.luau') === 'later');
  session[Symbol.dispose]();
});

test('ends with a reason when Studio could not send a change of which it names no number', async () => {
  const { session, sent, message, unreadable, needed, states, served } = await world();
  message.fire({ type: 'liveReady', cursor: 1, undecided: 0 });
  unreadable.fire({ type: 'failed' });
  assert.deepEqual(sent.at(-1), { type: 'live', mode: 'off', isFresh: false, start: 2 });
  assert.deepEqual(states, ['starting', 'on', 'failed']);
  assert.equal(needed.length, 1);
  assert.equal(served.feed.count('own'), 0);
  session.compareAgain({ left: 0, isMoved: false }, true);
  assert.deepEqual(states, ['starting', 'on', 'failed', 'starting']);
  session[Symbol.dispose]();
});

test('compares again after a sync that moved instances, and asks about more differences than it left', async () => {
  for (const [left, undecided, question] of [
    [1, 1, []],
    [1, 2, ['2 instances differ between disk and Studio']],
  ] as const) {
    const { session, message, needed, states } = await world();
    message.fire({ type: 'liveReady', cursor: 1, undecided: 0 });
    session.compareAgain({ left, isMoved: false }, false);
    assert.deepEqual(states, ['starting', 'on']);
    session.compareAgain({ left, isMoved: true }, false);
    message.fire({ type: 'liveReady', cursor: 1, undecided });
    assert.deepEqual([states, needed], [['starting', 'on', 'starting', 'on'], question]);
    session[Symbol.dispose]();
  }
});

test('starts again when a change cannot be sent', async () => {
  const { session, served, sent, message, states, save, faults } = await world();
  message.fire({ type: 'liveReady', cursor: 1, undecided: 0 });
  faults.push(() => {
    throw new Error('the message is too large');
  });
  await save('1');
  assert.deepEqual(sent.at(-1), {
    type: 'live',
    mode: 'twoWay',
    isFresh: true,
    start: 2,
    sendsMissed: true,
    sendsNew: true,
    takes: ['created', 'renamed', 'moved'],
  });
  assert.deepEqual(states, ['starting', 'on', 'starting']);
  assert.equal(served.feed.count(), 0);
  session[Symbol.dispose]();
});

test('sends a change that could not be recorded with the next change', async () => {
  const { session, served, files, sent, message, needed, save, journal, clock, sourcesSent } = await world();
  message.fire({ type: 'liveReady', cursor: 1, undecided: 0 });
  journal.failing = true;
  await save('1');
  assert.equal(needed.length, 1);
  assert.deepEqual(types(sent), ['live']);
  journal.failing = false;
  files.set('src/B.luau', '0');
  await save('1');
  await until(() => sourcesSent().length > 0);
  assert.deepEqual(sourcesSent(), [{ String: '1' }]);
  const [record] = await journal.list();
  assert.match(JSON.stringify(record), /"source":"0"/, 'records the text that Studio still has');
  message.fire({ type: 'liveApplied', cursor: served.session.revision(), results: [] });
  clock.advance(60_000);
  assert.deepEqual(types(sent), ['live', 'livePatch'], 'sends it once');
  session[Symbol.dispose]();
});

test('sends a change that could not be recorded again after a while, and reports it once', async () => {
  const { session, sent, message, needed, save, journal, clock, sourcesSent } = await world();
  const wait = async (): Promise<void> => {
    clock.advance(30_000);
    await settle();
  };
  message.fire({ type: 'liveReady', cursor: 1, undecided: 0 });
  journal.failing = true;
  await save('1');
  await wait();
  assert.deepEqual(types(sent), ['live']);
  assert.equal(needed.length, 1);
  journal.failing = false;
  await wait();
  await until(() => sourcesSent().length > 0);
  assert.deepEqual(sourcesSent(), [{ String: '1' }]);
  assert.equal(needed.length, 1);
  session[Symbol.dispose]();
});

test('sends nothing that could not be recorded after the session ended', async () => {
  const { session, sent, message, save, journal, clock } = await world();
  message.fire({ type: 'liveReady', cursor: 1, undecided: 0 });
  journal.failing = true;
  await save('1');
  session[Symbol.dispose]();
  journal.failing = false;
  clock.advance(30_000);
  await settle();
  assert.deepEqual(types(sent), ['live', 'live']);
});

/** The id of the script in the last change that was sent. */
const idSent = (sent: Awaited<ReturnType<typeof world>>['sent']): string => {
  const patch = sent.findLast(one => one.type === 'livePatch');
  return patch?.message.updated[0]?.id ?? assert.fail('nothing was sent');
};

test('ignores the acknowledgement of another change', async () => {
  const { session, sent, message, save } = await world();
  message.fire({ type: 'liveReady', cursor: 1, undecided: 0 });
  await save('1');
  await save('2');
  message.fire({ type: 'liveApplied', cursor: 99, results: [] });
  await settle();
  assert.deepEqual(types(sent), ['live', 'livePatch']);
  message.fire({ type: 'liveApplied', cursor: 2, results: [] });
  await settle();
  assert.deepEqual(types(sent), ['live', 'livePatch', 'livePatch']);
  session[Symbol.dispose]();
});

test('requests a decision for initial differences and for changes that were not applied', async () => {
  const { session, message, needed, save, sent } = await world();
  message.fire({ type: 'liveReady', cursor: 1, undecided: 2 });
  await save('1');
  const results = [
    { id: idSent(sent), ok: false, code: 'draft_open' as const, reason: reasonOf('draft_open_in', 'Workspace.Main') },
  ];
  message.fire({ type: 'liveApplied', cursor: 2, results });
  message.fire({ type: 'liveNeedsSync', reason: reasonOf('quoted', 'something was made') });
  assert.deepEqual(needed, [
    '2 instances differ between disk and Studio',
    '1 change was not applied in Studio (Workspace.Main has unsaved edits in Studio; save or close it there, then sync again)',
    '"something was made"',
  ]);
  session[Symbol.dispose]();
});

test('requests a decision for a change that Studio did not answer', async () => {
  const { session, message, needed, save } = await world();
  message.fire({ type: 'liveReady', cursor: 1, undecided: 0 });
  await save('1');
  message.fire({ type: 'liveApplied', cursor: 2, results: [] });
  assert.deepEqual(needed, [
    '1 change was not applied in Studio (Studio did not confirm the change; reconnect and run a dry run to see what Studio has)',
  ]);
  session[Symbol.dispose]();
});

test('expects no answer for the folder above a new script in a project that syncs scripts only', async () => {
  const project = {
    name: 'Game',
    syncScriptsOnly: true,
    tree: { $className: 'DataModel', ReplicatedStorage: { $path: 'src' } },
  };
  const files = { 'default.project.json': JSON.stringify(project), 'src/Box/A.luau': '0' };
  const opened = await world({ files });
  const { session, message, needed, sent } = opened;
  message.fire({ type: 'liveReady', cursor: 1, undecided: 0 });
  opened.files.set('src/Box/B.luau', '1');
  await opened.refresh();
  await until(() => types(sent).includes('livePatch'));
  const patch = sent.findLast(one => one.type === 'livePatch');
  const added = Object.values(patch?.message.added ?? {});
  assert.deepEqual(added.map(({ Name }) => Name).toSorted(), ['B', 'Box', 'Game', 'ReplicatedStorage']);
  const results = added.flatMap(({ Id, Name }) => (Name === 'B' ? [{ id: Id, ok: true }] : []));
  message.fire({ type: 'liveApplied', cursor: patch?.cursor ?? 0, results });
  assert.deepEqual(needed, []);
  session[Symbol.dispose]();
});

test('reports why a live session could not start', async () => {
  const { session, message, states } = await world();
  message.fire({ type: 'liveFailed', message: reasonOf('no_reply') });
  assert.deepEqual(states, ['starting', 'failed']);
  session[Symbol.dispose]();
});

test('accepts a resent edit without overwriting later changes on disk', async () => {
  const { session, served, sent, message, needed, save, files } = await world();
  const [id = ''] = served.session.idsAtPath(projectPath('src/A.luau'));
  const edit = { id, source: 'Studio', baseHash: nodeHasher.gitBlob(Buffer.from('0')), properties: {}, base: {} };
  const answers = () => sent.flatMap(one => (one.type === 'liveWritten' ? one.results.map(({ ok }) => ok) : []));
  const sendEdit = async (seq: number, source: string): Promise<void> => {
    message.fire({ type: 'liveEdit', seq, edits: [{ ...edit, source }] });
    await until(() => answers().length === seq);
  };
  await sendEdit(1, 'Studio');
  await save('disk, from what Studio wrote');
  await sendEdit(2, 'Studio');
  assert.deepEqual([answers(), needed], [[true, true], []]);
  await sendEdit(3, 'Studio, from before');
  assert.deepEqual([answers().at(-1), needed.length], [false, 1]);
  assert.equal(files.text('src/A.luau'), 'disk, from what Studio wrote');
  session[Symbol.dispose]();
});

test('does not take a new edit for a resent one when it equals an earlier edit', async () => {
  const { session, served, sent, message, needed, save, files } = await world();
  const [id = ''] = served.session.idsAtPath(projectPath('src/A.luau'));
  const edit = { id, source: 'Studio', baseHash: nodeHasher.gitBlob(Buffer.from('0')), properties: {}, base: {} };
  const answers = () => sent.flatMap(one => (one.type === 'liveWritten' ? one.results.map(({ ok }) => ok) : []));
  const sendEdit = async (seq: number): Promise<void> => {
    message.fire({ type: 'liveEdit', seq, edits: [edit] });
    await until(() => answers().length === seq);
  };
  message.fire({ type: 'liveReady', cursor: 1, undecided: 0 });
  await sendEdit(1);
  await save('0');
  files.set('src/A.luau', 'disk');
  await sendEdit(2);
  assert.deepEqual([answers(), needed], [[true, false], ['A: it changed on disk and in Studio']]);
  session.compareAgain({ left: 0, isMoved: true }, false);
  await sendEdit(3);
  assert.deepEqual([answers().at(-1), needed.length], [true, 1], 'Studio sends edits again after a start');
  assert.equal(files.text('src/A.luau'), 'disk');
  session[Symbol.dispose]();
});

test('ignores messages of an earlier start', async () => {
  const { session, message, states, needed } = await world();
  message.fire({ type: 'liveReady', cursor: 1, undecided: 0, start: 0 });
  message.fire({ type: 'liveFailed', message: reasonOf('no_reply'), start: 0 });
  message.fire({ type: 'liveNeedsSync', reason: reasonOf('quoted', 'made before'), start: 0 });
  assert.deepEqual(needed, []);
  assert.deepEqual(states, ['starting']);
  message.fire({ type: 'liveReady', cursor: 1, undecided: 0, start: 1 });
  assert.deepEqual(states, ['starting', 'on']);
  session[Symbol.dispose]();
});

test('writes one of two concurrent edits from the same text and reports the other', async () => {
  const { served, files, clock } = await world();
  const script = Array.from(served.session.descendants(served.session.rootId)).find(one => one.name === 'A');
  const edit = (source: string) =>
    writeLiveEdits(
      [{ id: script!.id, source, baseHash: nodeHasher.gitBlob(Buffer.from('0')), properties: {}, base: {} }],
      { served, hasher: nodeHasher, clock, reflection, written: new WrittenEdits(nodeHasher), mayBeResent: true },
      new AbortController().signal,
    );
  const outcomes = await Promise.all([edit('first'), edit('second')]);
  assert.deepEqual(
    outcomes.flat().map(({ outcome }) => outcome),
    ['written', 'conflict'],
  );
  assert.equal(files.text('src/A.luau'), 'first');
});

test('knows a resent edit whose session ended while it was written', async () => {
  const project = await world();
  const { served, files, clock } = project;
  const [id = ''] = served.session.idsAtPath(projectPath('src/A.luau'));
  const edit = { id, source: 'Studio', baseHash: nodeHasher.gitBlob(Buffer.from('0')), properties: {}, base: {} };
  const written = new WrittenEdits(nodeHasher);
  const write = async (signal: AbortSignal): Promise<string | undefined> =>
    (
      await writeLiveEdits(
        [edit],
        { served, hasher: nodeHasher, clock, reflection, written, mayBeResent: true },
        signal,
      )
    )[0]?.outcome;
  const ending = new AbortController();
  files.onReplaced = () => ending.abort();
  assert.equal(await write(ending.signal), 'written');
  assert.equal(files.text('src/A.luau'), 'Studio');
  files.onReplaced = undefined;
  files.set('src/A.luau', 'disk, from what Studio wrote');
  await project.refresh();
  assert.equal(await write(new AbortController().signal), 'same');
  assert.equal(files.text('src/A.luau'), 'disk, from what Studio wrote');
});

test('writes the edits of a message together, as one entry of the journal', async () => {
  const { served, session, sent, message, files, journal, needed } = await world();
  files.set('src/B.luau', '0');
  files.set('src/C.luau', '0');
  await served.session.refresh(new AbortController().signal);
  const edits = ['A', 'B', 'C'].map(name => ({
    id: served.session.idsAtPath(projectPath(`src/${name}.luau`))[0] ?? '',
    source: 'Studio',
    baseHash: nodeHasher.gitBlob(Buffer.from(name === 'B' ? 'another text' : '0')),
    properties: {},
    base: {},
  }));
  message.fire({ type: 'liveEdit', seq: 1, edits });
  await until(() => sent.at(-1)?.type === 'liveWritten');
  assert.deepEqual(
    sent.flatMap(one => (one.type === 'liveWritten' ? one.results.map(({ ok }) => ok) : [])),
    [true, false, true],
  );
  assert.deepEqual(
    ['A', 'B', 'C'].map(name => files.text(`src/${name}.luau`)),
    ['Studio', '0', 'Studio'],
  );
  assert.deepEqual(needed, ['B: it changed on disk and in Studio']);
  const runs = await journal.list(10);
  assert.equal(runs.length, 1);
  session[Symbol.dispose]();
});
