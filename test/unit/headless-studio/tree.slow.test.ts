import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { Variant } from '../../../src/roblox/values/variant.ts';
import { startTestStudio, type TestStudio } from '../../harness/luau-vm.ts';

let studio: TestStudio;
beforeEach(async () => {
  studio = await startTestStudio();
});

const prepare = `local function folder(name, parent)
  local made = Instance.new("Folder") made.Name = name made.Parent = parent return made
end
local function names(instance)
  local list = {} for _, child in instance:GetChildren() do table.insert(list, child.Name) end return table.concat(list, " ")
end
local root = folder("Root", workspace)
`;

test('keeps the order of children and appends one that returns', () => {
  assert.deepEqual(
    studio.run(`${prepare}
    local a, b, c = folder("a", root), folder("b", root), folder("c", root)
    a.Parent = workspace a.Parent = root
    b.Parent = root
    return names(root), #root:GetDescendants(), b:GetFullName()`),
    ['b c a', 3, 'Workspace.Root.b'],
  );
});

test('keeps the order of the others when a thousand children are removed in any order', () => {
  assert.deepEqual(
    studio.run(`${prepare}
    local all = {}
    for i = 1, 1000 do all[i] = folder(tostring(i), root) end
    for i = 1, 1000 do if i % 100 ~= 0 then all[i].Parent = nil end end
    folder("new", root)
    return names(root), root:FindFirstChild("500").Name, root:FindFirstChild("501")`),
    ['100 200 300 400 500 600 700 800 900 1000 new', '500', null],
  );
});

test('refuses to move an instance below itself and to move a service', () => {
  const circle = studio.failure(`${prepare} local a = folder("a", root) root.Parent = a`);
  assert.match(
    circle,
    /Attempt to set parent of Workspace\.Root to Workspace\.Root\.a would result in circular reference/,
  );
  assert.match(studio.failure(`${prepare} root.Parent = root`), /Attempt to set Workspace\.Root as its own parent/);
  assert.match(studio.failure('workspace.Parent = nil'), /The Parent property of Workspace is locked/);
  assert.match(studio.failure(`${prepare} root.Parent = "x"`), /Instance expected, got string/);
});

test('destroys all descendants for good', () => {
  assert.deepEqual(
    studio.run(`${prepare}
    local a = folder("a", root) local b = folder("b", a)
    local fired = 0
    b.Destroying:Connect(function() fired += 1 end)
    root:Destroy()
    local ok, problem = pcall(function() b.Parent = workspace end)
    return fired, a.Parent, ok, string.find(problem, "is locked, current parent: NULL, new parent Workspace") ~= nil`),
    [1, null, false, true],
  );
});

test('finds members before children by indexing', () => {
  assert.deepEqual(
    studio.run(`${prepare}
    local child, odd = folder("Child", root), folder("Name", root)
    return root.Child == child, root.Name, root:FindFirstChild("Name") == odd`),
    [true, 'Root', true],
  );
  assert.match(
    studio.failure(`${prepare} return root.Chidl`),
    /Chidl is not a valid member of Folder "Workspace\.Root"/,
  );
});

test('finds the nearest instance first in both directions', () => {
  assert.deepEqual(
    studio.run(`${prepare}
    local deep = folder("deep", folder("x", root)) local part = Instance.new("Part", deep)
    return root:FindFirstChild("deep"), root:FindFirstChild("deep", true) == deep, part:FindFirstAncestor("Root") == root,
      root:FindFirstChildWhichIsA("BasePart", true) == part, part:FindFirstAncestorOfClass("Workspace") == workspace,
      part:IsDescendantOf(root), root:IsAncestorOf(part), part:IsDescendantOf(game)`),
    [null, true, true, true, true, true, true, true],
  );
});

test('fires signals for moves and changed properties only', () => {
  assert.deepEqual(
    studio.run(`${prepare}
    local events = {}
    local function note(name) return function(value) table.insert(events, name .. " " .. tostring(value)) end end
    workspace.DescendantAdded:Connect(note("added"))
    workspace.DescendantRemoving:Connect(note("removing"))
    root.ChildAdded:Connect(note("child"))
    root.ChildRemoved:Connect(note("gone"))
    root.Changed:Connect(note("changed"))
    root:GetPropertyChangedSignal("Name"):Connect(function() table.insert(events, "renamed " .. root.Name) end)
    local a = Instance.new("Folder") folder("below", a)
    a.Parent = root
    root.Name = "Root" root.Name = "Other"
    a.Parent = nil
    return events`),
    [
      [
        'child Folder',
        'added Folder',
        'added below',
        'renamed Other',
        'changed Name',
        'removing Folder',
        'removing below',
        'gone Folder',
      ],
    ],
  );
  assert.match(
    studio.failure('workspace:GetPropertyChangedSignal("Nonsense")'),
    /Nonsense is not a valid property name/,
  );
});

test('calls no disconnected handler, and returns the values to a waiting thread', () => {
  assert.deepEqual(
    studio.run(`${prepare}
    local count = 0
    local connection = root.ChildAdded:Connect(function() count += 1 end)
    folder("a", root)
    connection:Disconnect()
    task.defer(folder, "b", root)
    local child = root.ChildAdded:Wait()
    return count, connection.Connected, typeof(connection), child.Name, type(connection)`),
    [1, false, 'RBXScriptConnection', 'b', 'userdata'],
  );
});

test('clones values and inner references, and skips instances that are not Archivable', () => {
  assert.deepEqual(
    studio.run(`${prepare}
    local model, part = Instance.new("Model"), Instance.new("Part")
    part.Parent = model model.PrimaryPart = part model:SetAttribute("x", 1) model:AddTag("t")
    local secret = folder("secret", model) secret.Archivable = false
    local copy = model:Clone()
    copy:SetAttribute("x", 2)
    copy.Part.Transparency = 0.5
    return copy.PrimaryPart == copy.Part, copy.Parent, model:GetAttribute("x"), part.Transparency, copy:HasTag("t"),
      copy:FindFirstChild("secret")`),
    [true, null, 1, 0, true, null],
  );
});

test('keeps and checks attributes and tags, and fires their signals', () => {
  assert.deepEqual(
    studio.run(`${prepare}
    local heard = {}
    root.AttributeChanged:Connect(function(name) table.insert(heard, name) end)
    root:SetAttribute("speed", 5) root:SetAttribute("speed", 5) root:SetAttribute("place", Vector3.new(1, 2, 3))
    root:SetAttribute("speed", nil)
    root:AddTag("b") root:AddTag("a") root:AddTag("b")
    local tagged = game:GetService("CollectionService"):GetTagged("a")
    return heard, root:GetAttribute("speed"), tostring(root:GetAttributes().place), root:GetTags(), tagged[1] == root`),
    [['speed', 'place', 'speed'], null, '1, 2, 3', ['b', 'a'], true],
  );
  assert.match(studio.failure('workspace:SetAttribute("bad name", 1)'), /invalid characters/);
  assert.match(studio.failure('workspace:SetAttribute("x", {})'), /table is not a supported attribute type/);
  assert.match(studio.failure('workspace:SetAttribute("RBXx", 1)'), /reserved/);
});

test('does not treat an instance as a table', () => {
  assert.deepEqual(studio.run('return type(workspace), typeof(workspace), tostring(workspace)'), [
    'userdata',
    'Instance',
    'Workspace',
  ]);
  assert.match(studio.failure('for _ in workspace do end'), /attempt to iterate over a Instance value/);
});

test('waits in WaitForChild for the child or the time limit', () => {
  assert.deepEqual(
    studio.run(`${prepare}
    task.delay(3, folder, "late", root)
    local missing = root:WaitForChild("never", 1)
    return missing, root:WaitForChild("late").Name`),
    [null, 'late'],
  );
});

test('does not resume a thread again whose WaitForChild has ended', () => {
  assert.deepEqual(
    studio.run(`${prepare}
    task.delay(0.5, folder, "child", root)
    local found = root:WaitForChild("child", 1)
    local second = task.wait(5) >= 5
    local late = root:WaitForChild("late", 1)
    task.delay(1, folder, "late", root)
    return found.Name, second, late, task.wait(3) >= 3`),
    ['child', true, null, true],
  );
});

test('finds members of game and workspace', () => {
  assert.deepEqual(
    studio.run(`local before = workspace.Name
    workspace.Name = "World"
    game.Workspace.Gravity = 7
    return before, workspace.Name, game.Workspace.Name, workspace.Gravity`),
    ['Workspace', 'World', 'World', 7],
  );
});

test('defers signals when the place enables it', async () => {
  const heard = `local heard = {}
    workspace.ChildAdded:Connect(function() table.insert(heard, "handler") end)
    Instance.new("Folder", workspace)
    table.insert(heard, "after")
    task.wait()
    return heard`;
  assert.deepEqual(studio.run(heard), [['handler', 'after']]);
  const properties = new Map<string, Variant>([['SignalBehavior', { type: 'Enum', value: 2 }]]);
  const workspace = { referent: 'w', className: 'Workspace', name: 'Workspace', properties, children: [] };
  const deferring = await startTestStudio({ roots: [workspace], metadata: new Map() });
  assert.deepEqual(deferring.run(heard), [['after', 'handler']]);
});
