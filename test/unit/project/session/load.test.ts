import { test } from 'node:test';
import assert from 'node:assert/strict';
import { openProject } from '../../../harness/project-world.ts';

test('loads nodes by name, folders, scripts by suffix, and services by name', async () => {
  using world = await openProject({
    'default.project.json': JSON.stringify({
      name: 'Bakery',
      servePlaceIds: [12, 12, 7],
      tree: {
        $className: 'DataModel',
        Workspace: { $properties: { Gravity: 50 }, Base: { $className: 'Part', $properties: { Size: [1, 2, 3] } } },
        ServerScriptService: { $path: 'src/server' },
        ReplicatedStorage: { Shared: { $path: 'src/shared' }, Packages: { $path: { optional: 'Packages' } } },
        StarterPlayer: { StarterPlayerScripts: { $path: 'src/client' } },
        Lighting: { $path: 'not-there' },
      },
    }),
    'src/server/Boot.server.luau': 'print(1)\r\nprint(2)\r\n',
    'src/server/Door/init.luau': 'return {}',
    'src/server/Door/Hinge.lua': 'return 1',
    'src/server/Door/init.meta.json': '{"attributes": {"Locked": true}}',
    'src/shared/config.json': '{"b": [1, {"x": null}], "2nd": "a\\"b", "a b": 1e-7}',
    'src/shared/notes.txt': 'one\r\ntwo',
    'src/shared/README.md': '# no instance',
    'src/shared/Boat.model.json': JSON.stringify({
      ClassName: 'Model',
      Children: [{ className: 'Part', name: 'Hull', properties: { Anchored: true, Material: 'Wood' } }],
    }),
    'src/client/Camera.client.luau': '',
    'src/client/Camera.meta.json': '{"properties": {"Enabled": false}}',
  });
  assert.equal(
    world.outline(),
    `Bakery:DataModel
  Lighting:Lighting
  ReplicatedStorage:ReplicatedStorage
    Shared:Folder
      Boat:Model
        Hull:Part
      config:ModuleScript
      notes:StringValue
  ServerScriptService:ServerScriptService
    Boot:Script
    Door:ModuleScript
      Hinge:ModuleScript
  StarterPlayer:StarterPlayer
    StarterPlayerScripts:StarterPlayerScripts
      Camera:LocalScript
  Workspace:Workspace
    Base:Part`,
  );
  const value = (path: string, name: string): unknown => world.at(path).properties.get(name)?.value;
  assert.equal(value('ServerScriptService/Boot', 'Source'), 'print(1)\nprint(2)\n');
  assert.deepEqual(world.at('ServerScriptService/Boot').properties.get('RunContext'), { type: 'Enum', value: 0 });
  assert.deepEqual(
    value('ServerScriptService/Door', 'Attributes'),
    new Map([['Locked', { type: 'Bool', value: true }]]),
  );
  assert.equal(
    value('ReplicatedStorage/Shared/config', 'Source'),
    'return {\n\t["2nd"] = "a\\"b",\n\t["a b"] = 0.0000001,\n\tb = {1, {\n\t\tx = nil,\n\t}},\n}',
  );
  assert.equal(value('ReplicatedStorage/Shared/notes', 'Value'), 'one\r\ntwo');
  assert.deepEqual(world.at('ReplicatedStorage/Shared/Boat/Hull').properties.get('Material'), {
    type: 'Enum',
    value: 512,
  });
  assert.equal(value('StarterPlayer/StarterPlayerScripts/Camera', 'Enabled'), false);
  assert.equal(value('Workspace', 'Gravity'), 50);
  assert.equal(world.at('Workspace').metadata.ignoreUnknownInstances, true);
  assert.equal(world.at('ServerScriptService').metadata.ignoreUnknownInstances, false);
  assert.equal(world.session.info.name, 'Bakery');
  assert.deepEqual(world.session.info.servePlaceIds, [12, 7]);
  assert.equal(world.session.revision(), 1);
  assert.deepEqual(
    world.session.diagnostics().map(({ severity, message, missing }) => ({ severity, message, missing })),
    [{ severity: 'warning', message: 'expected a file or folder at "not-there"', missing: { path: 'not-there' } }],
  );
});
