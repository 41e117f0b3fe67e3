import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_RUN_TEXT_BYTES } from '../../../../src/protocol/limits.ts';
import { READ_BATCH_SIZE } from '../../../../src/sync/changes/read-in-studio.ts';
import { syncWorld } from '../../../harness/sync-world.ts';

const count = 3 * READ_BATCH_SIZE;
/** The first two batches reach the limit. */
const size = Math.ceil(MAX_RUN_TEXT_BYTES / (2 * READ_BATCH_SIZE) / 2) + 1;
const names = Array.from({ length: count }, (_, index) => `S${String(index).padStart(3, '0')}`);
const textOf = (side: string, name: string): string => `-- ${side} ${name}${'x'.repeat(size)}`;

for (const direction of ['pull', 'push'] as const)
  test(`fails the changes beyond the text limit of one ${direction}; the next sync applies them`, async () => {
    const world = await syncWorld({
      git: 'none',
      files: Object.fromEntries(names.map(name => [`src/${name}.luau`, textOf('disk', name)])),
      place: Object.fromEntries(
        names.map(name => [
          `ServerScriptService/${name}`,
          { className: 'ModuleScript', source: textOf('Studio', name) },
        ]),
      ),
    });
    const sync = async () => {
      const { changes } = await world.sync({ mode: 'dryrun' });
      return await world.sync({ overrides: changes.map(({ id }) => ({ id, direction })) });
    };
    const first = await sync();
    assert.equal(first.status, 'partial');
    const failed = first.changes.filter(({ outcome }) => outcome === 'failed');
    assert.equal(failed.length, READ_BATCH_SIZE);
    assert.deepEqual(
      new Set(failed.map(({ reason }) => reason)),
      new Set([
        'one sync applies at most 64 MB of script texts, and the changes before this one reach that; sync again to continue',
      ]),
    );
    const second = await sync();
    assert.equal(second.status, 'success');
    assert.equal(second.changes.length, READ_BATCH_SIZE);
    for (const name of names) {
      const winner = textOf(direction === 'pull' ? 'Studio' : 'disk', name);
      assert.ok(world.files.text(`src/${name}.luau`) === winner);
      assert.ok(world.studio.source(`ServerScriptService/${name}`) === winner);
    }
  });
