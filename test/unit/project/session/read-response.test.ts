import { test } from 'node:test';
import assert from 'node:assert/strict';
import { runToEnd } from '../../../../src/base/time-slice.ts';
import { renderInstances } from '../../../../src/project/session/read-response.ts';
import { instancesOf, openProject, smallProject } from '../../../harness/project-world.ts';

test('renders an instance and its descendants as the plugins expect them', async () => {
  using world = await openProject(smallProject({ 'src/Boot.server.luau': 'print(1)\r\n', 'src/D/x.luau': '' }));
  const { id, parent } = world.at('ReplicatedStorage');
  const boot = world.at('ReplicatedStorage/Boot');
  const instances = instancesOf(world.session, [id]);
  assert.equal(Object.keys(instances).length, 4);
  assert.deepEqual(instances[boot.id], {
    Id: boot.id,
    Parent: id,
    Name: 'Boot',
    ClassName: 'Script',
    Properties: { Source: { String: 'print(1)\n' }, RunContext: { Enum: 0 } },
    Children: [],
    Metadata: { ignoreUnknownInstances: false },
  });
  assert.equal(instances[id]?.Parent, parent);
  assert.deepEqual(instances[id]?.Children, [boot.id, world.at('ReplicatedStorage/D').id]);
  const root = instancesOf(world.session, [world.session.rootId])[world.session.rootId];
  assert.equal(root?.Parent, '0'.repeat(32));
  assert.deepEqual(instancesOf(world.session, ['f'.repeat(32) as never]), {});
});

test('skips values that no plugin accepts and marks hidden children', async () => {
  const region = {
    Region3: [
      [0, 0, 0],
      [1, 1, 1],
    ],
  };
  const properties = {
    Anchored: true,
    A: region,
    B: { UniqueId: '0'.repeat(32) },
    C: { Content: { Object: '1'.repeat(32) } },
    D: { SharedString: '' },
  };
  using world = await openProject({
    'default.project.json': JSON.stringify({
      globIgnorePaths: ['**/*.md'],
      tree: { $className: 'DataModel', ReplicatedStorage: { $path: 'src' } },
    }),
    'src/README.md': '',
    'src/P.model.json': JSON.stringify({ className: 'Part', properties }),
  });
  assert.deepEqual(world.session.diagnostics(), []);
  const instances = instancesOf(world.session, [world.session.rootId]);
  assert.deepEqual(instances[world.at('ReplicatedStorage/P').id]?.Properties, { Anchored: { Bool: true } });
  assert.deepEqual(instances[world.at('ReplicatedStorage').id]?.Metadata, {
    ignoreUnknownInstances: false,
    globIgnoredChildren: true,
  });
});

test('renders the state at the time of the request when it is written later', async () => {
  using world = await openProject(smallProject({ 'src/A.luau': 'return 1' }));
  const { id } = world.at('ReplicatedStorage/A');
  const asked = runToEnd(renderInstances(world.session, [world.session.rootId]));
  world.files.set('src/A.luau', 'return 2');
  world.files.set('src/B.luau', 'return 3');
  await world.refresh();
  const written = new Map(asked.members);
  assert.equal(written.size, asked.size);
  assert.deepEqual(written.get(id)?.Properties, { Source: { String: 'return 1' } });
});
