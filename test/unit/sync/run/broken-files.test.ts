import assert from 'node:assert/strict';
import { test } from 'node:test';
import { syncWorld } from '../../../harness/sync-world.ts';
import { brokenFilesInWords } from '../../../../src/sync/run/broken-files.ts';
import type { ProjectDiagnostic } from '../../../../src/project/project-session.ts';
import type { ProjectPath } from '../../../../src/base/brand.ts';

const problem = (line: number, severity: ProjectDiagnostic['severity'] = 'error'): ProjectDiagnostic => ({
  file: 'a.model.json' as ProjectPath,
  line,
  column: 2,
  severity,
  message: 'expected a number',
});

test('each error of the files is told with its place, and warnings are not', () => {
  assert.deepEqual(brokenFilesInWords([problem(3, 'warning'), problem(1)]), [
    'a.model.json:1:2 was not compared as it stands: expected a number. Until it is corrected, it counts as it was last read, or not at all.',
  ]);
});

test('a project that is broken all over does not fill the answer', () => {
  const many = Array.from({ length: 22 }, (_, line) => problem(line));
  const told = brokenFilesInWords(many);
  assert.deepEqual([told.length, told.at(-1)], [21, "So were 2 more places in the project's files."]);
});

test('a sync of a project with a broken file says what it did not compare, even if the rest is the same', async () => {
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
  assert.match(
    broken.warnings?.[0] ?? '',
    /^src\/lib\/Lamp\.model\.json:1:\d+ was not compared as it stands: expected/,
  );
});

test('an override that holds, but that its parent keeps from deciding anything, says why', async () => {
  const world = await syncWorld({ files: { 'src/lib/A.luau': 'return 1' } });
  const id = await world.idOf('ServerScriptService/lib/A');
  const { status, summary, overrides } = await world.sync({ mode: 'fastfail', overrides: [{ id, direction: 'push' }] });
  const reason = 'its parent is not pushed to Studio, so there is no place for it there';
  assert.equal(status, 'fastfail_unresolved');
  assert.deepEqual(overrides, [{ id, direction: 'push', verdict: 'accepted', reason }]);
  assert.ok(summary.includes(`Overrides that were not used: ${id} (accepted: ${reason}).`), summary);
});
