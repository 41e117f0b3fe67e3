import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import { recordedRuns } from '../../../../src/sync/history/recorded-runs.ts';
import { runToEnd } from '../../../../src/base/time-slice.ts';
import type { JournalEntry } from '../../../../src/ports/journal-store.ts';
import { readJournalRecord } from '../../../../src/protocol/journal/read-record.ts';
import type { AppliedItem } from '../../../../src/protocol/studio/stream.ts';
import type { LiveToPlugin } from '../../../../src/protocol/studio/live.ts';
import { projectPath } from '../../../harness/project-world.ts';
import { settle } from '../../../harness/settle.ts';
import { until } from '../../../harness/until.ts';
import { CountingSlice } from '../../../harness/counting-slice.ts';
import { liveSessionWorld as world } from '../../../harness/live-session-world.ts';

const types = (sent: readonly LiveToPlugin[]): readonly string[] => sent.map(one => one.type);

test('records a change that Studio already had as one without effect, which offers nothing to restore', async () => {
  const { session, message, save, journal, served } = await world();
  message.fire({ type: 'liveReady', cursor: 1, undecided: 0 });
  await save('1');
  const [id = ''] = served.session.idsAtPath(projectPath('src/A.luau'));
  const complete = async (results: readonly AppliedItem[]) => {
    message.fire({ type: 'liveApplied', cursor: served.session.revision(), results: [...results] });
    await settle();
    const [run] = await recordedRuns(journal, 1, new CountingSlice());
    const [change] = run?.changes ?? [];
    return [run?.summary, change?.reason?.code, ...(change?.sides ?? [])];
  };
  assert.deepEqual(await complete([{ id, ok: true, unchanged: true }]), [
    'Studio already had the changes of ReplicatedStorage/A.',
    'studio_had_it',
  ]);
  await save('2');
  assert.deepEqual(await complete([{ id, ok: true }]), [
    'Updated ReplicatedStorage/A in Studio. The previous state is in History.',
    undefined,
    'studio',
  ]);
  session[Symbol.dispose]();
});

test('records that Studio did not confirm a change, whose previous state can be restored', async () => {
  const { session, message, save, journal, clock } = await world();
  message.fire({ type: 'liveReady', cursor: 1, undecided: 0 });
  await save('1');
  clock.advance(30_000);
  await settle();
  const [run] = await recordedRuns(journal, 1, new CountingSlice());
  assert.equal(
    run?.summary,
    'Studio did not confirm the changes of ReplicatedStorage/A. The previous state is in History.',
  );
  assert.deepEqual([run?.changes[0]?.outcome, run?.changes[0]?.sides], ['unknown', ['studio']]);
  session[Symbol.dispose]();
});

test('records that a change was not sent when the session ended while it was recorded', async () => {
  const { session, sent, message, save, journal } = await world();
  const recorded = Promise.withResolvers<void>();
  const append = journal.append.bind(journal);
  journal.append = async (...args) => {
    await recorded.promise;
    await append(...args);
  };
  message.fire({ type: 'liveReady', cursor: 1, undecided: 0 });
  await save('1');
  session[Symbol.dispose]();
  recorded.resolve();
  await settle();
  assert.ok(!types(sent).includes('livePatch'));
  const [run] = await recordedRuns(journal, 1, new CountingSlice());
  assert.equal(
    run?.summary,
    'Did not change ReplicatedStorage/A in Studio: Live Sync ended before the change was sent.',
  );
  const [change] = run.changes;
  assert.deepEqual([change?.outcome, change?.reason?.code, change?.sides], ['skipped', 'live_ended_first', []]);
});

/** The choice of each item of an entry, with the text and properties that Studio had. */
const itemsOf = (entry: JournalEntry | undefined) =>
  runToEnd(readJournalRecord(entry?.record))?.items.map(({ choice, studio }) => [
    choice,
    studio?.source,
    studio?.properties,
  ]);

test('records what a change on disk replaces in an instance that Studio edits meanwhile', async () => {
  const { served, session, sent, message, files, journal } = await world();
  const [id = ''] = served.session.idsAtPath(projectPath('src/A.luau'));
  message.fire({ type: 'liveReady', cursor: 1, undecided: 0 });
  files.set('src/A.meta.json', JSON.stringify({ properties: { Archivable: false } }));
  const baseHash = nodeHasher.gitBlob(Buffer.from('0'));
  message.fire({ type: 'liveEdit', seq: 1, edits: [{ id, source: 'Studio', baseHash, properties: {}, base: {} }] });
  await until(() => types(sent).includes('livePatch'));
  assert.equal(files.text('src/A.luau'), 'Studio');
  const patch = sent.find(one => one.type === 'livePatch');
  assert.deepEqual(patch?.message.updated[0]?.changedProperties, { Archivable: { Bool: false } });
  const [entry] = await journal.list();
  assert.deepEqual(itemsOf(entry), [['push', 'Studio', { Archivable: { Bool: true } }]]);
  session[Symbol.dispose]();
});

test('records the text of Studio when another program saves the file right after it was written', async () => {
  const { served, session, sent, message, files, journal, sourcesSent } = await world();
  const [id = ''] = served.session.idsAtPath(projectPath('src/A.luau'));
  message.fire({ type: 'liveReady', cursor: 1, undecided: 0 });
  files.onReplaced = () => {
    files.onReplaced = undefined;
    files.set('src/A.luau', 'later');
  };
  const baseHash = nodeHasher.gitBlob(Buffer.from('0'));
  message.fire({ type: 'liveEdit', seq: 1, edits: [{ id, source: 'Studio', baseHash, properties: {}, base: {} }] });
  await until(() => types(sent).includes('livePatch'));
  assert.deepEqual(sourcesSent(), [{ String: 'later' }]);
  const [entry] = await journal.list();
  assert.deepEqual(itemsOf(entry), [['push', 'Studio', {}]]);
  session[Symbol.dispose]();
});

test('records the value of Studio when another program changes it right after it was written', async () => {
  const { served, session, sent, message, files, journal } = await world();
  const lamp = (Transparency: number): string => JSON.stringify({ className: 'Part', properties: { Transparency } });
  files.set('src/Lamp.model.json', lamp(0.5));
  await served.session.refresh(new AbortController().signal);
  const [id = ''] = served.session.idsAtPath(projectPath('src/Lamp.model.json'));
  message.fire({ type: 'liveReady', cursor: served.session.revision(), undecided: 0 });
  files.onReplaced = () => {
    files.onReplaced = undefined;
    files.set('src/Lamp.model.json', lamp(0.25));
  };
  const edit = { id, properties: { Transparency: { Float32: 0.75 } }, base: { Transparency: { Float32: 0.5 } } };
  message.fire({ type: 'liveEdit', seq: 1, edits: [edit] });
  await until(() => types(sent).includes('livePatch'));
  const [entry] = await journal.list();
  assert.deepEqual(itemsOf(entry), [['push', undefined, { Transparency: { Float32: 0.75 } }]]);
  session[Symbol.dispose]();
});

for (const [what, change] of [
  ['deleted', files => files.delete('src/A.luau')],
  ['reverted', files => files.set('src/A.luau', '0')],
] satisfies readonly (readonly [string, (files: Awaited<ReturnType<typeof world>>['files']) => void])[])
  test(`[P1] records what a change replaces when its file is ${what} before the record is written`, async () => {
    const project = await world();
    const { served, session, sent, message, files, journal } = project;
    files.set('src/B.luau', 'b');
    await project.refresh();
    const [a = '', b = ''] = ['A', 'B'].map(name => served.session.idsAtPath(projectPath(`src/${name}.luau`))[0]);
    const cursor = served.session.revision();
    message.fire({ type: 'liveReady', cursor, undecided: 0, readsRemoved: true });
    files.set('src/A.luau', '1');
    files.delete('src/B.luau');
    await project.refresh();
    await until(() => types(sent).includes('liveRead'));
    change(files);
    await project.refresh();
    const instance = { id: b, name: 'B', className: 'ModuleScript', source: 'b', properties: {}, children: [] };
    message.fire({ type: 'liveInstances', cursor: cursor + 1, instances: [instance], left: [] });
    await until(() => types(sent).includes('livePatch'));
    const patch = sent.find(one => one.type === 'livePatch');
    assert.deepEqual(patch?.message.updated[0]?.changedProperties, { Source: { String: '1' } });
    const [entry] = await journal.list();
    const items = runToEnd(readJournalRecord(entry?.record))?.items;
    assert.deepEqual(
      items?.map(({ id, studio }) => [id, studio?.source]),
      [
        [b, 'b'],
        [a, '0'],
      ],
    );
    // A deleted file has no path.
    const blobs = items?.[1]?.files.map(({ blob }) => blob);
    assert.deepEqual(blobs, what === 'deleted' ? [] : [nodeHasher.gitBlob(Buffer.from('1'))]);
    session[Symbol.dispose]();
  });

for (const failing of ['finish', 'append'] as const)
  test(`confirms the edits that were written when ${failing} of the journal fails for the others`, async () => {
    const { served, session, sent, message, files, journal } = await world();
    files.set('src/B.luau', '0');
    await served.session.refresh(new AbortController().signal);
    const edits = ['A', 'B'].map(name => ({
      id: served.session.idsAtPath(projectPath(`src/${name}.luau`))[0] ?? '',
      source: 'Studio',
      baseHash: nodeHasher.gitBlob(Buffer.from('0')),
      properties: {},
      base: {},
    }));
    files.fault = (_count, path) => {
      // The files that are replaced were recorded by then.
      journal[failing] = () => Promise.reject(new Error('no space left on device'));
      if (path === 'src/B.luau') throw new Error('EIO');
    };
    message.fire({ type: 'liveEdit', seq: 1, edits });
    await until(() => sent.at(-1)?.type === 'liveWritten');
    assert.deepEqual(
      sent.flatMap(one => (one.type === 'liveWritten' ? one.results.map(({ ok }) => ok) : [])),
      [true, false],
    );
    assert.deepEqual([files.text('src/A.luau'), files.text('src/B.luau')], ['Studio', '0']);
    session[Symbol.dispose]();
  });
