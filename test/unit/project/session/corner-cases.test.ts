import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProjectPath } from '../../../../src/base/brand.ts';
import { writeEdits } from '../../../../src/project/writeback/write-edits.ts';
import type { StudioInstance } from '../../../../src/protocol/studio/stream.ts';
import { planPull } from '../../../harness/pulls.ts';
import { MemoryFileSystem } from '../../../harness/memory-file-system.ts';
import { never, openProject, type ProjectWorld, smallProject } from '../../../harness/project-world.ts';

// Corner cases of files and names. Cases that need a real disk are in `test/unit/adapters/fs`.

const R = 'ReplicatedStorage';
const value = (world: ProjectWorld, name: string, property: string): unknown =>
  world.at(`${R}/${name}`).properties.get(property)?.value;
const outline = (world: ProjectWorld, path = R): readonly string[] =>
  world
    .outline(path)
    .split('\n')
    .slice(1)
    .map(line => line.trim());

test('skips a byte-order mark in project, meta, model and data files', async () => {
  using world = await openProject({
    'default.project.json': '\uFEFF{"tree": {"$className": "DataModel", "ReplicatedStorage": {"$path": "src"}}}',
    'src/a.luau': '',
    'src/a.meta.json': '\uFEFF{"properties": {"Tags": ["t"]}}',
    'src/m.model.json': '\uFEFF{"className": "Part"}',
    'src/d.json': '\uFEFF[1]',
    'src/t.toml': '\uFEFFa = 1',
    'src/y.yaml': '\uFEFFa: 1',
    'src/c.csv': '\uFEFFKey,de\nk,K\n',
  });
  assert.deepEqual(world.session.diagnostics(), []);
  assert.deepEqual(value(world, 'a', 'Tags'), ['t']);
  assert.equal(world.at(`${R}/m`).className, 'Part');
  assert.equal(value(world, 'd', 'Source'), 'return {1}');
  assert.equal(value(world, 't', 'Source'), 'return {\n\ta = 1,\n}');
  assert.equal(value(world, 'y', 'Source'), 'return {\n\ta = 1,\n}');
  assert.equal(value(world, 'c', 'Contents'), '[{"key":"k","values":{"de":"K"}}]');
});

async function pullSource(world: ProjectWorld, name: string, source: string): Promise<void> {
  const { id, className } = world.at(`${R}/${name}`);
  const studio = { id, name, className, properties: {}, children: [], source } as unknown as StudioInstance;
  const plan = await planPull(world, { kind: 'edit', id, studio });
  assert.ok(plan.ok);
  assert.equal((await writeEdits(plan.edits, world.files)).problem, undefined);
  await world.refresh();
}

test('keeps line ends and byte-order mark of a script in the file and out of the Source', async () => {
  using world = await openProject(
    smallProject({ 'src/crlf.luau': '\uFEFFa\r\nb\r\n', 'src/lf.luau': 'a\nb\n', 'src/cr.luau': 'a\rb' }),
  );
  assert.equal(value(world, 'crlf', 'Source'), 'a\nb\n');
  assert.equal(value(world, 'cr', 'Source'), 'a\rb');
  await pullSource(world, 'crlf', 'a\nb\nc\n');
  assert.equal(world.files.text('src/crlf.luau'), '\uFEFFa\r\nb\r\nc\r\n');
  await pullSource(world, 'lf', 'a\nc\n');
  assert.equal(world.files.text('src/lf.luau'), 'a\nc\n');
  await pullSource(world, 'cr', 'a\rc');
  assert.equal(world.files.text('src/cr.luau'), 'a\rc');
});

test('keeps line ends in texts, tables and JSON strings', async () => {
  using world = await openProject(
    smallProject({
      'src/t.txt': '\uFEFFa\r\nb\rc\n',
      'src/c.csv': 'Key,de\r\nk,"a\r\nb"\r\n',
      'src/j.json': '{"a": "x\\r\\ny"}',
      'src/m.model.json': '{"className": "StringValue", "properties": {"Value": "x\\r\\ny"}}',
    }),
  );
  assert.equal(value(world, 't', 'Value'), '\uFEFFa\r\nb\rc\n');
  assert.equal(value(world, 'c', 'Contents'), '[{"key":"k","values":{"de":"a\\r\\nb"}}]');
  assert.equal(value(world, 'j', 'Source'), 'return {\n\ta = "x\\r\\ny",\n}');
  assert.equal(value(world, 'm', 'Value'), 'x\r\ny');
});

test('reports an unreadable file and keeps its last valid state and the other files', async () => {
  using world = await openProject(smallProject({ 'src/a.luau': 'one', 'src/b.luau': 'b' }));
  const read = world.files.readWithStat.bind(world.files);
  world.files.readWithStat = async path => {
    if (path !== 'src/a.luau') return read(path);
    throw Object.assign(new Error(`EACCES: permission denied, open '${path}'`), { code: 'EACCES', syscall: 'open' });
  };
  world.files.set('src/a.luau', 'two');
  world.files.set('src/b.luau', 'c');
  await world.refresh();
  assert.deepEqual([value(world, 'a', 'Source'), value(world, 'b', 'Source')], ['one', 'c']);
  const [problem] = world.session.diagnostics();
  assert.equal(problem?.message, 'expected a readable file or folder: permission denied');
});

test('reads empty files of every kind', async () => {
  const kinds = ['luau', 'txt', 'model.json', 'toml', 'csv', 'json', 'yaml', 'rbxm', 'rbxmx', 'project.json'];
  using world = await openProject(smallProject(Object.fromEntries(kinds.map(kind => [`src/x_${kind}.${kind}`, '']))));
  assert.deepEqual(outline(world), [
    'x_csv:LocalizationTable',
    'x_luau:ModuleScript',
    'x_toml:ModuleScript',
    'x_txt:StringValue',
  ]);
  assert.deepEqual(
    world.session.diagnostics().map(({ file }) => file),
    ['src/x_json.json', 'src/x_project.json.project.json', 'src/x_rbxm.rbxm', 'src/x_rbxmx.rbxmx', 'src/x_yaml.yaml'],
  );
  assert.equal(value(world, 'x_luau', 'Source'), '');
  assert.equal(value(world, 'x_txt', 'Value'), '');
  assert.equal(value(world, 'x_csv', 'Contents'), '[]');
  world.files.set('src/x_model.json.model.json', '{"className": "Part"}');
  await world.refresh();
  assert.equal(world.at(`${R}/x_model.json`).className, 'Part');
});

test('keeps the state of a file that is read during a save until it is complete', async () => {
  using world = await openProject(
    smallProject({ 'src/d.json': '{"a": 1}', 'src/m.model.json': '{"className": "Part"}' }),
  );
  const ids = ['d', 'm'].map(name => world.at(`${R}/${name}`).id);
  for (const half of ['', '{"a": ']) {
    world.files.set('src/d.json', half);
    await world.refresh();
    assert.equal(value(world, 'd', 'Source'), 'return {\n\ta = 1,\n}');
    assert.equal(world.session.diagnostics().length, 1);
  }
  world.files.set('src/d.json', '{"a": 2}');
  await world.refresh();
  assert.equal(value(world, 'd', 'Source'), 'return {\n\ta = 2,\n}');
  assert.deepEqual(world.session.diagnostics(), []);
  assert.deepEqual(
    ['d', 'm'].map(name => world.at(`${R}/${name}`).id),
    ids,
  );
});

test('keeps ids of files that are removed and restored in one burst, with one patch for the rest', async () => {
  using world = await openProject(
    smallProject({ 'src/a.luau': '1', 'src/d/b.luau': '1', 'src/d/init.luau': '', 'src/gone.luau': '' }),
  );
  const before = ['a', 'd', 'd/b'].map(path => world.at(`${R}/${path}`).id);
  const patches: number[] = [];
  using _heard = world.session.onDidChange(({ revision }) => patches.push(revision));
  for (const path of ['src/a.luau', 'src/d', 'src/gone.luau']) world.files.delete(path);
  world.files.set('src/a.luau', '2');
  world.files.set('src/d/init.luau', '');
  world.files.set('src/d/b.luau', '2');
  world.files.set('src/new.luau', '');
  world.clock.advance(50);
  await world.refresh();
  assert.deepEqual(
    ['a', 'd', 'd/b'].map(path => world.at(`${R}/${path}`).id),
    before,
  );
  assert.deepEqual(outline(world), ['a:ModuleScript', 'd:ModuleScript', 'b:ModuleScript', 'new:ModuleScript']);
  assert.equal(patches.length, 1);
});

test('replaces a file with a folder of the same name, and a folder with a file', async () => {
  using world = await openProject(smallProject({ 'src/a.luau': 'x', 'src/b/init.luau': 'y', 'src/b/c.luau': '' }));
  const ids = [world.at(`${R}/a`).id, world.at(`${R}/b`).id];
  world.files.delete('src/a.luau');
  world.files.set('src/a/init.luau', 'x');
  world.files.delete('src/b');
  world.files.set('src/b.luau', 'y');
  await world.refresh();
  assert.deepEqual(outline(world), ['a:ModuleScript', 'b:ModuleScript']);
  // Name and class are the same, so Studio keeps the instance.
  assert.deepEqual([world.at(`${R}/a`).id, world.at(`${R}/b`).id], ids);
});

test('keeps the script whose file moves into a folder of its name that exists already', async () => {
  using world = await openProject(smallProject({ 'src/a.luau': 'x' }));
  const { id } = world.at(`${R}/a`);
  world.files.set('src/a/note.txt', 'note');
  await world.refresh();
  assert.deepEqual(outline(world), ['a:Folder', 'note:StringValue', 'a:ModuleScript']);
  world.files.delete('src/a.luau');
  world.files.set('src/a/init.luau', 'x');
  await world.refresh();
  assert.equal(world.outline(`${R}/a`), 'a:ModuleScript\n  note:StringValue');
  assert.equal(world.at(`${R}/a`).id, id);
});

/** A case-insensitive disk, the default on Windows and macOS. */
class CaseBlindFileSystem extends MemoryFileSystem {
  #spelled(path: ProjectPath): ProjectPath {
    const same = this.paths().find(other => other.toLowerCase() === path.toLowerCase());
    return (same as ProjectPath | undefined) ?? path;
  }
  override stat(path: ProjectPath) {
    return super.stat(this.#spelled(path));
  }
  override readWithStat(path: ProjectPath) {
    return super.readWithStat(this.#spelled(path));
  }
}

test('treats a change of case as a rename, also on case-insensitive disks', async () => {
  for (const files of [new MemoryFileSystem(), new CaseBlindFileSystem()]) {
    for (const [path, content] of Object.entries(smallProject({ 'src/foo.luau': 'x' }))) files.set(path, content);
    using world = await openProject(files);
    assert.deepEqual(outline(world), ['foo:ModuleScript']);
    files.delete('src/foo.luau');
    files.set('src/Foo.luau', 'x');
    await world.refresh();
    assert.deepEqual(outline(world), ['Foo:ModuleScript']);
    assert.equal(world.session.fsPathOf(world.at(`${R}/Foo`).id), 'src/Foo.luau');
  }
});

/** A disk as on macOS: keeps the Unicode form of a name and finds it by any form. */
class AccentBlindFileSystem extends MemoryFileSystem {
  #spelled(path: ProjectPath): ProjectPath {
    const names = this.paths().flatMap(file => [file, file.split('/').slice(0, -1).join('/')]);
    return (names.find(other => other.normalize() === path.normalize()) as ProjectPath | undefined) ?? path;
  }
  override stat(path: ProjectPath) {
    return super.stat(this.#spelled(path));
  }
  override list(path: ProjectPath) {
    return super.list(this.#spelled(path));
  }
  override readWithStat(path: ProjectPath) {
    return super.readWithStat(this.#spelled(path));
  }
}

test('finds and watches a folder whose name has another Unicode form on disk', async () => {
  const [project, disk] = ['caf\u00e9', 'cafe\u0301'];
  const files = new AccentBlindFileSystem({
    'default.project.json': JSON.stringify({
      tree: { $className: 'DataModel', ReplicatedStorage: { $path: project } },
    }),
    [`${disk}/a.luau`]: '1',
  });
  using world = await openProject(files);
  assert.equal(value(world, 'a', 'Source'), '1');
  files.set(`${disk}/a.luau`, '2');
  world.clock.advance(50);
  // Runs after the work that the clock started.
  await world.session.refresh(never, []);
  assert.equal(value(world, 'a', 'Source'), '2');
});

test('reads a folder with only a meta file, a folder that is a project, and a project cycle', async () => {
  using world = await openProject(
    smallProject({
      'src/meta/init.meta.json': '{"className": "Tool", "properties": {"Tags": ["t"]}}',
      'src/lib/default.project.json': '{"tree": {"$path": "code", "Extra": {"$className": "Folder"}}}',
      'src/lib/code/a.luau': '',
      'src/lib/unseen.luau': '',
      'src/self/default.project.json': '{"tree": {"$path": "."}}',
      'src/one/default.project.json': '{"tree": {"$path": "../two"}}',
      'src/two/default.project.json': '{"tree": {"$path": "../one"}}',
    }),
  );
  assert.deepEqual(outline(world), ['lib:Folder', 'a:ModuleScript', 'Extra:Folder', 'meta:Tool']);
  assert.deepEqual(
    world.session
      .diagnostics()
      .map(({ file, message }) => [file, /a project that does not include itself/.test(message)]),
    [
      ['src/one/default.project.json', true],
      ['src/self/default.project.json', true],
      ['src/two/default.project.json', true],
    ],
  );
});

test('updates both instances of two nodes with the same path, also after a pull into one', async () => {
  using world = await openProject({
    'default.project.json': JSON.stringify({
      tree: { $className: 'DataModel', ReplicatedStorage: { A: { $path: 'x.luau' }, B: { $path: './/x.luau' } } },
    }),
    'x.luau': 'one',
  });
  world.files.set('x.luau', 'two');
  await world.refresh();
  assert.deepEqual([value(world, 'A', 'Source'), value(world, 'B', 'Source')], ['two', 'two']);
  await pullSource(world, 'A', 'three');
  assert.equal(value(world, 'B', 'Source'), 'three');
});

test('resolves and watches a path with ./, .. and a trailing slash', async () => {
  using world = await openProject({
    'default.project.json': JSON.stringify({
      tree: { $className: 'DataModel', ReplicatedStorage: { $path: './lib/../src/' } },
    }),
    'src/a.luau': 'one',
    'lib/b.luau': '',
  });
  assert.equal(world.session.fsPathOf(world.at(`${R}/a`).id), 'src/a.luau');
  world.files.set('src/c.luau', '');
  await world.refresh();
  assert.deepEqual(outline(world), ['a:ModuleScript', 'c:ModuleScript']);
});

test('treats a backslash in a path as a separator and keeps the rest', async () => {
  using world = await openProject({
    'default.project.json': JSON.stringify({
      tree: { $className: 'DataModel', ReplicatedStorage: { $path: 'src\\deep\\' } },
    }),
    'src/deep/a.luau': '',
  });
  assert.equal(world.session.fsPathOf(world.at(`${R}/a`).id), 'src/deep/a.luau');
});

test('accepts any name, including duplicates', async () => {
  const names = ['line\nbreak', 'nul\0', '😀', ' ', 'con', 'a/b', '..', '__proto__', 'constructor', 'toString'];
  const tree = Object.fromEntries(names.map(name => [name, { $className: 'Folder' }]));
  using world = await openProject({
    'default.project.json': `{"tree": {"$className": "Folder", ${JSON.stringify(tree).slice(1)}}`,
    'src/M.model.json': '{"className": "Model"}',
  });
  const root = world.at('');
  assert.deepEqual(new Set(root.children.map(id => world.session.get(id)?.name)), new Set(names));
  using twins = await openProject(
    smallProject({
      'src/M.model.json':
        '{"className": "Model", "children": [{"className": "Part", "name": "A"}, {"className": "Part", "name": "A"}]}',
    }),
  );
  assert.deepEqual(outline(twins), ['M:Model', 'A:Part', 'A:Part']);
});

test('keeps numbers such as -0, the largest number, and those that JSON cannot express', async () => {
  using world = await openProject(
    smallProject({
      'src/n.json': '{"a": -0, "b": 1e21, "c": 1e-7, "d": 0.1, "e": 1.7976931348623157e308}',
      'src/x.model.json':
        '{"className": "Folder", "attributes": {"a": -0, "b": 1e308, "c": {"Float64": "NaN"}, "d": {"Float64": "-Infinity"}}}',
    }),
  );
  assert.deepEqual(world.session.diagnostics(), []);
  assert.match(
    String(value(world, 'n', 'Source')),
    /a = -0,\n\tb = 1000000000000000000000,\n\tc = 0\.0000001,\n\td = 0\.1,\n\te = 17976931348623157000/,
  );
  const attributes = value(world, 'x', 'Attributes');
  assert.ok(attributes instanceof Map);
  assert.deepEqual(
    Array.from(attributes.values()).map(each => (each as { value: unknown }).value),
    [-0, 1e308, NaN, -Infinity],
  );
});

test('replaces Tags with those of a meta file', async () => {
  using world = await openProject({
    'default.project.json': JSON.stringify({
      tree: {
        $className: 'DataModel',
        ReplicatedStorage: { A: { $path: 'a.luau', $properties: { Tags: ['node'] } }, B: { $path: 'a.luau' } },
      },
    }),
    'a.luau': '',
    'a.meta.json': '{"properties": {"Tags": ["meta"]}}',
  });
  assert.deepEqual([value(world, 'A', 'Tags'), value(world, 'B', 'Tags')], [['node'], ['meta']]);
});

test('loads an unknown class with full values but rejects short values', async () => {
  using world = await openProject(
    smallProject({
      'src/x.model.json': '{"className": "Newer", "properties": {"Full": {"Vector3": [1, 2, 3]}, "Short": [1, 2, 3]}}',
    }),
  );
  assert.deepEqual(value(world, 'x', 'Full'), [1, 2, 3]);
  assert.equal(value(world, 'x', 'Short'), undefined);
  assert.match(world.session.diagnostics()[0]?.message ?? '', /instead of Newer.Short/);
});
