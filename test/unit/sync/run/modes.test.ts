import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SyncMode } from '../../../../src/protocol/sync-request.ts';
import type { SyncStatus } from '../../../../src/protocol/sync-result.ts';
import { gitBlob } from '../../../harness/fake-studio.ts';
import { syncWorld, type WorldParts } from '../../../harness/sync-world.ts';

const path = 'ServerScriptService/Main';
const base: WorldParts = {
  files: { 'src/Main.server.luau': 'print("disk")\n' },
  place: { [path]: { className: 'Script', source: 'print("Studio")\n' } },
};
const right = gitBlob('print("Studio")\n');

/** The deciders of the change: git's default (pull), nothing, a valid override, or one with a wrong hash. */
type Decider = 'default' | 'nothing' | 'override' | 'failed override';
type Row = readonly [mode: SyncMode, decider: Decider, answer: 'apply' | 'reject', status: SyncStatus, reviews: number];

const rows: readonly Row[] = [
  ['standard', 'default', 'apply', 'success', 0],
  ['standard', 'override', 'apply', 'success', 0],
  ['standard', 'nothing', 'apply', 'success', 1],
  ['standard', 'nothing', 'reject', 'rejected', 1],
  ['standard', 'failed override', 'apply', 'success', 1],
  ['standard', 'failed override', 'reject', 'rejected', 1],
  ['manual', 'default', 'apply', 'success', 1],
  ['manual', 'default', 'reject', 'rejected', 1],
  ['manual', 'override', 'apply', 'success', 1],
  ['manual', 'nothing', 'apply', 'success', 1],
  ['fastfail', 'default', 'apply', 'success', 0],
  ['fastfail', 'override', 'apply', 'success', 0],
  ['fastfail', 'nothing', 'apply', 'fastfail_unresolved', 0],
  ['fastfail', 'failed override', 'apply', 'fastfail_unresolved', 0],
  ['dryrun', 'default', 'apply', 'dryrun', 0],
  ['dryrun', 'override', 'apply', 'dryrun', 0],
  ['dryrun', 'nothing', 'apply', 'dryrun', 0],
  ['dryrun', 'failed override', 'apply', 'dryrun', 0],
];
for (const [mode, decider, answer, status, reviews] of rows)
  test(`[A49] [A50] [A52] [A53] [A54] [A55] [A56] [A57] ends ${status} in ${mode} when decided by ${decider}, or a person would ${answer}`, async () => {
    const world = await syncWorld({
      ...base,
      git: decider === 'nothing' ? 'none' : {},
      person: review => {
        const { rows: shown } = review.snapshot();
        const undecided = shown.filter(row => row.choice === null).map(row => row.id);
        if (undecided.length > 0) review.choose(undecided, 'push');
        const { revision } = review.snapshot();
        if (answer === 'apply') review.apply(revision);
        else review.reject(revision);
      },
    });
    const id = await world.idOf(path);
    const studioHash = decider === 'override' ? right : gitBlob('something else');
    const overrides = decider.includes('override') ? [{ id, direction: 'push' as const, studioHash }] : [];
    const result = await world.sync({ mode, overrides });
    assert.deepEqual([result.status, world.reviews.length], [status, reviews]);
    const [change] = result.changes;
    assert.equal(change?.path, path);
    assert.equal(change?.studioHash, right);
    assert.equal(change?.className, 'Script');
    assert.equal(change?.patchType, 'Edit');
    if (status !== 'success') {
      assert.equal(change?.outcome, undefined);
      assert.equal(world.studio.source(path), 'print("Studio")\n');
      assert.equal(world.files.text('src/Main.server.luau'), 'print("disk")\n');
      assert.deepEqual(await world.journal.list(), []);
    } else assert.equal(world.studio.source(path)?.trim(), world.files.text('src/Main.server.luau')?.trim());
    if (decider === 'failed override') assert.equal(result.overrides[0]?.verdict, 'hash_mismatch');
  });

test('[A17] [A18] [A20] [A21] [A37] has an fsPath only for instances with a file', async () => {
  const world = await syncWorld({
    git: 'none',
    files: {
      'default.project.json': JSON.stringify({
        name: 'harbor',
        tree: {
          $className: 'DataModel',
          ServerScriptService: { $path: 'src', Node: { $className: 'Folder' } },
          ReplicatedStorage: { $path: 'shared' },
        },
      }),
      'src/Main.server.luau': 'print(1)\n',
    },
    place: { 'ServerScriptService/Extra': { className: 'Script', source: 'print(2)\n' } },
  });
  const { changes, overrides } = await world.sync({
    mode: 'dryrun',
    overrides: [{ id: 'not a ref', direction: 'push' }],
  });
  assert.deepEqual(Object.fromEntries(changes.map(change => [change.path.split('/')[1], change.fsPath])), {
    Main: 'src/Main.server.luau',
    Node: null,
    Extra: null,
  });
  assert.deepEqual(
    overrides.map(({ verdict }) => verdict),
    ['stale_id'],
  );
});
