import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../../../src/base/errors.ts';
import { syncWorld, type SyncWorld } from '../../../harness/sync-world.ts';

const pathOf = (name: string): string => `ServerScriptService/${name}`;
const fileOf = (name: string): string => `src/${name}.luau`;

/** Two scripts that differ on both sides, and one that is only in Studio. */
const differing = (): Promise<SyncWorld> =>
  syncWorld({
    git: 'none',
    files: { [fileOf('A')]: 'return "disk A"\n', [fileOf('B')]: 'return "disk B"\n' },
    place: Object.fromEntries(
      ['A', 'B', 'C'].map(name => [pathOf(name), { className: 'ModuleScript', source: `return "Studio ${name}"\n` }]),
    ),
    person: review => review.apply(review.snapshot().revision),
  });

async function syncAll(world: SyncWorld, direction: 'push' | 'pull', before?: () => void): Promise<string> {
  const { changes } = await world.sync({ mode: 'dryrun' });
  before?.();
  const result = await world.sync({ overrides: changes.map(({ id }) => ({ id, direction })) });
  assert.equal(result.status, 'partial', result.summary);
  return result.runId;
}

const failWrite = (world: SyncWorld, failing: string, error: AppError): void => {
  world.files.fault = (_, path) => {
    if (path === failing) throw error;
  };
};

/** The sides that History offers to restore, by the name of the script. */
async function offered(world: SyncWorld, runId: string): Promise<Readonly<Record<string, readonly string[]>>> {
  const run = await world.engine.recorded(runId);
  return Object.fromEntries(run?.changes.map(({ path, sides }) => [path.split('/').at(-1) ?? '', sides ?? []]) ?? []);
}

async function listed(world: SyncWorld, runId: string, side: 'disk' | 'studio'): Promise<readonly string[]> {
  const { changes } = await world.sync({ mode: 'dryrun', restore: { runId, side } });
  return changes.map(({ path }) => path).toSorted();
}

/** The texts that History shows as changed. */
async function shown(world: SyncWorld, runId: string): Promise<readonly string[]> {
  const diffs = await world.engine.recordedDiffs(runId, undefined);
  return diffs.map(({ side, path }) => `${side} ${path}`).toSorted();
}

test('[P1] offers no file to restore when its write failed in the sync', async () => {
  const world = await differing();
  const error = new AppError('FS_WRITE_FAILED', { file: fileOf('A'), reason: 'permission denied' });
  failWrite(world, fileOf('A'), error);
  const runId = await syncAll(world, 'pull');
  world.files.fault = undefined;
  world.files.set(fileOf('A'), 'return "a later edit"\n');
  assert.deepEqual(await offered(world, runId), { A: [], B: ['disk'], C: ['disk'] });
  assert.deepEqual(await shown(world, runId), [`disk ${fileOf('B')}`, `disk ${fileOf('C')}`]);
  assert.deepEqual(await listed(world, runId, 'disk'), [fileOf('B'), fileOf('C')]);
  const result = await world.sync({ restore: { runId, side: 'disk' } });
  assert.equal(result.status, 'success', result.summary);
  assert.equal(world.files.text(fileOf('A')), 'return "a later edit"\n');
  assert.equal(world.files.text(fileOf('B')), 'return "disk B"\n');
});

test('offers no file to restore when it changed right before the sync was to write it', async () => {
  const world = await differing();
  world.files.fault = (_, path) => {
    if (path === fileOf('A')) world.files.set(fileOf('A'), 'return "mine"\n');
  };
  const runId = await syncAll(world, 'pull');
  world.files.fault = undefined;
  assert.deepEqual(await listed(world, runId, 'disk'), [fileOf('B'), fileOf('C')]);
});

test('[P1] offers a file to restore when it was overwritten right after the sync wrote it', async () => {
  const world = await differing();
  world.files.onReplaced = path => {
    if (path === fileOf('A')) world.files.set(path, 'return "mine"\n');
  };
  const runId = await syncAll(world, 'pull');
  world.files.onReplaced = undefined;
  assert.deepEqual(await listed(world, runId, 'disk'), [fileOf('A'), fileOf('B'), fileOf('C')]);
});

test('[P1] offers only the written files of a change when another file of it failed', async () => {
  const world = await syncWorld({
    git: 'none',
    files: { 'src/A.server.luau': 'print("disk")\n', 'src/A.meta.json': '{ "properties": { "Disabled": false } }' },
    place: {
      [pathOf('A')]: { className: 'Script', source: 'print("Studio")\n', properties: { Disabled: { Bool: true } } },
    },
    person: review => review.apply(review.snapshot().revision),
  });
  const order: string[] = [];
  world.files.fault = (_, path) => {
    order.push(path);
    if (order.length === 2) throw new AppError('FS_WRITE_FAILED', { file: path, reason: 'permission denied' });
  };
  const runId = await syncAll(world, 'pull');
  world.files.fault = undefined;
  const [written = '', failed = ''] = order;
  world.files.set(failed, failed.endsWith('.json') ? '{}\n' : 'print("a later edit")\n');
  assert.deepEqual(await listed(world, runId, 'disk'), [written]);
  assert.deepEqual(await shown(world, runId), [`disk ${written}`]);
});

test('[P1] offers nothing in Studio to restore when Studio refused the push', async () => {
  const world = await differing();
  const runId = await syncAll(world, 'push', () => {
    world.studio.before = command => {
      if (command.type === 'apply') world.studio.edit(pathOf('A'), 'return "a later edit"\n');
    };
  });
  world.studio.before = () => undefined;
  assert.deepEqual(await offered(world, runId), { A: [], B: ['studio'], C: ['studio'] });
  assert.deepEqual(await listed(world, runId, 'studio'), [pathOf('B'), pathOf('C')]);
  assert.deepEqual(await shown(world, runId), [`studio ${pathOf('B')}.luau`, `studio ${pathOf('C')}`]);
  const ids = (await world.engine.recorded(runId))?.changes.flatMap(({ id, path }) =>
    path === pathOf('A') ? [id] : [],
  );
  const refused = await world.sync({ mode: 'dryrun', restore: { runId, side: 'studio', ids } });
  assert.match(refused.error?.message ?? '', /changed nothing in Studio/);
});
