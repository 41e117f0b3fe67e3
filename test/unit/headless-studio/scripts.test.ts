import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { startTestStudio, type TestStudio } from '../../harness/luau-vm.ts';

let studio: TestStudio;
beforeEach(async () => {
  studio = await startTestStudio();
});

/** Creates ModuleScripts in ReplicatedStorage, by name, and runs a chunk with the folder as `storage`. */
const withModules = (modules: Readonly<Record<string, string>>, chunk: string): string => `
  local storage = game:GetService("ReplicatedStorage")
  ${Object.entries(modules)
    .map(
      ([name, source]) => `do
      local module = Instance.new("ModuleScript")
      module.Name, module.Source, module.Parent = "${name}", [==[${source}]==], storage
    end`,
    )
    .join('\n')}
  ${chunk}`;

test('requires a module of the place once, with its script', () => {
  const source = `shared.runs = (shared.runs or 0) + 1
    return { path = script:GetFullName(), args = args, runs = shared.runs }`;
  assert.deepEqual(
    studio.run(
      withModules(
        { Main: source },
        `local first, again = require(storage.Main), require(storage.Main)
        return first == again, first.path, first.runs, first.args`,
      ),
    ),
    [true, 'ReplicatedStorage.Main', 1, null],
  );
});

test('lets modules require each other, by instance and by path, and wait', () => {
  assert.deepEqual(
    studio.run(
      withModules(
        {
          Main: 'return require(script.Parent.Middle) .. require("./Last")',
          Middle: 'task.wait(1) return require("./Last") .. "m"',
          Last: 'return "l"',
        },
        `local heard = {}
        for index = 1, 2 do task.spawn(function() heard[index] = require(storage.Main) end) end
        task.wait(2)
        return heard`,
      ),
    ),
    [['lml', 'lml']],
  );
});

test('reports a module that fails with the message of the engine, and the reason in the output', () => {
  const chunk = (name: string): string =>
    withModules(
      {
        Broken: 'local = 1',
        Failing: 'error("stop")',
        Empty: '',
        A: 'return require(script.Parent.B)',
        B: 'return require("./A")',
      },
      `return require(storage.${name})`,
    );
  for (const name of ['Broken', 'Failing', 'Empty', 'A'])
    assert.match(studio.failure(chunk(name)), /Requested module experienced an error while loading/, name);
  const logged = studio.messages.filter(({ kind }) => kind === 'log').map(message => message['message'] as string);
  for (const reason of [
    /ReplicatedStorage\.Broken:1: /,
    /ReplicatedStorage\.Failing:1: stop/,
    /Empty: Module code did not return exactly one value/,
    /Requested module was required recursively/,
  ])
    assert.ok(
      logged.some(line => reason.test(line)),
      `${reason.source} in ${logged.join('\n')}`,
    );
  assert.match(studio.failure('return require(workspace)'), /Attempted to call require with invalid argument/);
});

test('supports loadstring when the place enables it', () => {
  assert.match(studio.failure('return loadstring("return 1")'), /loadstring\(\) is not available/);
  studio.vm.define(
    new Map([
      [
        'allow.luau',
        `require("@headless/unseen").write(game:GetService("ServerScriptService"), "LoadStringEnabled", "Bool", true)
        return true`,
      ],
    ]),
  );
  assert.deepEqual(
    studio.run(`require("@allow")
    local add = loadstring("local a, b = ... return a + b")
    local broken, problem = loadstring("return +", "mine")
    return add(1, 2), add(3, 4), broken, problem ~= nil`),
    [3, 7, null, true],
  );
});
