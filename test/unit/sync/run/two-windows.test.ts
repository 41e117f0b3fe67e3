import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { createNodeFileSystem } from '../../../../src/adapters/fs/node-file-system.ts';
import { createFileRunLock } from '../../../../src/adapters/node/file-run-lock.ts';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import { createJsonBaseStore } from '../../../../src/adapters/node/json-base-store.ts';
import { createFileJournalStore } from '../../../../src/adapters/node/journal/file-journal-store.ts';
import { nodeRandom } from '../../../../src/adapters/node/random.ts';
import { operationGet } from '../../../../src/sync/tools/operation-get.ts';
import { projectFile, syncWorld, type SyncWorld, type WorldParts } from '../../../harness/sync-world.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';
import { toolCall } from '../../../harness/tool-call.ts';
import { until } from '../../../harness/until.ts';

const path = (name: string): string => `ServerScriptService/${name}`;
const place = (text: string): WorldParts['place'] => ({
  [path('A')]: { className: 'ModuleScript', source: `return "${text} A"\n` },
  [path('B')]: { className: 'ModuleScript', source: `return "${text} B"\n` },
});

/** Two windows on one folder. Each has its own bridge and Studio; disk, journal, base store and lock are shared files. */
async function twoWindows() {
  const folder = await tempFolder({
    'game/default.project.json': projectFile,
    'game/src/A.luau': 'return "disk A"\n',
    'game/src/B.luau': 'return "disk B"\n',
    'game/shared/.gitkeep': '',
  });
  const state = (name: string): string => join(folder.path, 'state', name);
  const open = (studio: string): Promise<SyncWorld> =>
    syncWorld({
      git: 'none',
      place: place(studio) ?? {},
      disk: createNodeFileSystem(join(folder.path, 'game'), nodeHasher),
      journalStore: createFileJournalStore(state('journal')),
      bases: createJsonBaseStore(state('base')),
      runLock: createFileRunLock(state('run.lock')),
      random: nodeRandom,
    });
  const windows = [await open('first'), await open('second')] as const;
  return { windows, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

test('[R8] refuses a run with the id of the run that a person reviews in another window', async () => {
  await using world = await twoWindows();
  const [first, second] = world.windows;
  const run = first.engine.start({ mode: 'manual', overrides: [], requestedBy: 'you' });
  await until(() => run.phase() === 'reviewing');
  const refused = await second.sync({ mode: 'manual' });
  assert.deepEqual([refused.status, refused.outcome], ['sync_in_progress', 'refused']);
  assert.equal(refused.error?.code, 'LOCKED_BY_OTHER_WINDOW');
  assert.match(refused.summary, new RegExp(run.runId));
  assert.deepEqual(second.reviews, [], 'the second window opens no review');
  assert.equal((await second.sync({ mode: 'dryrun' })).status, 'dryrun', 'a dry run is allowed');
  const { structuredContent } = await operationGet.call(
    { engine: second.engine, clock: second.clock, hasher: nodeHasher },
    { operationId: run.runId },
    toolCall(),
  );
  assert.equal(structuredContent['state'], 'running');
  assert.deepEqual([await second.engine.runElsewhere(), await first.engine.runElsewhere()], [run.runId, undefined]);
  run.cancel();
  await run.result;
  assert.equal(await second.engine.runElsewhere(), undefined);
  const next = second.engine.start({ mode: 'manual', overrides: [], requestedBy: 'you' });
  await until(() => next.phase() === 'reviewing');
  next.cancel();
  await next.result;
});

test('shows and restores a run of one window in the history of the other', async () => {
  await using world = await twoWindows();
  const [first, second] = world.windows;
  const { changes } = await first.sync({ mode: 'dryrun' });
  const done = await first.sync({ overrides: changes.map(({ id }) => ({ id, direction: 'pull' as const })) });
  assert.equal(done.outcome, 'done');
  const [recorded] = await second.engine.history(1);
  assert.deepEqual([recorded?.runId, recorded?.status], [done.runId, 'success']);
});

test('keeps the bases that two windows record at the same time, each for its place', async () => {
  await using folder = await tempFolder();
  const open = () => createJsonBaseStore(join(folder.path, 'base'));
  const [first, second] = [open(), open()];
  const state = (mark: number) => ({ properties: { Mark: `${mark}` } });
  await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const store = index % 2 === 0 ? first : second;
      await store.update('place', new Map([[`key-${index}`, state(index)]]));
    }),
  );
  for (const store of [first, second, open()])
    assert.deepEqual(
      Array.from((await store.load('place')).keys()).toSorted(),
      Array.from({ length: 20 }, (_, index) => `key-${index}`).toSorted(),
    );
});
