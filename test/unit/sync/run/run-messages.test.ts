import assert from 'node:assert/strict';
import { test } from 'node:test';
import { syncWorld } from '../../../harness/sync-world.ts';
import * as messages from '../../../../src/sync/run/run-messages.ts';
import { formatSentence, type Sentence } from '../../../../src/base/sentence.ts';
import type { ProjectDiagnostic } from '../../../../src/project/project-session.ts';
import type { ProjectPath } from '../../../../src/base/brand.ts';
import { reasonOf } from '../../../../src/protocol/reason.ts';

const inEnglish =
  <T>(warnings: (found: readonly T[]) => readonly Sentence[]) =>
  (found: readonly T[]): readonly string[] =>
    warnings(found).map(one => formatSentence(one));
const brokenFileWarnings = inEnglish(messages.brokenFileWarnings);
const projectWarnings = inEnglish(messages.projectWarnings);
const unreadableWarnings = inEnglish(messages.unreadableWarnings);

const problem = (line: number, severity: ProjectDiagnostic['severity'] = 'error'): ProjectDiagnostic => ({
  file: 'a.model.json' as ProjectPath,
  line,
  column: 2,
  severity,
  message: 'expected a number',
});

test('reports each error of the files with its position, but no warnings', () => {
  assert.deepEqual(brokenFileWarnings([problem(3, 'warning'), problem(1)]), [
    'a.model.json:1:2 has an error: expected a number. Until you fix it, Atlas Bridge uses the last valid version. If there is none, it ignores the file, and does not compare what only Studio has in that folder.',
  ]);
});

test('reports each warning about the files with its position, and no errors', () => {
  const many = Array.from({ length: 22 }, (_, line) => problem(line, 'warning'));
  assert.deepEqual(projectWarnings([problem(1), problem(3, 'warning')]), ['a.model.json:3:2: expected a number']);
  assert.equal(projectWarnings(many).at(-1), "The project's files have 2 more warnings.");
});

test('answers and logs the warnings that a build prints', async () => {
  const part = JSON.stringify({ className: 'ObjectValue', attributes: { Rojo_Target_Value: 'nowhere' } });
  const world = await syncWorld({
    files: { 'src/lib/Lamp.model.json': part },
    place: {
      'ServerScriptService/lib': { className: 'Folder' },
      'ServerScriptService/lib/Lamp': { className: 'ObjectValue' },
    },
  });
  const { warnings = [] } = await world.sync({ mode: 'dryrun' });
  assert.equal(warnings.length, 1);
  assert.match(warnings[0] ?? '', /^src\/lib\/Lamp\.model\.json:1:1: expected a reference with a target/);
  assert.equal((await world.sync({ mode: 'dryrun', showsProjectWarnings: true })).warnings, undefined);
});

test('limits the number of file errors in an answer', () => {
  const many = Array.from({ length: 22 }, (_, line) => problem(line));
  const warnings = brokenFileWarnings(many);
  assert.deepEqual([warnings.length, warnings.at(-1)], [21, "The project's files have 2 more errors."]);
});

test('reports a broken file when everything else is the same', async () => {
  const lamp = JSON.stringify({ className: 'Folder' });
  const world = await syncWorld({
    files: { 'src/lib/Lamp.model.json': lamp },
    place: {
      'ServerScriptService/lib': { className: 'Folder' },
      'ServerScriptService/lib/Lamp': { className: 'Folder' },
    },
  });
  const whole = await world.sync({ mode: 'dryrun' });
  assert.deepEqual([whole.status, whole.warnings], ['empty', undefined], JSON.stringify(whole.changes));
  world.files.set('src/lib/Lamp.model.json', '{"className": "Folder"');
  const broken = await world.sync({ mode: 'dryrun' });
  assert.equal(broken.status, 'empty');
  assert.match(broken.warnings?.[0] ?? '', /^src\/lib\/Lamp\.model\.json:1:\d+ has an error: expected/);
});

test('gives the reason when an accepted override decides nothing because of its parent', async () => {
  const world = await syncWorld({ files: { 'src/lib/A.luau': 'return 1' } });
  const id = await world.idOf('ServerScriptService/lib/A');
  const { status, summary, overrides } = await world.sync({ mode: 'fastfail', overrides: [{ id, direction: 'push' }] });
  const reason = 'its parent is not in Studio; push the parent too';
  assert.equal(status, 'fastfail_unresolved');
  assert.deepEqual(overrides, [{ id, direction: 'push', verdict: 'accepted', reason }]);
  assert.ok(summary.includes(`Overrides that were not used: ${id} (accepted: ${reason}).`), summary);
});

test('groups unreadable values by property and reason', () => {
  const reason = reasonOf('value_of_type', 'SharedString', reasonOf('type_without_value'));
  const value = (path: string, property: string) => ({ path, property, reason });
  assert.deepEqual(unreadableWarnings([]), []);
  assert.deepEqual(unreadableWarnings([value('A/Mesh', 'Data'), value('B/Mesh', 'Data'), value('A/Mesh', 'Other')]), [
    'Data of A/Mesh and 1 more was not compared: Studio cannot read the value in the files (SharedString: the type has no value in Luau).',
    'Other of A/Mesh was not compared: Studio cannot read the value in the files (SharedString: the type has no value in Luau).',
  ]);
});
