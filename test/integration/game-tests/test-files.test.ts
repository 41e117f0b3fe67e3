import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gameWith, runGameTests, verdicts } from '../../harness/game-test-world.ts';
import { typeCommand } from '../../harness/command-line.ts';

const money =
  'local Money = {}\nfunction Money.add(a, b)\n\tif b == nil then error("no b") end\n\treturn a + b\nend\nreturn Money\n';

test('runs the tests of the documented style, with hooks, context, skips and focus', async t => {
  const cwd = gameWith(t, {
    'src/Money.luau': money,
    'src/init.spec.luau':
      'return function() beforeAll(function(context) context.above = 1 end) it("own", function() end) end',
    'src/Money.spec.luau': `return function()
      local Money = require(script.Parent.Money)
      local order = {}
      beforeAll(function(context) context.base = 10 end)
      beforeEach(function() table.insert(order, "outer") end)
      afterEach(function() table.insert(order, "after outer") end)
      describe("add", function()
        beforeEach(function() table.insert(order, "inner") end)
        afterEach(function() table.insert(order, "after inner") end)
        it("adds", function(context)
          expect(Money.add(1, 2)).to.equal(3)
          expect(context.base).to.equal(10)
          expect(context.above).to.equal(1)
          context.base = 11
        end)
        it("has its own context", function(context)
          expect(context.base).to.equal(10)
          expect(table.concat(order, ",")).to.equal("outer,inner,after inner,after outer,outer,inner")
        end)
        itSKIP("skips", function() error("not run") end)
        itFIXME("is broken", function() error("not run") end)
        it("waits", function() expect(task.wait(0.05)).never.to.be.near(0) end)
      end)
      describe("matchers", function()
        beforeAll(function()
          expect.extend({ even = function(value) return { pass = value % 2 == 0, message = "odd" } end })
        end)
        it("has all", function()
          expect(1).to.be.ok()
          expect(nil).never.to.be.ok()
          expect(1).to.be.a("number")
          expect(Vector3.new()).to.be.a("Vector3")
          expect(math.pi).to.be.near(3, 0.2)
          expect(function() Money.add(1) end).to.throw("no b")
          expect(function() end).never.to.throw()
          expect(2).to.be.even()
          expect(3).never.to.be.even()
        end)
      end)
      describe("whole block", function() SKIP() it("is skipped", function() error("not run") end) end)
    end`,
    'src/Focus.test.luau': `return function()
      it("is left out", function() error("not run") end)
      describeFOCUS("block", function() it("runs", function() end) end)
      fit("too", function() end)
    end`,
    'src/Plain.test.luau': 'return function() assert(game.Name == "Game") end',
    'src/not-a-test.luau': 'error("not required")',
  });
  const { code, tests, events } = await runGameTests(cwd);
  assert.deepEqual(verdicts(tests).toSorted(), [
    'passed add > adds',
    'passed add > has its own context',
    'passed add > waits',
    'passed block > runs',
    'passed matchers > has all',
    'passed own',
    'passed src/Plain.test.luau',
    'passed too',
    'skipped add > is broken',
    'skipped add > skips',
    'skipped is left out',
    'skipped whole block > is skipped',
  ]);
  assert.equal(code, 0);
  const last = events.at(-1);
  assert.ok(last?.event === 'ended');
  assert.deepEqual({ ...last, ms: 0 }, { event: 'ended', ok: true, files: 4, passed: 8, failed: 0, skipped: 4, ms: 0 });
});

test('names the file and line of each failure, what it printed and what is not simulated', async t => {
  const cwd = gameWith(t, {
    'src/Money.luau': money,
    'src/Bad.luau': 'local x = = 1',
    'src/Store.luau': 'return game:GetService("DataStoreService"):GetDataStore("x")',
    'src/Fails.spec.luau': `return function()
  local Money = require(script.Parent.Money)
  it("compares", function()
    print("before", 1)
    warn("careful")
    expect(Money.add(1, 2)).to.equal(4)
  end)
  it("raises elsewhere", function() Money.add(1) end)
  it("asserts", function() assert(false, "never") end)
  it("raises a table", function() error({}) end)
  it("stores", function() require(script.Parent.Store) end)
  it("casts", function() workspace:Raycast(Vector3.zero, Vector3.one) end)
  it("lacks a child", function() return workspace.Missing end)
  it("requests", function() game:GetService("HttpService"):GetAsync("http://localhost:1") end)
  it("requires", function() require(script.Parent.Bad) end)
  describe("hooks", function()
    beforeAll(function() error("no server") end)
    it("is not run", function() end)
  end)
  describe("after", function()
    afterAll(function() error("left open") end)
    it("runs", function() end)
  end)
  it("defines too late", function() it("x", function() end) end)
end`,
    'src/Broken.spec.luau': 'return function()\n  local x = = 1\nend',
    'src/Table.spec.luau': 'return {}',
  });
  const { code, tests } = await runGameTests(cwd, '--filter', 'src/');
  assert.equal(code, 1);
  const of = (name: string) => {
    const found = tests.find(({ names, file }) => (names.at(-1) ?? file) === name);
    assert.equal(found?.status, 'failed', name);
    return found;
  };
  const at = (name: string): readonly string[] =>
    of(name).failure?.stack.map(({ file, line }) => `${file}:${line}`) ?? [];
  assert.equal(of('compares').failure?.message, 'expected 3 (number) to equal 4 (number)');
  assert.deepEqual(at('compares'), ['src/Fails.spec.luau:6']);
  assert.equal(of('compares').line, 3);
  assert.deepEqual(of('compares').output, [
    { level: 'output', message: 'before 1' },
    { level: 'warning', message: 'careful' },
  ]);
  assert.equal(of('raises elsewhere').failure?.message, 'no b');
  assert.deepEqual(at('raises elsewhere'), ['src/Money.luau:3', 'src/Fails.spec.luau:8']);
  assert.deepEqual(at('asserts'), ['src/Fails.spec.luau:9']);
  assert.match(of('raises a table').failure?.message ?? '', /^table/);
  assert.deepEqual(of('stores').failure?.unavailable, ['DataStoreService.GetDataStore']);
  assert.deepEqual(of('casts').failure?.unavailable, ['Workspace.Raycast']);
  assert.deepEqual(of('lacks a child').failure?.unavailable, []);
  assert.match(of('requests').failure?.message ?? '', /^HttpError: tests have no network/);
  assert.deepEqual(of('requests').failure?.unavailable, ['HttpService (http://localhost:1)']);
  assert.match(of('requires').output[0]?.message ?? '', /^src\/Bad\.luau:1: Expected identifier/);
  assert.match(of('is not run').failure?.message ?? '', /^not run, because beforeAll failed: no server/);
  assert.equal(of('beforeAll').failure?.message, 'no server');
  assert.equal(of('afterAll').failure?.message, 'left open');
  assert.match(of('defines too late').failure?.message ?? '', /it must be called while tests are defined/);
  assert.deepEqual(at('src/Broken.spec.luau'), ['src/Broken.spec.luau:2']);
  assert.match(of('src/Table.spec.luau').failure?.message ?? '', /must return a function, and this one returned table/);
});

test('names each member and global of Roblox that headless Studio does not have, and has signals', async t => {
  const uses: Readonly<Record<string, string>> = {
    'Part.Touched': 'Instance.new("Part").Touched:Connect(print)',
    'MeshPart.ApplyImpulse': 'Instance.new("MeshPart"):ApplyImpulse(Vector3.one)',
    'Humanoid.MoveTo': 'Instance.new("Humanoid"):MoveTo(Vector3.zero)',
    'Animator.LoadAnimation': 'Instance.new("Animator"):LoadAnimation(Instance.new("Animation"))',
    'Sound.Play': 'Instance.new("Sound"):Play()',
    'SoundService.PlayLocalSound': 'game:GetService("SoundService"):PlayLocalSound(Instance.new("Sound"))',
    'TextButton.Activated': 'Instance.new("TextButton").Activated:Connect(print)',
    'RemoteEvent.FireAllClients': 'Instance.new("RemoteEvent"):FireAllClients(1)',
    'RemoteEvent.OnServerEvent': 'Instance.new("RemoteEvent").OnServerEvent:Connect(print)',
    'RemoteFunction.OnServerInvoke': 'Instance.new("RemoteFunction").OnServerInvoke = print',
    'Players.PlayerAdded': 'game:GetService("Players").PlayerAdded:Connect(print)',
    'MessagingService.PublishAsync': 'game:GetService("MessagingService"):PublishAsync("a", 1)',
    'MarketplaceService.PromptPurchase': 'game:GetService("MarketplaceService"):PromptPurchase(nil, 1)',
    TweenInfo: 'TweenInfo.new(1)',
    Random: 'Random.new(1):NextNumber()',
    RaycastParams: 'RaycastParams.new()',
    UserSettings: 'UserSettings()',
  };
  const lines = Object.entries(uses).map(([name, use]) => `it("${name}", function() ${use} end)`);
  const signals = `it("signals", function()
    local event, heard = Instance.new("BindableEvent"), nil
    event.Event:Connect(function(a, b) heard = a + b end)
    event:Fire(1, 2)
    expect(heard).to.equal(3)
    local call = Instance.new("BindableFunction")
    call.OnInvoke = function(a) return a * 2 end
    expect(call:Invoke(4)).to.equal(8)
    expect(function() return call.OnInvoke end).to.throw("callback member")
  end)
  it("unknown", function() return Instance.new("Part").Dance end)`;
  const cwd = gameWith(t, { 'src/Uses.spec.luau': `return function()\n${[...lines, signals].join('\n')}\nend` });
  const { tests } = await runGameTests(cwd);
  const named = tests.map(({ names, failure }) => [names.at(-1), failure?.unavailable]);
  assert.deepEqual(named, [...Object.keys(uses).map(name => [name, [name]]), ['signals', undefined], ['unknown', []]]);
});

test('the guide lists what is not simulated, and each word of it is named when a test uses it', () => {
  const guide = readFileSync(new URL('../../../docs/game-tests.md', import.meta.url), 'utf8');
  const rows = guide.slice(guide.indexOf('| Not simulated |')).split('\n\n')[0]?.split('\n').slice(2) ?? [];
  const words = rows.flatMap(row =>
    [...(row.split('|')[2] ?? '').matchAll(/`([\w.]+)`/g)].map(([, word = '']) => word),
  );
  const known = readFileSync(new URL('../../../src/game-tests/luau/unavailable.luau', import.meta.url), 'utf8');
  assert.ok(words.length > 15, words.join(' '));
  for (const word of words.filter(word => !/Service$|^Players$|^LocalPlayer$|^PlayerAdded$/.test(word)))
    assert.match(known, new RegExp(`\\b${word.replace(/^\w+\./, '')}\\b`), word);
});

test('ends a test that loops or waits, but keeps its output', async t => {
  const cwd = gameWith(t, {
    'src/Loop.spec.luau': `return function()
      it("first", function() end)
      it("waits", function() coroutine.yield() end)
      it("loops", function() print("line 1\\nline 2\\\\") warn("\\u{e9}\\255\\0") while true do end end)
      it("later", function() end)
    end`,
    'src/Load.spec.luau': 'print("loading") while true do end',
  });
  const { code, tests } = await runGameTests(cwd, '--timeout', '2');
  assert.equal(code, 1);
  const of = (name: string) => tests.find(({ names, file }) => (names.at(-1) ?? file) === name);
  assert.equal(of('first')?.status, 'passed');
  assert.equal(of('waits')?.failure?.message, 'timed out after 2 s');
  assert.equal(of('loops')?.failure?.message, 'timed out after 2 s without waiting');
  assert.ok((of('loops')?.ms ?? 0) >= 2000, 'the time until its limit');
  assert.deepEqual(of('loops')?.output, [
    { level: 'output', message: 'line 1\nline 2\\' },
    { level: 'warning', message: '\u00E9\uFFFD\0' },
  ]);
  assert.deepEqual(of('later')?.output, []);
  assert.match(of('later')?.failure?.message ?? '', /^not run, because an earlier test ended this file: timed out/);
  assert.equal(of('src/Load.spec.luau')?.failure?.message, 'timed out after 2 s without waiting');
  assert.deepEqual(of('src/Load.spec.luau')?.output, [{ level: 'output', message: 'loading' }]);
});

test('ends a test that floods the output or takes all memory, but keeps its output', async t => {
  const cwd = gameWith(t, {
    'src/Memory.spec.luau':
      'return function() it("eats", function() print("hungry") local t = {} while true do pcall(function() t = { t, string.rep("x", 1e6) .. #t } end) end end) end',
    'src/Flood.spec.luau': `return function()
      it("floods", function() for _ = 1, 20000 do print(string.rep("y", 100)) end end)
      it("is next", function() print("z") end)
    end`,
    'src/Background.spec.luau': `return function()
      it("leaves a thread", function() task.spawn(function() while true do task.wait() end end) end)
    end`,
  });
  // Work that takes long beside other programs, but ends.
  const { code, tests } = await runGameTests(cwd, '--timeout', '60', '--memory', '96');
  assert.equal(code, 1);
  const of = (name: string) => tests.find(({ names }) => names.at(-1) === name);
  assert.match(of('eats')?.failure?.message ?? '', /^exceeded the memory limit of 96 MB$/);
  assert.deepEqual(of('eats')?.output, [{ level: 'output', message: 'hungry' }]);
  assert.ok((of('floods')?.output.length ?? 0) <= 1002);
  assert.match(of('floods')?.output.at(-1)?.message ?? '', /more output was skipped/);
  assert.deepEqual(of('is next')?.output, [{ level: 'output', message: 'z' }]);
  assert.equal(of('leaves a thread')?.status, 'passed');
});

test('runs each file in a new place, with the instances of --place and the ids of the project', async t => {
  const spec = `return function()
    it("is alone", function()
      expect(workspace:FindFirstChild("Mark")).never.to.be.ok()
      Instance.new("Folder", workspace).Name = "Mark"
      expect(game.PlaceId).to.equal(42)
      expect(game.GameId).to.equal(7)
      expect(workspace:FindFirstChild("Baseplate") ~= nil).to.equal(HAS_PLACE)
    end)
  end`;
  const files = (hasPlace: boolean) => ({
    'src/A.spec.luau': spec.replace('HAS_PLACE', String(hasPlace)),
    'src/B.spec.luau': spec.replace('HAS_PLACE', String(hasPlace)),
  });
  const ids = { placeId: 42, gameId: 7 };
  const built = await runGameTests(gameWith(t, files(false), ids));
  assert.deepEqual(verdicts(built.tests), ['passed is alone', 'passed is alone']);
  const place = join(import.meta.dirname, '../../../examples/places/baseplate-566.rbxlx');
  const merged = await runGameTests(gameWith(t, files(true), ids), '--place', place);
  assert.deepEqual(verdicts(merged.tests), ['passed is alone', 'passed is alone']);
});

test('runs the tests of a library, which is not a place', async t => {
  const cwd = gameWith(
    t,
    {
      'src/init.luau': 'return { value = 1 }',
      'src/lib.spec.luau':
        'return function() it("loads", function() expect(require(script.Parent).value).to.equal(1) end) end',
    },
    { tree: { $path: 'src' } },
  );
  const { tests } = await runGameTests(cwd);
  assert.deepEqual(verdicts(tests), ['passed loads']);
});

test('writes TAP and JUnit, runs what --filter names, and says when there are no tests', async t => {
  const cwd = gameWith(t, {
    'src/A.spec.luau':
      'return function() it("adds # 1", function() end) it("fails <&>", function() error("\\1no") end) end',
  });
  const tap = await typeCommand(['test', '--reporter', 'tap'], { cwd });
  assert.equal(tap.code, 1);
  assert.equal(
    tap.out.replace(/duration_ms: \d+/, 'duration_ms: 0'),
    [
      'TAP version 14',
      '1..2',
      String.raw`ok 1 - src/A.spec.luau > adds \# 1`,
      'not ok 2 - src/A.spec.luau > fails <&>',
      '  ---',
      String.raw`  message: "\u0001no"`,
      '  severity: fail',
      '  at: "src/A.spec.luau:1"',
      '  duration_ms: 0',
      '  ...',
    ].join('\n'),
  );
  const junit = await typeCommand(['test', '--reporter', 'junit', '-o', 'tests.xml', '--filter', 'fails'], { cwd });
  assert.match(junit.out, /^1 test in 1 file: 0 passed, 1 failed, 0 skipped$/m);
  const xml = readFileSync(join(cwd, 'tests.xml'), 'utf8');
  assert.match(xml, /<testsuites tests="1" failures="1" errors="0" skipped="0"/);
  assert.match(xml, /name="fails &lt;&amp;&gt;" file="src\/A\.spec\.luau" line="1"/);
  assert.match(xml, /<failure message="\uFFFDno">/);
  const none = await typeCommand(['test', '--filter', 'absent'], { cwd });
  assert.equal(none.code, 1);
  assert.match(none.err, /^error: no test of default\.project\.json matches absent$/m);
  const empty = await typeCommand(['test'], { cwd: gameWith(t, {}) });
  assert.match(empty.err, /^error: there are no tests in default\.project\.json\. Looked for/m);
  for (const [line, problem] of [
    ['--timeout 0', "invalid timeout '0' (1–3600)"],
    ['--memory 9', "invalid memory '9' (64–2048)"],
    ['--reporter xml', "unknown reporter 'xml' (text, tap or junit)"],
    ['-o x.xml', '--output requires --reporter tap or junit'],
  ] as const) {
    const wrong = await typeCommand(['test', ...line.split(' ')], { cwd });
    assert.equal(wrong.code, 2);
    assert.ok(wrong.err.includes(problem), wrong.err);
  }
});
