import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import { LuauOpaque, type LuauValue } from '../../../src/headless-studio/luau-value.ts';
import { LuauError, type LuauVm, startLuauVm, VM_MODULE } from '../../../src/headless-studio/vm.ts';
import { luauModules, startTestVm } from '../../harness/luau-vm.ts';

const modules = new Map([
  ['game/init.luau', 'return { name = "game", beside = require("./shop").name, inside = require("@self/level").name }'],
  ['game/level.luau', 'return { name = "level", beside = require("./door").name, top = require("@shop").name }'],
  ['game/door/init.luau', 'return { name = "door", up = function() return require("../shop").name end }'],
  ['shop.luau', 'return { name = "shop" }'],
  ['echo.luau', 'return { all = function(...) return ... end, count = function(...) return select("#", ...) end }'],
  ['broken.luau', 'local x = 1\nlocal = 2\nreturn x'],
  ['failing.luau', '\n\nerror("no such luck")'],
  ['two.luau', 'return 1, 2'],
  ['a.luau', 'return require("./b")'],
  ['b.luau', 'return require("./a")'],
]);

let vm: LuauVm;
before(async () => {
  vm = await startTestVm(modules);
});
const run = (source: string, ...args: LuauValue[]): readonly LuauValue[] => vm.run(source, 'test/chunk', ...args);
const failure = (source: string): LuauError => {
  try {
    run(source);
  } catch (error) {
    if (error instanceof LuauError) return error;
    throw error;
  }
  return assert.fail('it did not fail');
};

test('catches errors through coroutines and nested calls in pcall', () => {
  assert.deepEqual(run('return pcall(error, "caught")'), [false, 'caught']);
  assert.deepEqual(
    run(`local thread = coroutine.wrap(function()
      return pcall(function() coroutine.yield(1) error({ code = 5 }) end)
    end)
    thread()
    local ok, problem = thread()
    return ok, problem.code`),
    [false, 5],
  );
});

test('resolves modules relative to their path, and init modules by the name of their folder', () => {
  assert.deepEqual(run('return require("@game")'), [{ name: 'game', beside: 'shop', inside: 'level' }]);
  assert.deepEqual(run('return require("@game/level").beside, require("@game/level").top'), ['door', 'shop']);
  assert.deepEqual(run('return require("@game/door").up()'), ['shop']);
  assert.deepEqual(run('return require("../shop").name, require("../shop") == require("@shop")'), ['shop', true]);
});

test('names the module and the reason when it cannot be required', () => {
  assert.match(failure('require("shop")').message, /must start with/);
  assert.match(failure('require("@nowhere/x")').message, /no module nowhere\/x/);
  assert.match(failure('require("@broken")').message, /^broken:2: Expected identifier/);
  assert.match(failure('require("@failing")').message, /^failing:3: no such luck$/);
  assert.match(failure('require("@two")').message, /did not return exactly one value/);
  assert.match(failure('require("@a")').message, /required recursively/);
  assert.match(failure('require("../../../x")').message, /no module \(outside\)/);
});

test('reports line and stack of the chunk in an error', () => {
  const error = failure('local function inner()\n  error("here")\nend\n\ninner()');
  assert.equal(error.message, 'test/chunk:2: here');
  assert.match(error.traceback, /test\/chunk:2 function inner\ntest\/chunk:5/);
  assert.equal(failure('x = = 1').message, "test/chunk:1: Expected identifier when parsing expression, got '='");
  assert.deepEqual(failure('error({ code = 7 })').value, { code: 7 });
});

test('passes plain values in both directions, including bytes and NUL', () => {
  const bytes = Uint8Array.from([0, 255, 128, 10, 0]);
  const values: readonly LuauValue[] = [
    'a\0b',
    '',
    'ä€😀\uFEFF',
    1.5,
    -0,
    Infinity,
    true,
    false,
    bytes,
    [1, [2]],
    { k: 'v' },
  ];
  assert.deepEqual(vm.call('echo', 'all', ...values), values);
  assert.deepEqual(run('return #args[1], buffer.len(args[2])', 'ä\0', bytes), [3, 5]);
  assert.deepEqual(run('return "\\255\\0", nil, { [1] = "x", y = 2 }'), [
    Uint8Array.from([255, 0]),
    null,
    new Map<LuauValue, LuauValue>([
      [1, 'x'],
      ['y', 2],
    ]),
  ]);
});

test('keeps the position of nil arguments', () => {
  assert.deepEqual(vm.call('echo', 'count', 1, null, null), [3]);
  assert.deepEqual(vm.call('echo', 'all', null, 2, null), [null, 2, null]);
});

test('describes values without a plain form, and refuses a table that contains itself', () => {
  const [vector, fn] = run('return vector.create(1, 2, 3), print');
  assert.deepEqual(vector, new LuauOpaque('Vector3', '1, 2, 3'));
  assert.equal((fn as LuauOpaque).type, 'function');
  assert.match(failure('local t = {} t.t = t return t').message, /contains itself/);
  assert.deepEqual(run('return "still alive"'), ['still alive']);
});

test('returns any text, byte string and nested value unchanged', () => {
  const value = fc.letrec<{ value: LuauValue }>(tie => ({
    value: fc.oneof(
      fc.boolean(),
      fc.double({ noNaN: true }),
      fc.string({ unit: 'binary' }).filter(text => text.isWellFormed()),
      fc.uint8Array(),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(
        fc.string({ minLength: 1 }).filter(key => key !== '__proto__'),
        tie('value'),
        { minKeys: 1, noNullPrototype: true },
      ),
    ),
  })).value;
  fc.assert(fc.property(value, given => assert.deepEqual(vm.call('echo', 'all', given), [given])));
});

test('passes a value larger than the first buffer', () => {
  const large = new Uint8Array(3_000_000).map((_, index) => index % 251);
  assert.deepEqual(vm.call('echo', 'all', large, 'x'.repeat(1_500_000)), [large, 'x'.repeat(1_500_000)]);
});

test('supports far more memory than the package declares', () => {
  const [bytes] = run(
    'local kept = {} for i = 1, 60 do kept[i] = buffer.create(1024 * 1024) end return #kept * buffer.len(kept[1])',
  );
  assert.equal(bytes, 60 * 1024 * 1024);
});

test('stays usable after a thousand chunks and a deep stack', () => {
  for (let index = 0; index < 1000; index++) assert.deepEqual(run(`return ${index}`), [index]);
  assert.match(failure('local function f() return 1 + f() end f()').message, /stack overflow/);
  assert.match(
    failure('local function nest(n) return coroutine.wrap(function() return nest(n + 1) end)() end nest(1)').message,
    /stack overflow|C stack/,
  );
  assert.deepEqual(run('return 1'), [1]);
});

test('shares nothing between VMs', async () => {
  const vms = await Promise.all(Array.from({ length: 3 }, () => startTestVm()));
  for (const [index, one] of vms.entries()) one.run(`mine = ${index}`);
  assert.deepEqual(
    vms.map(one => one.run('return mine')[0]),
    [0, 1, 2],
  );
});

test('starts with the machine code of another VM when it has as much memory', async () => {
  const second = await startLuauVm(await luauModules(), { code: vm.code });
  assert.equal(second.code.module, vm.code.module);
  assert.deepEqual(second.run('return 1'), [1]);
  const small = await startLuauVm(await luauModules(), { code: vm.code, memoryPages: 1000 });
  assert.notEqual(small.code.module, vm.code.module);
  assert.deepEqual(small.run('return 2'), [2]);
});

test('does not start without its first chunk, or when the chunk does not compile', async () => {
  await assert.rejects(startLuauVm(new Map()), /lack headless\/vm\.luau/);
  const files = new Map([...(await luauModules()), [VM_MODULE, 'return = 1']]);
  await assert.rejects(startLuauVm(files), /cannot start: headless\/vm:1:/);
});
