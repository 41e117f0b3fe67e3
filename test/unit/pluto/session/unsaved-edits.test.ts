import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeHasher as hasher } from '../../../../src/adapters/node/hasher.ts';
import type { ProjectPath } from '../../../../src/base/brand.ts';
import { saveView, viewOfContainer } from '../../../../src/pluto/editor/container-document.ts';
import { addDeclaration } from '../../../../src/pluto/session/edits/add-declaration.ts';
import { unsavedEditsOf } from '../../../../src/pluto/session/unsaved-edits.ts';
import { sequentialRandom } from '../../../harness/sequential-random.ts';
import { SessionWorld, signal } from '../language/session-world.ts';

const geo = 'geo.pluto' as ProjectPath;
const tool = { name: 'editor', version: '0' };

/** An agent with a saved container, and a person who reads and writes it as the editor does. */
async function agentAndPerson() {
  const world = await SessionWorld.of({ 'geo.pluto': 'pub fn one() int {\n    return 1\n}\n' });
  await addDeclaration(world.session, { path: geo, source: 'fn zero() {}', position: 'end' }, signal);
  await world.save();
  const read = await world.disk.read(geo);
  const shown = viewOfContainer(read, hasher);
  assert.ok(shown.ok);
  const save = (view: string): Promise<unknown> => {
    const saved = saveView({ view, before: read, module: 'geo', tool }, { hasher, random: sequentialRandom() });
    assert.ok(saved.ok);
    return world.disk.replace(geo, saved.value.bytes, { kind: 'hash', gitBlob: hasher.gitBlob(read) });
  };
  const edit = (source: string) => addDeclaration(world.session, { path: geo, source, position: 'end' }, signal);
  return { world, unsaved: unsavedEditsOf(world.session), view: shown.value, save, edit };
}

test('reports unsaved edits of an agent as the view that an editor shows', async () => {
  const { unsaved, view, edit } = await agentAndPerson();
  const changes: string[] = [];
  using _listening = unsaved.onDidChange(({ cause, modules }) => changes.push(`${cause} ${modules.join()}`));
  assert.deepEqual(unsaved.paths(), []);
  await edit('fn two() {}');
  assert.deepEqual([unsaved.paths(), changes], [[geo], ['edit geo.pluto']]);
  const { text, isContainer } = await unsaved.module(geo);
  assert.ok(isContainer && text.startsWith(view.trimEnd()) && /@uuid: \S+\nfn two\(\) \{\}\n$/.test(text), text);
  const [saved] = await unsaved.save([geo], signal);
  assert.deepEqual([saved?.kind, unsaved.paths()], ['saved', []]);
});

test('does not overwrite a file that a person saved, and keeps the unsaved edits of the agent', async () => {
  const { world, unsaved, view, save, edit } = await agentAndPerson();
  await edit('fn two() {}');
  await save(view.replace('return 1', 'return 100'));
  const theirs = await world.disk.read(geo);
  const [result] = await unsaved.save([geo], signal);
  assert.equal(result?.kind === 'failed' && result.error.code, 'FILE_CHANGED');
  assert.deepEqual(await world.disk.read(geo), theirs);
  assert.match(await world.text(geo), /fn two/);
  assert.deepEqual(unsaved.paths(), [geo]);
});

test('does not overwrite a file that an agent saved since a person read it', async () => {
  const { world, unsaved, view, save, edit } = await agentAndPerson();
  await edit('fn two() {}');
  await unsaved.save([geo], signal);
  const theirs = await world.disk.read(geo);
  await assert.rejects(save(view.replace('return 1', 'return 100')), { code: 'FILE_CHANGED' });
  assert.deepEqual(await world.disk.read(geo), theirs);
});
