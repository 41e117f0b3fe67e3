import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ProjectPath } from '../../../src/base/brand.ts';
import { liveWorld } from '../../harness/live-world.ts';
import { until } from '../../harness/until.ts';

const service = 'game:GetService("ServerScriptService")';
const onDisk = {
  'Kit/init.meta.json': '{ "properties": { "Tags": ["kit"] } }',
  'Kit/A.luau': '-- kept as it is  \nreturn 1\n',
  'Kit/Note.txt': 'note',
  'Box/B.luau': 'return 2\n',
};
const movesWorld = async (project: object = {}, changed: Parameters<typeof liveWorld>[1] = {}) => {
  const both = await liveWorld(project, changed);
  for (const [name, text] of Object.entries(onDisk)) await both.save(name, text);
  await both.untilLua(`${service}:FindFirstChild("Box") and ${service}.Box:FindFirstChild("B") ~= nil`, true);
  await both.untilLua(`${service}:FindFirstChild("Kit") and ${service}.Kit:FindFirstChild("Note") ~= nil`, true);
  return both;
};

test('[live-moves] moves the file of a script that was moved in Studio, and keeps both in sync', async () => {
  await using both = await movesWorld();
  await both.lua(`_G.a = ${service}.Kit.A  _G.a.Parent = ${service}.Box`);
  await both.untilText('server/Box/A.luau', onDisk['Kit/A.luau']);
  await both.untilText('server/Kit/A.luau', undefined);
  await until(async () => (await both.sync('dryrun')).status === 'empty');
  // The same instance, not another one in its place.
  await both.untilLua(`_G.a.Parent == ${service}.Box and #${service}.Box:GetChildren() == 2`, true);
  await both.lua('_G.a.Source = "return 3\\n"');
  await both.untilText('server/Box/A.luau', 'return 3\n');
  await both.save('Box/A.luau', 'return 4\n');
  await both.untilLua('_G.a.Source', 'return 4\n');
  assert.deepEqual([both.needed, both.written], [[], ['ServerScriptService/Box/A']]);
  const [entry] = await both.bridge.engine.history(1);
  assert.equal(entry?.requestedBy, 'Live Sync');
});

test('moves a folder with its meta file and everything in it, under another name', async () => {
  await using both = await movesWorld();
  await both.lua(`_G.kit = ${service}.Kit  _G.kit.Name = "Tools"  _G.kit.Parent = ${service}.Box`);
  for (const [name, text] of Object.entries(onDisk))
    if (name.startsWith('Kit/')) await both.untilText(`server/Box/Tools/${name.slice(4)}`, text);
  await both.untilText('server/Kit/A.luau', undefined);
  await until(async () => (await both.sync('dryrun')).status === 'empty');
  await both.lua('_G.kit.A.Source = "return 5\\n"');
  await both.untilText('server/Box/Tools/A.luau', 'return 5\n');
  assert.deepEqual(both.needed, []);
});

test('moves a script below a script, whose file becomes a folder', async () => {
  await using both = await movesWorld();
  await both.lua(`${service}.Box.Parent = ${service}.Kit.A`);
  await both.untilText('server/Kit/A/Box/B.luau', 'return 2\n');
  await both.untilText('server/Kit/A/init.luau', onDisk['Kit/A.luau']);
  await until(async () => (await both.sync('dryrun')).status === 'empty');
  assert.deepEqual(both.needed, []);
});

test('creates a script with the name that another one had before it was moved', async () => {
  await using both = await movesWorld();
  await both.lua(`${service}.Kit.A.Parent = ${service}.Box
    local new = Instance.new("ModuleScript") new.Name = "A" new.Source = "return 7\\n" new.Parent = ${service}.Kit`);
  await both.untilText('server/Kit/A.luau', 'return 7\n');
  await both.untilText('server/Box/A.luau', onDisk['Kit/A.luau']);
  await until(async () => (await both.sync('dryrun')).status === 'empty');
  assert.deepEqual(both.needed, []);
});

test('writes an edit that was made just before the move, and one just after', async () => {
  await using both = await movesWorld();
  await both.lua(`local a = ${service}.Kit.A  a.Source = "before"  a.Parent = ${service}.Box
    task.wait(0.5) a.Source = "after"`);
  await both.untilText('server/Box/A.luau', 'after');
  await until(async () => (await both.sync('dryrun')).status === 'empty');
  assert.deepEqual(both.needed, []);
});

test('knows the side that changed after Live Sync moved a script', async () => {
  await using both = await movesWorld();
  await both.lua(`${service}.Kit.A.Parent = ${service}.Box`);
  await both.untilText('server/Box/A.luau', onDisk['Kit/A.luau']);
  await both.untilLearned('Box/A', onDisk['Kit/A.luau']);
  both.bridge.live.setMode('off');
  await both.lua(`${service}.Box.A.Source = "2"`);
  assert.deepEqual(await both.reasons(), { A: 'base_studio_moved' });
});

test('asks a person when an instance leaves the project, and keeps its files', async () => {
  await using both = await movesWorld();
  await both.lua(`${service}.Kit.Parent = game:GetService("Workspace")`);
  await until(() => both.needed.length > 0);
  assert.deepEqual(both.needed, ['Kit was moved in Studio']);
  assert.equal(both.bridge.disk.text('server/Kit/A.luau'), onDisk['Kit/A.luau']);
});

test('refuses a move onto a file that changed, with the reason', async () => {
  await using both = await movesWorld();
  // Not read yet: no watcher has reported it.
  both.bridge.disk.set('server/Box/A.luau', 'mine');
  await both.lua(`${service}.Kit.A.Parent = ${service}.Box`);
  await until(() => both.needed.length > 0);
  assert.match(both.needed[0] ?? '', /two children named A$|another instance with that name on disk$/);
  assert.deepEqual(
    [both.bridge.disk.text('server/Box/A.luau'), both.bridge.disk.text('server/Kit/A.luau')],
    ['mine', onDisk['Kit/A.luau']],
  );
});

test('refuses to move a file that was edited on disk meanwhile, with the reason', async () => {
  await using both = await movesWorld();
  both.bridge.disk.set('server/Kit/A.luau', 'edited on disk');
  await both.lua(`${service}.Kit.A.Parent = ${service}.Box`);
  await until(() => both.needed.length > 0 || both.bridge.disk.text('server/Box/A.luau') !== undefined);
  const texts = [both.bridge.disk.text('server/Kit/A.luau'), both.bridge.disk.text('server/Box/A.luau')];
  assert.ok(texts.includes('edited on disk'), texts.join());
});

for (const [kind, change, file] of [
  ['move', `${service}.Kit.A.Parent = ${service}.Box`, 'Kit/A.luau'],
  ['move of a folder', `${service}.Kit.Parent = ${service}.Box`, 'Kit/A.luau'],
  ['rename', `${service}.Kit.A.Name = "C"`, 'Kit/A.luau'],
  ['move below a script', `${service}.Box.Parent = ${service}.Kit.A`, 'Kit/A.luau'],
  [
    'move into a new folder of the name',
    `local a, folder = ${service}.Kit.A, Instance.new("Folder")
    folder.Name = "A" folder.Parent = ${service}.Kit a.Parent = folder`,
    'Kit/A.luau',
  ],
] as const)
  test(`refuses a ${kind} when the editor has unsaved edits of the file`, async () => {
    await using both = await movesWorld({}, { unsavedFiles: () => new Set([`server/${file}` as ProjectPath]) });
    await both.lua(change);
    await until(() => both.needed.length > 0);
    assert.match(both.needed[0] ?? '', /server\/Kit\/A\.luau has unsaved edits in the editor/);
    for (const [name, text] of Object.entries(onDisk)) assert.equal(both.bridge.disk.text(`server/${name}`), text);
  });

test('moves a script into a folder that was created just before', async () => {
  await using both = await movesWorld();
  await both.lua(`local folder = Instance.new("Folder") folder.Name = "New" folder.Parent = ${service}
    local inner = Instance.new("Folder") inner.Name = "Inner" inner.Parent = folder
    ${service}.Kit.A.Parent = folder  ${service}.Box.Parent = inner`);
  await both.untilText('server/New/A.luau', onDisk['Kit/A.luau']);
  await both.untilText('server/New/Inner/Box/B.luau', onDisk['Box/B.luau']);
  await until(async () => (await both.sync('dryrun')).status === 'empty');
  assert.deepEqual(
    [both.bridge.disk.text('server/Kit/A.luau'), both.bridge.disk.text('server/Box/B.luau')],
    [undefined, undefined],
  );
  assert.deepEqual(both.needed, []);
});

test('keeps the instance of a script whose file moves into a folder of its name', async () => {
  await using both = await movesWorld();
  await both.lua(`_G.a = ${service}.Kit.A`);
  await both.save('Kit/A/Inner.luau', 'return 3\n');
  await both.untilLua(`#${service}.Kit:GetChildren()`, 3);
  both.bridge.disk.delete('server/Kit/A.luau');
  await both.save('Kit/A/init.luau', onDisk['Kit/A.luau']);
  await both.untilLua(`_G.a.Parent == ${service}.Kit and _G.a:FindFirstChild("Inner") ~= nil`, true);
  await both.untilLua(`#${service}.Kit:GetChildren()`, 2);
  await until(async () => (await both.sync('dryrun')).status === 'empty');
  await both.lua('_G.a.Source = "return 5\\n"');
  await both.untilText('server/Kit/A/init.luau', 'return 5\n');
  assert.deepEqual(both.needed, []);
});

const step = fc.oneof(
  fc.record({ kind: fc.constant('edit' as const), script: fc.nat(3), pause: fc.nat(3) }),
  fc.record({ kind: fc.constant('rename' as const), script: fc.nat(3), pause: fc.nat(3) }),
  fc.record({ kind: fc.constant('move' as const), script: fc.nat(3), folder: fc.nat(2), pause: fc.nat(3) }),
);

test('has the same tree on both sides after any mix of moves, renames and edits', async () => {
  const property = fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async steps => {
    await using both = await liveWorld();
    for (const index of [0, 1, 2, 3]) await both.save(`F${index % 3}/S${index}.luau`, `return "${index}"\n`);
    await both.untilLua(`${service}:FindFirstChild("F0") and ${service}.F0:FindFirstChild("S3") ~= nil`, true);
    await both.untilLua(`${service}:FindFirstChild("F2") and ${service}.F2:FindFirstChild("S2") ~= nil`, true);
    await both.lua(`_G.scripts = {}
      for index = 0, 3 do _G.scripts[index] = ${service}["F" .. index % 3]["S" .. index] end`);
    const lines = steps.map((one, at) => {
      const script = `_G.scripts[${one.script}]`;
      const change =
        one.kind === 'edit'
          ? `${script}.Source = "return ${at}\\n"`
          : one.kind === 'rename'
            ? `${script}.Name = "S${one.script}_${at}"`
            : `${script}.Parent = ${service}.F${one.folder}`;
      return `${change} ${one.pause === 0 ? '' : `task.wait(${one.pause / 10})`}`;
    });
    await both.lua(lines.join('\n'));
    const studio = async (): Promise<readonly unknown[]> =>
      await both.lua(`local found = {}
        for index = 0, 3 do
          local script = _G.scripts[index]
          table.insert(found, "server/" .. script.Parent.Name .. "/" .. script.Name .. ".luau=" .. script.Source)
        end
        return table.unpack(found)`);
    const onDisk = (): readonly string[] =>
      both.bridge.disk
        .paths()
        .filter(path => /^server\/F\d\//.test(path) && !path.endsWith('.gitkeep'))
        .map(path => `${path}=${both.bridge.disk.text(path)}`)
        .toSorted();
    const wanted = (await studio()).map(String).toSorted();
    await until(() => both.needed.length > 0 || JSON.stringify(onDisk()) === JSON.stringify(wanted));
    assert.deepEqual(both.needed, []);
    await until(async () => (await both.sync('dryrun')).status === 'empty');
  });
  await fc.assert(property, { numRuns: 3 });
});

test('moves a script into a new folder of its name', async () => {
  await using both = await movesWorld();
  await both.save('Kit/A.meta.json', '{ "properties": { "Tags": ["kit"] } }');
  await until(async () => (await both.sync('dryrun')).status === 'empty');
  await both.lua(`_G.a, _G.b = ${service}.Kit.A, ${service}.Box
    local folder = Instance.new("Folder") folder.Name = "A" folder.Parent = ${service}.Kit
    _G.b.Parent = folder  _G.a.Parent = folder`);
  await both.untilText('server/Kit/A/A.luau', onDisk['Kit/A.luau']);
  await both.untilText('server/Kit/A/A.meta.json', '{ "properties": { "Tags": ["kit"] } }');
  await both.untilText('server/Kit/A/Box/B.luau', onDisk['Box/B.luau']);
  await until(async () => (await both.sync('dryrun')).status === 'empty');
  const files = both.bridge.disk.paths().filter(path => /^server\/(Kit\/A|Box)/.test(path));
  assert.deepEqual(files.toSorted(), ['server/Kit/A/A.luau', 'server/Kit/A/A.meta.json', 'server/Kit/A/Box/B.luau']);
  await both.untilLua(`_G.a.Parent.Parent == ${service}.Kit and _G.b.Parent == _G.a.Parent`, true);
  await both.lua('_G.a.Source = "return 5\\n"');
  await both.untilText('server/Kit/A/A.luau', 'return 5\n');
  assert.deepEqual(both.needed, []);
});

test('asks a person when a script moves into a new script of its name, and keeps its file', async () => {
  await using both = await movesWorld();
  await both.lua(`local new = Instance.new("ModuleScript") new.Name = "A" new.Source = "return 8" new.Parent = ${service}.Kit
    ${service}.Kit.A.Parent = new`);
  await until(() => both.needed.length > 0);
  assert.deepEqual(both.needed, [
    'ServerScriptService.Kit.A was moved in Studio, but its new parent has its class and its former name',
  ]);
  assert.equal(both.bridge.disk.text('server/Kit/A.luau'), onDisk['Kit/A.luau']);
});
