/**
 * Defects of other Studio plugins ([D1] to [D31] in `test/requirements.ts`) that a run over a place can show: Atlas Bridge has none of them.
 * The tests of live sessions and reviews cover the other ones.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReviewControl } from '../../../src/ports/review-surface.ts';
import { startPlace } from '../../unit/studio-plugin/start-place.ts';
import { startHeadlessWorld } from '../../harness/headless-world.ts';
import { until } from '../../harness/until.ts';

const project = JSON.stringify({
  name: 'Game',
  tree: { $className: 'DataModel', ReplicatedStorage: { $path: 'shared' } },
});
const files = (shared: Readonly<Record<string, string>>): Record<string, string> => ({
  'default.project.json': project,
  'shared/.keep': '',
  ...Object.fromEntries(Object.entries(shared).map(([path, text]) => [`shared/${path}`, text])),
});
const R = 'game:GetService("ReplicatedStorage")';
const make = (className: string, name: string, properties = ''): string =>
  `do local it = Instance.new("${className}") it.Name = "${name}" ${properties} it.Parent = ${R} end\n`;

const vm = await startPlace();
/** A chunk over an empty place with the plugin's modules; it contains the assertions. */
const inPlace = (name: string, luau: string): void =>
  void test(name, () => {
    vm.run(
      `local place, expect = require("@test/place"), require("@test/expect")
      local apply = require("@plugin/core/apply").apply
      local newSteadyJob, codec = require("@test/steady-job"), require("@plugin/core/codec")
      local G, ground = place.PATH, place.ground()
      local function push(path) return { id = place.idAt(G .. "/" .. path), direction = "push" } end
      local function run(comparison, decisions) return apply(comparison, "run", decisions, newSteadyJob()) end
      ${luau}`,
      'test/register',
    );
  });

test('[D1] [D2] [D4] [D15] pulls scripts and instances, and succeeds when both sides match', async () => {
  await using world = await startHeadlessWorld(
    files({
      'Main.luau': 'return "disk"\n',
      'Pushed.luau': 'return "disk"\n',
      'Lamp.model.json': JSON.stringify({ className: 'Part', properties: { Transparency: 0.25 } }),
    }),
    make('ModuleScript', 'Main', `it.Source = "return 'studio'"`) +
      make('ModuleScript', 'Pushed', `it.Source = "return 'studio'"`) +
      make('Part', 'Lamp', 'it.Transparency = 0.75') +
      make('Script', 'Client', 'it.Source = "x" it.RunContext = Enum.RunContext.Client') +
      make('StringValue', 'Note', 'it.Value = "kept"'),
  );
  const result = await world.decide(({ path }) => (path.endsWith('/Pushed') ? undefined : { direction: 'pull' }));
  assert.equal(result.status, 'success', JSON.stringify(result, null, 1));
  const outcomes = new Map(result.changes.map(({ path, outcome }) => [path.split('/').at(-1), outcome]));
  assert.equal(outcomes.get('Pushed'), 'applied');
  for (const name of ['Main', 'Lamp', 'Client', 'Note']) assert.equal(outcomes.get(name), 'written', name);
  assert.deepEqual(await world.lua(`return ${R}.Pushed.Source`), ['return "disk"\n']);
  const { disk } = world.bridge;
  assert.equal(disk.text('shared/Main.luau'), "return 'studio'");
  assert.match(disk.text('shared/Lamp.model.json') ?? '', /0\.75/);
  const written = disk
    .paths()
    .map(path => disk.text(path) ?? '')
    .join('\n');
  for (const text of ['Client', 'kept']) assert.ok(written.includes(text), text);
  assert.equal((await world.sync()).status, 'empty');
});

test('[S1] applies decisions of every kind in one review, and nothing else', async () => {
  await using world = await startHeadlessWorld(
    files({ 'Main.luau': 'return "disk"\n', 'New/Child.luau': 'return 1\n' }),
    make('ModuleScript', 'Main', `it.Source = "return 'studio'"`) +
      make('ModuleScript', 'Unwanted') +
      `do local box = Instance.new("Folder") box.Name = "Box" box.Parent = ${R}
      local inner = Instance.new("ModuleScript") inner.Name = "Inner" inner.Source = "return 2\\n" inner.Parent = box end`,
    {
      reviewSurface: {
        async show(review) {
          const choices = { Main: 'pull', New: 'push', Child: 'skip', Unwanted: 'push', Box: 'pull' } as const;
          for (const { id, path } of review.snapshot().rows)
            for (const [name, choice] of Object.entries(choices))
              if (path.endsWith(`/${name}`)) review.choose([id], choice);
          review.apply(review.snapshot().revision);
        },
      },
    },
  );
  const result = await world.sync({ mode: 'manual' });
  assert.equal(result.status, 'success', JSON.stringify(result.changes));
  const names = `local names = {} for _, one in ${R}:GetDescendants() do table.insert(names, one:GetFullName()) end
    table.sort(names) return table.concat(names, " ")`;
  const inStudio = ['Box', 'Box.Inner', 'Main', 'New'].map(name => `ReplicatedStorage.${name}`).join(' ');
  assert.deepEqual(await world.lua(names), [inStudio]);
  const { disk } = world.bridge;
  assert.equal(disk.text('shared/Main.luau'), "return 'studio'");
  assert.equal(disk.text('shared/Box/Inner.luau'), 'return 2\n');
  assert.equal(disk.text('shared/New/Child.luau'), 'return 1\n');
  assert.equal(disk.text('shared/Unwanted.luau'), undefined);
});

test('[S11] [S34] [D3] [D18] [D21] keeps one id for a Studio-only instance, and writes it once', async () => {
  await using world = await startHeadlessWorld(files({}), make('Folder', 'Extra'));
  const [first, second] = [await world.sync(), await world.sync()];
  assert.match(first.changes[0]?.id ?? '', /^[0-9a-f]{32}$/);
  assert.equal(first.changes[0]?.id, second.changes[0]?.id);
  const result = await world.decide(() => ({ direction: 'pull' }));
  assert.equal(result.status, 'success', JSON.stringify(result.changes));
  assert.equal((await world.sync()).status, 'empty');
  assert.deepEqual(await world.lua(`return #${R}:GetChildren()`), [1]);
  assert.equal(world.bridge.disk.paths().filter(path => path.includes('Extra')).length, 1);
});

inPlace(
  '[D6] [S2] fails only the child when its parent is not pushed, and compares again afterwards',
  `local tree = place.onGround({
    { class = "Folder", name = "New", children = { { class = "Folder", name = "Child" } } }, { class = "Folder", name = "Other" } })
  local results = run((place.compare(tree)), { push("New/Child"), push("Other") })
  expect.equal({ results[1].ok, results[2].ok }, { false, true })
  expect.reason(results[1].reason, "parent")
  local _, again = place.compare(tree)
  expect.equal(place.summary(again), { "Add " .. G .. "/New", "Add " .. G .. "/New/Child" })`,
);

inPlace(
  '[D7] [S8] sets a reference to nil',
  `local pointer = place.put(ground, "ObjectValue", "Pointer", { Value = ground })
  local comparison = place.compare(place.onGround({
    { class = "ObjectValue", name = "Pointer", props = { Value = { Ref = codec.NULL_REF } } } }))
  expect.equal(run(comparison, { push("Pointer") })[1].ok, true)
  expect.equal(pointer.Value, nil)`,
);

inPlace(
  '[D8] reports a value that cannot be read, and compares everything else',
  `place.put(ground, "Part", "Lamp", { Anchored = false })
  local _, compared = place.compare(place.onGround({
    { class = "Part", name = "Lamp", props = { Anchored = { Bool = true }, Size = { Vector3 = "no" }, Color = { Nonsense = 1 } } } }))
  expect.equal(place.summary(compared), { "Edit " .. G .. "/Lamp" })
  expect.equal(#compared.unreadable, 2)`,
);

inPlace(
  '[D9] compares tags as a set and ignores attributes of the engine',
  `local box = place.put(ground, "Folder", "Box")
  box:AddTag("a") box:AddTag("b")
  local _, compared = place.compare(place.onGround({ { class = "Folder", name = "Box", props = {
    Tags = { Tags = { "b", "a" } }, Attributes = { Attributes = { RBX_own = { Bool = true } } } } } }))
  expect.equal(compared.changes, {})`,
);

inPlace(
  '[D10] compares whole numbers exactly',
  `place.put(ground, "IntValue", "Count", { Value = 1000000 })
  local _, compared = place.compare(place.onGround({ { class = "IntValue", name = "Count", props = { Value = { Int64 = 1000001 } } } }))
  expect.equal(place.summary(compared), { "Edit " .. G .. "/Count" })`,
);

test('[D11] [D13] preselects an override in the review, and does not overwrite later changes', async () => {
  let review: ReviewControl | undefined;
  await using world = await startHeadlessWorld(
    files({ 'Main.luau': 'return "disk"\n' }),
    make('ModuleScript', 'Main', `it.Source = "return 'studio'"`),
    { reviewSurface: { show: async shown => void (review = shown) } },
  );
  const dry = await world.sync();
  const [change] = dry.changes;
  assert.ok(change?.studioHash);
  const overrides = [{ id: change.id, direction: 'push' as const, studioHash: change.studioHash }];
  const running = world.bridge.engine.start({ mode: 'manual', overrides, requestedBy: 'test' });
  await until(() => review !== undefined);
  assert.equal(review?.row(change.id)?.choice, 'push');
  await world.lua(`${R}.Main.Source = "newer work"`);
  review?.apply(review.status().revision);
  const result = await running.result;
  assert.notEqual(result.status, 'success');
  assert.deepEqual(await world.lua(`return ${R}.Main.Source`), ['newer work']);
});

test('[S17] [D12] refuses an unknown direction, and accepts plain expected values', async () => {
  await using world = await startHeadlessWorld(
    files({ 'Lamp.model.json': JSON.stringify({ className: 'Part', properties: { Anchored: true } }) }),
    make('Part', 'Lamp'),
  );
  const [change] = (await world.sync()).changes;
  const banana = await world.bridge.call('atlas_sync', {
    mode: 'fastfail',
    overrides: [{ id: change?.id, direction: 'banana' }],
  });
  assert.equal(banana.isError, true);
  assert.match(banana.text, /direction/);
  const plain = await world.bridge.call('atlas_sync', {
    mode: 'fastfail',
    overrides: [{ id: change?.id, direction: 'push', expectedProperties: { Anchored: false } }],
  });
  assert.equal(plain.answer['status'], 'success', plain.text);
});

test('[D14] ends the run with a reason when Studio closes', async () => {
  let isShown = false;
  await using world = await startHeadlessWorld(
    files({ 'Main.luau': 'return "disk"\n' }),
    make('ModuleScript', 'Main', `it.Source = "return 'studio'"`),
    { reviewSurface: { show: async () => void (isShown = true) } },
  );
  const running = world.bridge.engine.start({ mode: 'manual', overrides: [], requestedBy: 'test' });
  await until(() => isShown);
  await world.studio.kill();
  assert.equal((await running.result).status, 'disconnected');
});

inPlace(
  '[D17] [D30] reports each change that fails, and applies the others in one undo step',
  `local history = game:GetService("ChangeHistoryService")
  local comparison = place.compare(place.onGround({
    { class = "NoSuchClass", name = "Odd" }, { class = "Folder", name = "Good" } }))
  history:ResetWaypoints()
  local broken = { id = place.idAt(G .. "/Good"), direction = "push", expectedProperties = 5 }
  local results = run(comparison, { push("Odd"), broken, push("Good") })
  expect.equal({ results[1].ok, results[2].ok, results[3].ok }, { false, false, true })
  expect.equal(ground:FindFirstChild("Good") ~= nil, true)
  history:Undo()
  expect.equal(#ground:GetChildren(), 0)
  expect.equal((history:GetCanUndo()), false)`,
);

test('[S6] [D20] keeps the edit when a moved and edited script of Studio is pulled', async () => {
  await using world = await startHeadlessWorld(
    files({ 'Main.luau': 'return 1\n', 'Box/.keep': '' }),
    `do local box = Instance.new("Folder") box.Name = "Box" box.Parent = ${R}
    local main = Instance.new("ModuleScript") main.Name = "Main" main.Source = "return 2\\n" main.Parent = box end`,
  );
  const result = await world.decide(() => ({ direction: 'pull' }));
  assert.equal(result.status, 'success', JSON.stringify(result.changes));
  assert.equal(world.bridge.disk.text('shared/Main.luau'), undefined);
  assert.equal(world.bridge.disk.text('shared/Box/Main.luau'), 'return 2\n');
});

test('[D24] matches the answers of concurrent requests', async () => {
  await using world = await startHeadlessWorld(
    files({ 'A.luau': '', 'B.luau': '' }),
    make('ModuleScript', 'A', 'it.Source = "a"') + make('ModuleScript', 'B', 'it.Source = "b"'),
  );
  const ids = new Map((await world.sync()).changes.map(({ path, id }) => [path.split('/').at(-1), id]));
  const { signal } = new AbortController();
  const read = async (name: string): Promise<string> =>
    (await world.bridge.engine.readScript({ id: ids.get(name), fromDraft: false }, signal)).source;
  assert.deepEqual(await Promise.all(['A', 'B', 'B', 'A'].map(read)), ['a', 'b', 'b', 'a']);
});

test('[D25] refuses a run while another one is in progress', async () => {
  await using world = await startHeadlessWorld(files({ 'Main.luau': '' }));
  const [first, second] = await Promise.all([world.sync(), world.sync()]);
  assert.equal(first.status, 'dryrun');
  assert.equal(second.status, 'sync_in_progress');
});

inPlace(
  '[D28] pairs instances of one name by deep differences, also below others of one name',
  `local function deep(parent, text)
    local at = parent
    for level = 1, 3 do at = place.put(at, "Folder", "Twin") end
    place.put(at, "ModuleScript", "Inside", { Source = text })
  end
  deep(ground, "one") deep(ground, "two")
  local function node(text, level)
    if level == 0 then return { class = "ModuleScript", name = "Inside", props = { Source = { String = text } } } end
    return { class = "Folder", name = "Twin", children = { node(text, level - 1) } }
  end
  local _, compared = place.compare(place.onGround({ node("two", 3), node("one", 3) }))
  expect.equal(compared.changes, {})`,
);

inPlace(
  '[D31] [S42] reports an attribute with an invalid name, and sets the others',
  `local box = place.put(ground, "Folder", "Box")
  local comparison = place.compare(place.onGround({ { class = "Folder", name = "Box", props = {
    Attributes = { Attributes = { ["two words"] = { Bool = true }, fine = { Bool = true } } } } } }))
  local result = run(comparison, { push("Box") })[1]
  expect.equal(result.ok, false)
  expect.reason(result.reason, "two words")
  expect.equal(box:GetAttribute("fine"), true)`,
);

test('reports a conflict in both directions when the editor has a draft, and keeps the draft', async () => {
  await using world = await startHeadlessWorld(
    files({ 'Main.luau': 'return "disk"\n' }),
    make('ModuleScript', 'Main', `it.Source = "return 'studio'"`) +
      `local editor = game:GetService("ScriptEditorService")
      editor:OpenScriptDocumentAsync(${R}.Main)
      editor:FindScriptDocument(${R}.Main):EditTextAsync("typing", 1, 1, 1, 100)`,
  );
  const pushed = await world.decide();
  assert.equal(pushed.status, 'partial', JSON.stringify(pushed.changes));
  assert.match(pushed.changes[0]?.reason ?? '', /unsaved edits/);
  const draft = `return game:GetService("ScriptEditorService"):GetEditorSource(${R}.Main), ${R}.Main.Source`;
  assert.deepEqual(await world.lua(draft), ['typing', "return 'studio'"]);
  assert.equal(world.bridge.disk.text('shared/Main.luau'), 'return "disk"\n');

  const pulled = await world.decide(() => ({ direction: 'pull' }));
  assert.equal(pulled.status, 'partial', JSON.stringify(pulled.changes));
  assert.match(pulled.changes[0]?.reason ?? '', /unsaved edits/);
  assert.deepEqual(await world.lua(draft), ['typing', "return 'studio'"]);
  assert.equal(world.bridge.disk.text('shared/Main.luau'), 'return "disk"\n');

  // Once it is saved, the draft is the script's text, and the pull writes it.
  await world.lua(`${R}.Main.Source = "typing"
    game:GetService("ScriptEditorService"):FindScriptDocument(${R}.Main):CloseAsync()`);
  const saved = await world.decide(() => ({ direction: 'pull' }));
  assert.equal(saved.status, 'success', JSON.stringify(saved.changes));
  assert.equal(world.bridge.disk.text('shared/Main.luau'), 'typing');
});

test('[S38] undoes everything that a run changed in Studio in one step', async () => {
  await using world = await startHeadlessWorld(
    files({ 'Main.luau': 'return "disk"\n', 'New.luau': 'return 2\n' }),
    make('ModuleScript', 'Main', `it.Source = "return 'studio'"`) + make('Folder', 'Gone'),
  );
  const result = await world.decide();
  assert.equal(result.status, 'success', JSON.stringify(result.changes));
  const names = `local names = {} for _, child in ${R}:GetChildren() do table.insert(names, child.Name) end
    table.sort(names) return table.concat(names, " "), ${R}.Main.Source`;
  assert.deepEqual(await world.lua(names), ['Main New', 'return "disk"\n']);
  await world.lua('game:GetService("ChangeHistoryService"):Undo()');
  assert.deepEqual(await world.lua(names), ['Gone Main', "return 'studio'"]);
});
