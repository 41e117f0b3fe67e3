import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { nodeClock } from '../../../../src/adapters/node/clock.ts';
import { createNodeGitRoots, createNodeRootHost } from '../../../../src/docs/adapters/node/node-root-host.ts';
import { retrievalOfHost } from '../../../../src/docs/retrieval.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

test('lists the other folders of the workspace when one of them cannot be read', async () => {
  await using dir = await tempFolder({ 'game/docs/a.md': 'one' });
  const game = join(dir.path, 'game');
  const loop = join(dir.path, 'loop');
  // Permissions do not apply to root, but a circle of links cannot be read.
  await symlink('loop', loop);
  const host = createNodeRootHost({
    environment: () => ({}),
    folders: () => [loop, game].map(path => ({ name: '', path })),
    defaultCache: undefined,
    ripgrep: undefined,
    gitRoots: createNodeGitRoots(() => Promise.reject(new Error('no git root'))),
  });
  const { roots } = await retrievalOfHost(host, nodeClock).listRoots();
  assert.deepEqual(
    roots.map(({ definition, checkout }) => [definition.id, checkout.kind === 'absent' && checkout.reason]),
    [
      ['game-docs', false],
      ['game', false],
      ['loop', 'its links form a circle'],
    ],
  );
});
