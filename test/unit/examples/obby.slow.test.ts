import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LuauValue } from '../../../src/headless-studio/luau-value.ts';
import { openProject } from '../../harness/project-world.ts';
import { reflectionData } from '../../harness/reflection.ts';
import { requiresOf, unreachable } from './obby-requires.ts';
import { jsonFiles, luauFiles, obbyFiles, type ObbyNode, readJson, readObby, walk } from './obby-tree.ts';
import { asChunk, classesForLuau, obbyForLuau, startObbyVm } from './obby-vm.ts';

const tree = readObby();
const nodes = new Map(walk(tree));
const scripts = new Map([...nodes].filter(([, node]) => node.source !== undefined));
const specFolder = 'ServerScriptService/Tests/Specs/';

const withClass = (className: string): readonly string[] =>
  [...scripts].filter(([, node]) => node.className === className).map(([path]) => path);

test('the example has the documented size', () => {
  const counts = { all: scripts.size, server: withClass('Script').length, client: withClass('LocalScript').length };
  assert.ok(counts.all >= 40, `${counts.all} scripts`);
  assert.deepEqual([counts.server, counts.client], [2, 2]);
  const game = withClass('ModuleScript').filter(path => !path.startsWith('ServerScriptService/Tests/'));
  assert.ok(game.length >= 40, `${game.length} modules without the specs`);
  const byRealm = ['ReplicatedStorage/', 'ServerScriptService/Server/', 'StarterPlayer/'].map(
    realm => game.filter(path => path.startsWith(realm)).length,
  );
  assert.ok(Math.min(...byRealm) >= 15, `modules by realm: ${byRealm.join(', ')}`);
});

test('every Luau file is mapped by the project file', () => {
  const mapped = [...scripts.values()].map(node => node.file);
  assert.equal(mapped.length, luauFiles.length);
  assert.deepEqual(new Set(mapped), new Set(luauFiles.map(({ file }) => file)));
});

test('every JSON file parses', () => {
  assert.ok(jsonFiles.length >= 8);
  for (const file of jsonFiles) assert.equal(typeof readJson(file), 'object', file);
});

test('names of siblings are unique, so that every path identifies one instance', () => {
  for (const [path, node] of nodes) {
    const names = node.children.map(child => child.name);
    assert.equal(new Set(names).size, names.length, path);
  }
});

const outlineOf = (node: ObbyNode, indent = ''): readonly string[] => [
  `${indent}${node.name}:${node.className}`,
  ...node.children.flatMap(child => outlineOf(child, `${indent}  `)),
];

test('the bridge reads the example like the independent reader', async () => {
  using project = await openProject(obbyFiles());
  const sorted = (lines: readonly string[]): readonly string[] => lines.toSorted((a, b) => (a < b ? -1 : 1));
  assert.deepEqual(sorted(project.outline().split('\n')), sorted(outlineOf(tree)));
  assert.deepEqual(project.session.diagnostics(), []);
});

/** Finds classes and properties that do not exist in Roblox. */
function unknownMembers(root: ObbyNode): readonly string[] {
  const found: string[] = [];
  for (const [path, node] of walk(root)) {
    if (reflectionData.classes[node.className] === undefined) found.push(`${path}: class ${node.className}`);
    for (const property of Object.keys(node.properties)) {
      if (!hasProperty(node.className, property)) found.push(`${path}: ${node.className}.${property}`);
    }
  }
  return found;
}

function hasProperty(className: string, property: string): boolean {
  const row = reflectionData.classes[className];
  return row !== undefined && (Object.hasOwn(row[2], property) || hasProperty(row[0], property));
}

test('classes and properties of the project and its models exist in Roblox', () => {
  assert.deepEqual(unknownMembers(tree), []);
  const planted: ObbyNode = { name: 'P', className: 'Part', properties: { Paint: 1 }, attributes: {}, children: [] };
  const root: ObbyNode = { ...planted, className: 'Folder', properties: {}, children: [planted] };
  assert.deepEqual(unknownMembers(root), ['P: Part.Paint']);
});

const requires = new Map([...scripts].map(([path, node]) => [path, requiresOf(node.source ?? '', path)]));

test('every require has a module of the project as its target', () => {
  for (const [path, { targets, unclear }] of requires) {
    assert.deepEqual(unclear, [], path);
    for (const target of targets) assert.equal(nodes.get(target)?.className, 'ModuleScript', `${path} -> ${target}`);
  }
});

test('the reader of requires resolves aliases and parents, and reports other expressions', () => {
  const source = `
local Shared = game:GetService("ReplicatedStorage"):WaitForChild("Shared")
local Near = require(script.Parent.Near)
local Far = require(Shared.Config.Far)
-- require(script.Comment)
local Odd = require(find("Odd"))`;
  assert.deepEqual(requiresOf(source, 'A/B'), {
    targets: ['A/Near', 'ReplicatedStorage/Shared/Config/Far'],
    unclear: ['find("Odd")'],
  });
});

test('every module is used by the game or is a spec', () => {
  const edges = new Map([...requires].map(([path, { targets }]) => [path, targets]));
  const entries = [...withClass('Script'), ...withClass('LocalScript')];
  const specs = [...scripts.keys()].filter(path => path.startsWith(specFolder));
  assert.deepEqual(unreachable(scripts.keys(), [...entries, ...specs], edges), []);
  // Without the specs, because a module that only a test requires is dead code.
  const helpers = ['ServerScriptService/Tests/Expect', ...specs];
  const dead = unreachable(scripts.keys(), entries, edges).filter(path => !helpers.includes(path));
  assert.deepEqual(dead, []);
  assert.deepEqual(unreachable(['a', 'b', 'c'], ['a'], new Map([['a', ['b']]])), ['c']);
});

test('clients cannot require server code, and the server cannot require client code', () => {
  const realmOf = (path: string): string => path.split('/')[0] ?? '';
  for (const [path, { targets }] of requires) {
    const realm = realmOf(path);
    for (const target of targets) {
      assert.ok(realmOf(target) === realm || realmOf(target) === 'ReplicatedStorage', `${path} -> ${target}`);
    }
  }
});

test('modules do not require each other in cycles', () => {
  const done = new Set<string>();
  const visit = (path: string, above: readonly string[]): void => {
    assert.ok(!above.includes(path), [...above, path].join(' -> '));
    if (done.has(path)) return;
    for (const target of requires.get(path)?.targets ?? []) visit(target, [...above, path]);
    done.add(path);
  };
  for (const path of scripts.keys()) visit(path, []);
});

test('a service requires only services that start before it', () => {
  const services = 'ServerScriptService/Server/Services/';
  const order = requires.get('ServerScriptService/Server')?.targets.filter(path => path.startsWith(services)) ?? [];
  assert.equal(order.length, [...scripts.keys()].filter(path => path.startsWith(services)).length);
  for (const [position, service] of order.entries()) {
    for (const target of requires.get(service)?.targets ?? []) {
      if (target.startsWith(services)) assert.ok(order.indexOf(target) < position, `${service} -> ${target}`);
    }
  }
});

/** Deprecated calls. */
const deprecated =
  /(?<![\w.:])(wait|spawn|delay)\(|:(connect|LoadCharacter|AwardBadge|GetMouse)\(|Instance\.new\([^()]+,/;

test('scripts are strict and call nothing deprecated', () => {
  for (const { file, source } of luauFiles) {
    assert.ok(source.startsWith('--!strict\n'), file);
    assert.equal(deprecated.exec(source)?.[0], undefined, file);
  }
  for (const planted of ['\twait(1)', 'x:connect(f)', 'player:LoadCharacter()', 'Instance.new("Part", workspace)']) {
    assert.match(planted, deprecated);
  }
  for (const fine of ['task.wait(1)', 'signal.connect(f)', 'x:Connect(f)', 'Instance.new("Part")']) {
    assert.doesNotMatch(fine, deprecated);
  }
});

test('the project file and the Network module declare the same remotes', () => {
  const source = nodes.get('ReplicatedStorage/Shared/Network')?.source ?? '';
  const declared = [...source.matchAll(/\b(ToClient|ToServer|Request)\.new\("(\w+)"/g)].map(
    ([, kind = '', name = '']) => [name, kind === 'Request' ? 'RemoteFunction' : 'RemoteEvent'] as const,
  );
  const remotes = nodes.get('ReplicatedStorage/Remotes')?.children ?? [];
  assert.deepEqual(new Map(declared), new Map(remotes.map(({ name, className }) => [name, className] as const)));
  assert.equal(declared.length, remotes.length);
});

// In the VM ------------------------------------------------------------------------------------------------------------------

const inLuau = obbyForLuau(tree);
const classes = classesForLuau();
// Started here and not in a hook, because the tests below are created from its lists.
const vm = await startObbyVm();
const specs = vm.call('play', 'specs', inLuau, classes)[0] as readonly string[];
const scenarios = vm.call('play', 'names')[0] as readonly string[];

test('every file compiles', () => {
  for (const { file, source } of luauFiles) assert.doesNotThrow(() => vm.run(asChunk(source), `check/${file}`), file);
  assert.throws(() => vm.run(asChunk('local x = = 1'), 'check/planted'), /planted:1/);
});

test('the configuration and the project file have the same physics', () => {
  const [game] = vm.call('play', 'config', 'ReplicatedStorage/Shared/Config/Game', inLuau, classes);
  const { gravity, jumpHeight, walkSpeed } = game as Readonly<Record<string, LuauValue>>;
  const workspace = nodes.get('Workspace')?.properties ?? {};
  const player = nodes.get('StarterPlayer')?.properties ?? {};
  assert.deepEqual(
    { gravity, jumpHeight, walkSpeed },
    {
      gravity: workspace['Gravity'],
      jumpHeight: player['CharacterJumpHeight'],
      walkSpeed: player['CharacterWalkSpeed'],
    },
  );
  assert.equal(player['CharacterUseJumpPower'], false);
});

test('there are specs for the pure modules', () => {
  const covered = new Set(specs.map(name => name.split(':')[0]));
  for (const name of ['ConfigCheck', 'TableUtil', 'TimeFormat', 'Layout', 'Pricing', 'ProfileStore']) {
    assert.ok(covered.has(name), name);
  }
});

for (const name of specs) {
  test(`spec ${name}`, () => {
    vm.call('play', 'spec', name, inLuau, classes);
  });
}

for (const name of scenarios) {
  test(`in play: ${name}`, () => {
    vm.call('play', 'run', name, inLuau, classes);
  });
}
