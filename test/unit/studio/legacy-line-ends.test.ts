import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeHasher } from '../../../src/adapters/node/hasher.ts';
import { toStudioChange } from '../../../src/studio/legacy-changes.ts';
import { openProject } from '../../harness/project-world.ts';

const tree = { $className: 'DataModel', ReplicatedStorage: { $path: 'src' } };
const hashOf = (text: string): string => nodeHasher.gitBlob(new TextEncoder().encode(text));

test('drops a change of an unmodified plugin that is only about line ends', async () => {
  using world = await openProject({
    'default.project.json': JSON.stringify({ name: 'Game', tree }),
    'src/A.luau': 'one\ntwo\n',
  });
  const change = (source: string, properties = {}) =>
    toStudioChange(
      {
        id: world.at('ReplicatedStorage/A').id,
        patchType: 'Edit',
        path: 'Game/ReplicatedStorage/A',
        className: 'ModuleScript',
        studioHash: hashOf(source),
        properties,
      },
      world.session,
      nodeHasher,
    );
  assert.equal(change('one\r\ntwo\r\n'), undefined);
  assert.equal(change('one\r\nTWO\r\n')?.sourceDiffers, true);
  assert.equal(change('one\r\ntwo\r\n', { Archivable: {} })?.sourceDiffers, false);
});
