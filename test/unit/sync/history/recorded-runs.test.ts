import assert from 'node:assert/strict';
import { test } from 'node:test';
import { syncWorld } from '../../../harness/sync-world.ts';

test('records the client and outcomes of a run, and no run that changed nothing', async () => {
  const world = await syncWorld({
    git: 'none',
    files: { 'src/A.luau': 'return 1\n', 'src/B.luau': 'return 2\n' },
    place: {
      'ServerScriptService/A': { className: 'ModuleScript', source: 'return 3\n' },
      'ServerScriptService/B': { className: 'ModuleScript', source: 'return 4\n' },
    },
  });
  const { changes } = await world.sync({ mode: 'dryrun' });
  assert.deepEqual(await world.engine.history(10), []);
  world.files.fault = (_, path) => {
    if (path === 'src/B.luau') throw new Error('no space left on device');
  };
  const overrides = changes.map(({ id }) => ({ id, direction: 'pull' as const }));
  const result = await world.sync({ overrides, requestedBy: 'Copilot' });
  const [run] = await world.engine.history(10);
  assert.deepEqual(
    [run?.runId, run?.status, run?.requestedBy, run?.place.name, run?.summary],
    [result.runId, 'partial', 'Copilot', 'Baseplate', result.summary],
  );
  assert.deepEqual(
    run?.changes.map(({ path, outcome }) => [path, outcome]),
    [
      ['ServerScriptService/A', 'written'],
      ['ServerScriptService/B', 'failed'],
    ],
  );
  assert.deepEqual(await world.engine.recorded(result.runId), run);
  assert.equal(await world.engine.recorded('unknown'), undefined);
});

test('lists running, interrupted and unreadable runs', async () => {
  const world = await syncWorld();
  const record = {
    version: 1,
    runId: 'run',
    at: 'now',
    mode: 'standard',
    requestedBy: 'x',
    place: { name: 'p', placeId: 0 },
  };
  await world.journal.append('run', { ...record, items: [] }, new Map());
  await world.journal.append('newer', { version: 2 }, new Map());
  assert.deepEqual(
    (await world.engine.history(10)).map(({ status }) => status),
    ['unreadable', 'running'],
  );
  world.journal.crash();
  assert.deepEqual(
    (await world.engine.history(10)).map(({ status }) => status),
    ['unreadable', 'interrupted'],
  );
});
