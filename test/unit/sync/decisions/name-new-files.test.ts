import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeNewFile } from '../../../../src/protocol/row-choices.ts';
import { restoreStrings } from '../../../../src/review/restore-strings.ts';
import { reviewStrings } from '../../../../src/review/review-strings.ts';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import { ANSWER_BYTES, pageOf } from '../../../../src/sync/tools/page-of-changes.ts';
import { formatSyncResult } from '../../../../src/sync/tools/format-sync-result.ts';
import { plainL10n } from '../../../../scripts/review-page/plain-l10n.ts';
import { settle } from '../../../harness/settle.ts';
import { syncWorld } from '../../../harness/sync-world.ts';

const service = 'ServerScriptService';
const place = {
  [`${service}/Boot`]: { className: 'Script', source: 'print(1)\n' },
  [`${service}/Tools`]: { className: 'Folder' },
  [`${service}/Tools/Saw`]: { className: 'ModuleScript', source: 'return 1\n' },
  [`${service}/a:b`]: { className: 'ModuleScript', source: 'return 2\n' },
};

test('names the files that pulls create in the answer and the review, and creates exactly these', async () => {
  const world = await syncWorld({
    place,
    git: 'none',
    person: review => {
      const files = review.snapshot().rows.map(({ path, newFile }) => [path, newFile]);
      assert.deepEqual(Object.fromEntries(files), expected);
      review.choose(
        review.snapshot().rows.map(({ id }) => id),
        'pull',
      );
      review.apply(review.snapshot().revision);
    },
  });
  const dry = await world.sync({ mode: 'dryrun' });
  const expected = Object.fromEntries(dry.changes.map(({ path, newFile }) => [path, newFile]));
  assert.deepEqual(Object.keys(expected).length, 3);
  assert.match(formatSyncResult(dry), /new file=src\/Boot\.server\.luau/);
  assert.equal((await world.sync({ mode: 'manual' })).status, 'success');
  const paths = world.files.paths();
  for (const file of Object.values(expected)) {
    assert.ok(file !== undefined);
    assert.ok(
      paths.some(path => path === file || path.startsWith(`${file}/`)),
      file,
    );
  }
  assert.equal(expected[`${service}/Tools`], 'src/Tools');
  assert.match(reviewStrings(plainL10n, 'en').details.newFile, /\{0\}/);
});

test('says which file a pull creates, and how a pull or restore renames the file of a rename', () => {
  const { details } = reviewStrings(plainL10n, 'en');
  const newFile = 'src/B$&.luau';
  assert.equal(describeNewFile({ fsPath: null }, details), undefined);
  assert.equal(describeNewFile({ fsPath: null, newFile }, details), `No file yet. Pull creates ${newFile}`);
  assert.equal(describeNewFile({ fsPath: 'src/A.luau', newFile }, details), `Pull renames it to ${newFile}`);
  const { details: restored } = restoreStrings(plainL10n, 'en', 'disk');
  assert.equal(describeNewFile({ fsPath: 'src/A.luau', newFile }, restored), `Restore renames it to ${newFile}`);
});

test('lists the changes without file names when Studio does not answer the read', async () => {
  const world = await syncWorld({ place, git: 'none' });
  world.studio.silent.add('read');
  const run = world.sync({ mode: 'dryrun' });
  for (let waited = 0; waited < 120; waited += 1) {
    await settle();
    world.clock.advance(1000);
  }
  const { status, changes } = await run;
  assert.equal(status, 'dryrun');
  assert.deepEqual(
    changes.map(({ newFile }) => newFile),
    changes.map(() => undefined),
  );
});

test('names the file of a decided pull in its result, and reads nothing for it before', async () => {
  const world = await syncWorld({ place, git: 'none' });
  const { changes } = await world.sync({ mode: 'dryrun' });
  const overrides = changes.map(({ id }) => ({ id, direction: 'pull' as const }));
  world.studio.commands.length = 0;
  const result = await world.sync({ mode: 'fastfail', overrides });
  assert.deepEqual(
    world.studio.commands.map(({ type }) => type),
    ['compare', 'read', 'apply'],
  );
  assert.deepEqual(
    result.changes.map(({ newFile }) => newFile),
    changes.map(({ newFile }) => newFile),
  );
});

test('names the files of every page, whatever the number of changes', async () => {
  const many = Array.from({ length: 130 }, (_, index) => [
    `${service}/S${String(index).padStart(3, '0')}`,
    { className: 'ModuleScript', source: `return ${index}\n` },
  ]);
  const world = await syncWorld({ place: Object.fromEntries(many), git: 'none' });
  const result = await world.engine.start({ mode: 'dryrun', overrides: [], requestedBy: 'test' }).result;
  assert.equal(result.changes.filter(({ newFile }) => newFile !== undefined).length, 100);
  const deps = { engine: world.engine, clock: world.clock, hasher: nodeHasher };
  const call = { signal: new AbortController().signal };
  const answer = await pageOf(result, { limit: 1000 }, deps, call);
  assert.deepEqual(
    answer.changes.map(({ path, newFile }) => newFile === `src/${path.slice(service.length + 1)}.luau`),
    many.map(() => true),
  );
  const seen: string[] = [];
  for (let at: string | undefined = ''; at !== undefined;) {
    const page = await pageOf(result, at === '' ? {} : { cursor: at }, deps, call);
    seen.push(...page.changes.map(({ newFile }) => newFile ?? ''));
    assert.ok(JSON.stringify(page.changes).length * 2 <= ANSWER_BYTES);
    at = page.page?.cursor;
  }
  assert.equal(new Set(seen).size, 130);
});

test('reads no folder of thousands of instances for the name of its folder on disk', async () => {
  const inside = Array.from({ length: 2_000 }, (_, index) => [`${service}/Big/S${index}`, { className: 'Folder' }]);
  const world = await syncWorld({
    place: { ...place, [`${service}/Big`]: { className: 'Folder' }, ...Object.fromEntries(inside) },
    git: 'none',
  });
  const result = await world.engine.start({ mode: 'dryrun', overrides: [], requestedBy: 'test' }).result;
  const deps = { engine: world.engine, clock: world.clock, hasher: nodeHasher };
  const { changes } = await pageOf(result, {}, deps, { signal: new AbortController().signal });
  const named = Object.fromEntries(changes.map(({ path, newFile }) => [path, newFile]));
  assert.deepEqual([named[`${service}/Big`], named[`${service}/Boot`]], [undefined, 'src/Boot.server.luau']);
});

test('names the other files when one folder is too large to be named', async () => {
  const parts: Record<string, { className: string }> = { [`${service}/A`]: { className: 'Folder' } };
  for (let index = 0; index < 2000; index += 1) parts[`${service}/A/Part${index}`] = { className: 'Part' };
  const world = await syncWorld({ place: { ...parts, ...place }, git: 'none' });
  const run = world.engine.start({ mode: 'dryrun', overrides: [], requestedBy: 'test' });
  const { changes } = await run.result;
  const named = changes.filter(({ newFile }) => newFile !== undefined).map(({ path }) => path);
  assert.deepEqual(named, [`${service}/Boot`, `${service}/Tools`, `${service}/a:b`]);
});
