import { test } from 'node:test';
import assert from 'node:assert/strict';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import { nodeInflate } from '../../../../src/adapters/node/inflate.ts';
import { inProcessConverter } from '../../../../src/project/file-kinds/convert-data.ts';
import { openProjectSession } from '../../../../src/project/session/open-project-session.ts';
import { planPull } from '../../../harness/pulls.ts';
import { ManualClock } from '../../../harness/manual-clock.ts';
import { MemoryFileSystem } from '../../../harness/memory-file-system.ts';
import {
  never,
  openProject,
  projectPath,
  type ProjectWorld,
  smallProject,
  strictLog,
} from '../../../harness/project-world.ts';
import { reflection } from '../../../harness/reflection.ts';
import { sequentialRandom } from '../../../harness/sequential-random.ts';

const R = 'ReplicatedStorage';
const source = (world: ProjectWorld, path: string): unknown => world.at(path).properties.get('Source')?.value;

/** Waits for the quiet period and the read after it. */
async function settle(world: ProjectWorld): Promise<void> {
  world.clock.advance(1_000);
  await planPull(world, { kind: 'delete', id: 'none' as never });
}

test('applies one patch after a burst of changes', async () => {
  using world = await openProject(smallProject({ 'src/A.luau': 'one' }));
  const revisions: number[] = [];
  world.session.onDidChange(({ revision }) => revisions.push(revision));
  const id = world.at(`${R}/A`).id;
  for (let n = 0; n < 20; n += 1) world.files.set(`src/N${n}.luau`, '');
  world.files.set('src/A.luau', 'two');
  world.clock.advance(19);
  assert.equal(world.at(R).children.length, 1, 'nothing is read before it is quiet');
  await settle(world);
  assert.deepEqual(revisions, [2]);
  assert.equal(world.at(R).children.length, 21);
  assert.equal(world.at(`${R}/A`).id, id);
  assert.equal(source(world, `${R}/A`), 'two');
});

test('reads changes that never pause', async () => {
  using world = await openProject(smallProject({}));
  for (let n = 0; n < 40; n += 1) {
    world.files.set('src/A.luau', `${n}`);
    world.clock.advance(15);
  }
  await planPull(world, { kind: 'delete', id: 'none' as never });
  assert.ok(world.session.revision() > 1);
});

test('changes nothing when a file is rewritten with the same text', async () => {
  using world = await openProject(smallProject({ 'src/A.luau': 'one' }));
  const before = world.at(`${R}/A`);
  world.files.set('src/A.luau', 'one');
  await world.refresh();
  assert.equal(world.session.revision(), 1);
  assert.equal(world.at(`${R}/A`), before);
});

test('refresh detects changes without a hint', async () => {
  const files = new MemoryFileSystem(smallProject({ 'src/A.luau': 'one', 'src/D/x.luau': '' }));
  const deaf = { watch: () => ({ [Symbol.dispose]: () => undefined }) };
  const ports = {
    files,
    watcher: deaf,
    clock: new ManualClock(),
    random: sequentialRandom(),
    hasher: nodeHasher,
    inflate: nodeInflate,
    converter: inProcessConverter,
    reflection,
    log: strictLog,
  };
  using session = await openProjectSession(ports, never);
  files.set('src/A.luau', 'two');
  files.set('src/D/deep/B.luau', '');
  files.delete('src/D/x.luau');
  await session.refresh(never);
  const names = Array.from(session.descendants(session.rootId), instance => instance.name);
  assert.deepEqual(names, ['Game', 'ReplicatedStorage', 'A', 'D', 'deep', 'B']);
  const [id] = session.idsAtPath(projectPath('src/A.luau'));
  assert.equal(id && session.get(id)?.properties.get('Source')?.value, 'two');
});

test('reads only the changed file, not its siblings or the project file', async () => {
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`src/F${n % 20}/S${n}.luau`, `${n}`]));
  using world = await openProject(smallProject(many));
  world.clock.advance(10_000);
  await world.refresh();
  world.files.reads.length = 0;
  world.files.set('src/F3/S3.luau', 'new');
  await settle(world);
  assert.deepEqual(Array.from(new Set(world.files.reads)), ['src/F3/S3.luau']);
  world.files.reads.length = 0;
  world.files.set('src/F3/added.luau', 'new');
  await settle(world);
  assert.deepEqual(Array.from(new Set(world.files.reads)), ['src/F3/added.luau']);
  assert.equal(source(world, `${R}/F3/added`), 'new');
});

test('watches meta, init, model and project files, and folders', async () => {
  using world = await openProject(
    smallProject({ 'src/A.luau': '', 'src/D/x.luau': '', 'src/M.model.json': '{"className": "Model"}' }),
  );
  const ids = ['A', 'D', 'M'].map(name => world.at(`${R}/${name}`).id);
  world.files.set('src/A.meta.json', '{"attributes": {"Speed": 4}}');
  world.files.set('src/D/init.server.luau', 'go()');
  world.files.set('src/M.model.json', '{"className": "Model", "children": [{"className": "Part"}]}');
  await world.refresh();
  assert.deepEqual(
    world.at(`${R}/A`).properties.get('Attributes')?.value,
    new Map([['Speed', { type: 'Float64', value: 4 }]]),
  );
  assert.equal(world.outline(`${R}/D`), 'D:Script\n  x:ModuleScript');
  assert.equal(world.outline(`${R}/M`), 'M:Model\n  Part:Part');
  assert.deepEqual(
    ['A', 'D', 'M'].map(name => world.at(`${R}/${name}`).id),
    ids,
    'ids stay',
  );
  world.files.delete('src/A.meta.json');
  world.files.delete('src/D/init.server.luau');
  world.files.set(
    'default.project.json',
    JSON.stringify({
      name: 'New',
      tree: { $className: 'DataModel', ReplicatedStorage: { $path: 'src', $properties: { Archivable: false } } },
    }),
  );
  await world.refresh();
  assert.equal(world.at(`${R}/A`).properties.has('Attributes'), false);
  assert.equal(world.outline(`${R}/D`), 'D:Folder\n  x:ModuleScript');
  assert.equal(world.session.info.name, 'New');
  assert.equal(world.at(R).properties.get('Archivable')?.value, false);
  assert.deepEqual(
    ['A', 'D', 'M'].map(name => world.at(`${R}/${name}`).id),
    ids,
    'ids survive another project file',
  );
  world.files.delete('src/D');
  world.files.set('src/D.luau', '');
  await world.refresh();
  assert.equal(
    world.outline(R),
    'ReplicatedStorage:ReplicatedStorage\n  A:ModuleScript\n  D:ModuleScript\n  M:Model\n    Part:Part',
  );
});

test('finds a path of the project that appears later', async () => {
  using world = await openProject({
    'default.project.json': JSON.stringify({
      tree: {
        $className: 'DataModel',
        ReplicatedStorage: { Packages: { $path: { optional: 'deep/Packages' } } },
        Lighting: { $path: 'deep/light' },
      },
    }),
  });
  world.files.set('deep/Packages/A.luau', '');
  world.files.set('deep/light/L.luau', '');
  await settle(world);
  assert.equal(world.outline('Lighting'), 'Lighting:Lighting\n  L:ModuleScript');
  await world.refresh();
  assert.equal(world.outline(R), 'ReplicatedStorage:ReplicatedStorage\n  Packages:Folder\n    A:ModuleScript');
  world.files.delete('deep');
  await world.refresh();
  assert.equal(world.outline(), 'project:DataModel\n  Lighting:Lighting\n  ReplicatedStorage:ReplicatedStorage');
});

test('keeps the ids of siblings with the same name when one is removed or added', async () => {
  using world = await openProject(
    smallProject({
      'src/A.luau': '1',
      'src/A/init.luau': '2',
      'src/M.model.json':
        '{"className": "Model", "children": [{"className": "Part", "properties": {"Transparency": 0.5}}, {"className": "Part", "properties": {"Anchored": true}}]}',
    }),
  );
  const [first] = world.session.idsAtPath(projectPath('src/A.luau'));
  const [second] = world.session.idsAtPath(projectPath('src/A'));
  const anchored = world.at(`${R}/M`).children[1];
  world.files.delete('src/A.luau');
  world.files.set(
    'src/M.model.json',
    '{"className": "Model", "children": [{"className": "Part", "properties": {"Anchored": true}}]}',
  );
  await world.refresh();
  assert.deepEqual(world.session.idsAtPath(projectPath('src/A')), [second]);
  assert.deepEqual(world.at(`${R}/M`).children, [anchored], 'the part with the least difference is the one that stays');
  world.files.set('src/A.luau', '1');
  await world.refresh();
  assert.notDeepEqual(world.session.idsAtPath(projectPath('src/A.luau')), [first], 'a restored file gets a new id');
});

test('keeps the last valid tree and reports the position while the project file is invalid', async () => {
  using world = await openProject(smallProject({ 'src/A.luau': 'one' }));
  const good = world.outline();
  const changes: number[] = [];
  world.session.onDidChangeDiagnostics(diagnostics => changes.push(diagnostics.length));
  const text = world.files.text('default.project.json') ?? '';
  world.files.set('default.project.json', '{\n  "tree": {\n    "$className" "DataModel"\n  }\n}');
  await world.refresh();
  assert.equal(world.outline(), good);
  assert.deepEqual(world.session.diagnostics(), [
    {
      file: 'default.project.json',
      line: 3,
      column: 18,
      severity: 'error',
      message: 'expected ":" after the key "$className"',
    },
  ]);
  world.files.set('src/A.luau', 'two');
  await world.refresh();
  assert.equal(source(world, `${R}/A`), 'two', 'other files are still read');
  world.files.delete('default.project.json');
  await world.refresh();
  assert.match(world.session.diagnostics()[0]?.message ?? '', /which is missing; the last valid version stays in use/);
  world.files.set('default.project.json', text);
  await world.refresh();
  assert.equal(world.outline(), good);
  assert.deepEqual(world.session.diagnostics(), []);
  assert.deepEqual(changes, [1, 1, 0]);
});

test('keeps the instance of an invalid file and updates its siblings', async () => {
  using world = await openProject(
    smallProject({
      'src/A.luau': 'one',
      'src/M.model.json': '{"className": "Model", "children": [{"className": "Part"}]}',
      'src/D/init.meta.json': '{"className": "Model"}',
      'src/D/x.luau': '1',
    }),
  );
  const good = world.outline();
  world.files.set('src/M.model.json', '{"className": ');
  world.files.set('src/D/init.meta.json', '{');
  world.files.set('src/D/x.luau', '2');
  world.files.set('src/A.luau', new Uint8Array([0x61, 0x0a, 0xff]));
  world.files.set('src/B.luau', 'new');
  await world.refresh();
  assert.equal(
    world.outline(),
    good
      .replace('  D:Model', '  B:ModuleScript\n    D:Model')
      .replace('    B:ModuleScript\n    D', '    B:ModuleScript\n    D'),
  );
  assert.equal(source(world, `${R}/A`), 'one');
  assert.equal(source(world, `${R}/D/x`), '2');
  assert.deepEqual(
    world.session.diagnostics().map(({ file, line, column }) => `${file}:${line}:${column}`),
    ['src/A.luau:2:1', 'src/D/init.meta.json:1:2', 'src/M.model.json:1:15'],
  );
  assert.equal(world.at(R).metadata.globIgnoredChildren, false);
  for (const file of ['src/A.luau', 'src/M.model.json', 'src/D']) world.files.delete(file);
  await world.refresh();
  assert.deepEqual(world.session.diagnostics(), []);
});

test('protects unknown siblings from removal while a file has never been readable', async () => {
  using world = await openProject(smallProject({ 'src/A.luau': '', 'src/M.model.json': '{' }));
  assert.equal(world.at(R).metadata.globIgnoredChildren, true);
  world.files.set('src/M.model.json', '{"className": "Model"}');
  await settle(world);
  assert.equal(world.at(R).metadata.globIgnoredChildren, false);
  assert.equal(world.at(`${R}/M`).className, 'Model');
  assert.deepEqual(world.session.diagnostics(), []);
});

test('keeps the previous value of an invalid property and reads the rest of the file', async () => {
  using world = await openProject(
    smallProject({ 'src/P.model.json': '{"className": "Part", "properties": {"Anchored": true, "Material": "Wood"}}' }),
  );
  world.files.set('src/P.model.json', '{"className": "Part", "properties": {"Anchored": false, "Material": "Wodo"}}');
  await world.refresh();
  assert.deepEqual(world.at(`${R}/P`).properties.get('Material'), { type: 'Enum', value: 512 });
  assert.equal(world.at(`${R}/P`).properties.get('Anchored')?.value, false);
  assert.match(
    world.session.diagnostics()[0]?.message ?? '',
    /Part\.Material to be the name of an item of Enum\.Material/,
  );
});

test('does not open a project that is missing or invalid from the start', async () => {
  await assert.rejects(openProject({ 'src/A.luau': '' }), {
    code: 'NO_PROJECT',
    details: {
      folder: '/project',
      lookedFor: ['default.project.json5', 'default.project.json', 'default.project.jsonc'],
    },
  });
  const invalid = (details: object): object => ({
    code: 'PROJECT_INVALID',
    details: { file: 'default.project.json', ...details },
  });
  await assert.rejects(
    openProject({ 'default.project.json': '{\n  "name": "x",\n}' }),
    invalid({ line: 1, column: 1, expected: 'a "tree" field in the project' }),
  );
  await assert.rejects(
    openProject({ 'default.project.json': '{\n  "name": ]' }),
    invalid({ line: 2, column: 11, expected: 'a value' }),
  );
  await assert.rejects(
    openProject({ 'default.project.json': '{"tree": {"$className": "DataModel",\n "Foo": {"$path": "gone"}}}' }),
    invalid({
      line: 2,
      column: 19,
      expected: 'a file or folder at "gone" that produces an instance',
      missing: { path: 'gone' },
    }),
  );
  await assert.rejects(
    openProject({ 'default.project.json': '{"tree": {"$path": "."}}', 'A.luau': '' }),
    invalid({
      line: 1,
      column: 1,
      expected:
        'a project that does not include itself (default.project.json → default.project.json); change its "$path"',
    }),
  );
  await assert.rejects(
    openProject({ 'default.project.json': '{"tree": {"$path": "../x"}}' }),
    invalid({
      line: 1,
      column: 20,
      expected: 'a path inside the git repository (command line) or the open folder (VS Code)',
    }),
  );
});

test('reads nothing after dispose', async () => {
  const world = await openProject(smallProject({ 'src/A.luau': 'one' }));
  world.files.set('src/A.luau', 'two');
  world.session[Symbol.dispose]();
  world.clock.advance(1_000);
  assert.equal(world.clock.pending, 0);
  await assert.rejects(world.refresh());
  assert.equal(source(world, `${R}/A`), 'one');
});

test('reads a hinted change later when the caller that took the hint is cancelled', async () => {
  for (const read of ['catchUp', 'refresh'] as const) {
    using world = await openProject(smallProject({ 'src/A.luau': 'one' }));
    world.files.set('src/A.luau', 'two');
    const cancelled = new AbortController();
    const stat = world.files.stat.bind(world.files);
    world.files.stat = async path => {
      cancelled.abort();
      return await stat(path);
    };
    await assert.rejects(world.session[read](cancelled.signal), { name: 'AbortError' });
    world.files.stat = stat;
    await settle(world);
    assert.equal(source(world, `${R}/A`), 'two', read);
  }
});
