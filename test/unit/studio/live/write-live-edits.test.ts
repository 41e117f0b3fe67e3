import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import type { LiveEdited } from '../../../../src/protocol/studio/live.ts';
import type { LiveBase } from '../../../../src/studio/live/live-base.ts';
import { WrittenEdits } from '../../../../src/studio/live/written-edits.ts';
import { writeLiveEdits } from '../../../../src/studio/live/write-live-edits.ts';
import { serveProject } from '../../../../src/studio/served-project.ts';
import { FakeGit } from '../../../harness/fake-git.ts';
import { MemoryJournalStore } from '../../../harness/memory-journal-store.ts';
import { memoryLog } from '../../../harness/memory-log.ts';
import { openProject, projectPath, smallProject } from '../../../harness/project-world.ts';
import { reflection } from '../../../harness/reflection.ts';
import { sequentialRandom } from '../../../harness/sequential-random.ts';

const file = 'src/Lamp.model.json';
const lamp = (properties: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({ className: 'Part', properties });

/** A project with a lamp, and a function that writes an edit of it in Studio. */
async function world(properties: Readonly<Record<string, unknown>>) {
  const project = await openProject(smallProject({ [file]: lamp(properties) }));
  const shared = { clock: project.clock, hasher: nodeHasher, reflection };
  const served = serveProject(project.session, {
    ...shared,
    log: memoryLog(),
    random: sequentialRandom(),
    files: project.files,
    journal: new MemoryJournalStore(),
    git: new FakeGit(),
    sessionId: 'session',
  });
  const [id = ''] = project.session.idsAtPath(projectPath(file));
  const deps = { ...shared, served, written: new WrittenEdits(nodeHasher), mayBeResent: true };
  const edit = async (now: LiveEdited['properties'], base: LiveEdited['base']): Promise<string | undefined> => {
    const [outcome] = await writeLiveEdits([{ id, properties: now, base }], deps, new AbortController().signal);
    return outcome?.outcome;
  };
  const onDisk = (): unknown => (JSON.parse(project.files.text(file) ?? '') as { properties?: unknown }).properties;
  return { ...project, served, deps, id, edit, onDisk };
}

test('[P1] reports a conflict when a property is edited in Studio that was removed from the file', async () => {
  const { files, edit, onDisk } = await world({ Transparency: 0.5, Reflectance: 0.25 });
  files.set(file, lamp({ Reflectance: 0.25 }));
  assert.equal(await edit({ Transparency: { Float32: 0.75 } }, { Transparency: { Float32: 0.5 } }), 'conflict');
  assert.deepEqual(onDisk(), { Reflectance: 0.25 });
});

test('writes an edit of a property that the file omits because it has the default', async () => {
  const { edit, onDisk } = await world({ Reflectance: 0.25 });
  assert.equal(await edit({ Transparency: { Float32: 0.75 } }, { Transparency: { Float32: 0 } }), 'written');
  assert.deepEqual(onDisk(), { Reflectance: 0.25, Transparency: 0.75 });
});

test('reports success when Studio sets the default of a property that was removed from the file', async () => {
  const { files, edit } = await world({ Transparency: 0.5, Reflectance: 0.25 });
  files.set(file, lamp({ Reflectance: 0.25 }));
  assert.notEqual(await edit({ Transparency: { Float32: 0 } }, { Transparency: { Float32: 0.5 } }), 'conflict');
});

test('[P1] reports a conflict when a resent edit was written and its base is on disk again', async () => {
  const { files, edit, onDisk } = await world({ Transparency: 0.5, Reflectance: 0.25 });
  const resent = () => edit({ Transparency: { Float32: 0.75 } }, { Transparency: { Float32: 0.5 } });
  assert.equal(await resent(), 'written');
  assert.equal(await resent(), 'same');
  files.set(file, lamp({ Transparency: 0.5, Reflectance: 0.25 }));
  assert.equal(await resent(), 'conflict');
  assert.deepEqual(onDisk(), { Transparency: 0.5, Reflectance: 0.25 });
});

test('reports success when a resent edit set the default of a property, which the file omits', async () => {
  const { edit } = await world({ Transparency: 0.5, Reflectance: 0.25 });
  const resent = () => edit({ Transparency: { Float32: 0 } }, { Transparency: { Float32: 0.5 } });
  assert.equal(await resent(), 'written');
  assert.equal(await resent(), 'same');
});

test('reports a failure when the outcome of an edit is missing', async () => {
  const { served, deps, id } = await world({ Transparency: 0.5 });
  const writer = { ...served.writer, write: () => Promise.resolve([]) };
  const edits = [{ id, properties: { Transparency: { Float32: 0.75 } }, base: { Transparency: { Float32: 0.5 } } }];
  const outcomes = await writeLiveEdits(
    edits,
    { ...deps, served: { session: served.session, writer } },
    new AbortController().signal,
  );
  assert.deepEqual(
    outcomes.map(({ outcome }) => outcome),
    ['failed'],
  );
});

test('[P1] restores only the base of the edits that were not written', async () => {
  const project = await openProject(smallProject({ 'src/A.luau': 'a', 'src/B.luau': 'b' }));
  const shared = { clock: project.clock, hasher: nodeHasher, reflection };
  const served = serveProject(project.session, {
    ...shared,
    log: memoryLog(),
    random: sequentialRandom(),
    files: project.files,
    journal: new MemoryJournalStore(),
    git: new FakeGit(),
    sessionId: 'session',
  });
  const restored: string[] = [];
  const base: LiveBase = {
    beforeStart: () => Promise.resolve(),
    beforeChange: async () => ids => void restored.push(...ids),
    learn: () => undefined,
    learnRenamed: () => undefined,
    beforeCreate: () => Promise.resolve({ agreed: new Set(), abandon: () => undefined }),
    learnCreated: () => undefined,
    [Symbol.dispose]: () => undefined,
  };
  const [a = '', b = ''] = ['src/A.luau', 'src/B.luau'].map(path => project.session.idsAtPath(projectPath(path))[0]);
  project.files.fault = (_, path) => {
    if (path === 'src/B.luau') throw new Error('EIO');
  };
  const edits = [
    [a, 'a'],
    [b, 'b'],
  ].map(([id = '', before = '']) => ({
    id,
    source: `${before} in Studio`,
    baseHash: nodeHasher.gitBlob(before),
    properties: {},
    base: {},
  }));
  const deps = { ...shared, served, base, written: new WrittenEdits(nodeHasher), mayBeResent: true };
  const outcomes = await writeLiveEdits(edits, deps, new AbortController().signal);
  assert.deepEqual(
    outcomes.map(({ outcome }) => outcome),
    ['written', 'failed'],
  );
  assert.deepEqual(restored, [b]);
});
