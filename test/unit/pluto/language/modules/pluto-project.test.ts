import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeHasher as hasher } from '../../../../../src/adapters/node/hasher.ts';
import type { ProjectPath } from '../../../../../src/base/brand.ts';
import { writeContainer } from '../../../../../src/pluto/language/container/container.ts';
import { PlutoProject } from '../../../../../src/pluto/language/modules/pluto-project.ts';
import { MemoryFileSystem } from '../../../../harness/memory-file-system.ts';
import { idsOf, identified } from '../program-text.ts';

const { signal } = new AbortController();
const path = (text: string): ProjectPath => text as ProjectPath;

async function open(files: Readonly<Record<string, string | Uint8Array>>) {
  const disk = new MemoryFileSystem(files);
  return { disk, project: await PlutoProject.open({ files: disk, hasher }, signal) };
}

/** The imports of a file: `binding → path`, or `binding → code` of the problem. */
async function importsOf(project: PlutoProject, file: string): Promise<readonly string[]> {
  const state = await project.load(path(file));
  assert.ok(state !== undefined);
  return project
    .importsOf(state)
    .map(({ binding, target, problem }) => `${binding} → ${target?.path ?? problem?.code}`);
}

test('lists .pluto and .pt files as modules, without views, and reads none of them', async () => {
  const { disk, project } = await open({
    'main.pt': '',
    'geo/point.pluto': '',
    'geo/point.pt': '',
    'geo/notes.txt': '',
    '.hidden/a.pt': '',
    'node_modules/b.pt': '',
    '.deps/tools/c.pt': '',
  });
  assert.deepEqual(project.files, ['.deps/tools/c.pt', 'geo/point.pluto', 'main.pt']);
  assert.deepEqual(disk.reads, []);
  await project.load(path('main.pt'));
  await project.load(path('main.pt'));
  assert.deepEqual(disk.reads, ['main.pt']);
  assert.equal(await project.load(path('none.pt')), undefined);
});

test('resolves imports of files, folders, std, dependencies and vendored packages', async () => {
  const { project } = await open({
    'main.pt':
      'import a\nimport b\nimport b.inner as deep\nimport std.json\nimport lib\nimport lib.part\nimport tools\n',
    'a.pt': '',
    'b/one.pt': '',
    'b/inner.pt': '',
    'stdlib/json/json.pt': '',
    'stdlib/json/parse.pt': '',
    'libs/lib/lib.pt': '',
    'libs/lib/part.pt': '',
    '.deps/tools/t.pt': '',
    'pluto.toml': '[package]\nname = "shop"\n[dependencies]\nlib = { path = "libs/lib" }\n',
  });
  assert.deepEqual(await importsOf(project, 'main.pt'), [
    'a → a.pt',
    'b → b',
    'deep → b/inner.pt',
    'json → stdlib/json',
    'lib → libs/lib',
    'part → libs/lib/part.pt',
    'tools → .deps/tools',
  ]);
});

test('uses the embedded modules when the project has no stdlib folder', async () => {
  const { project } = await open({ 'main.pt': 'import std.json\nimport std.strings as text\n' });
  assert.deepEqual(await importsOf(project, 'main.pt'), [
    'json → <std>/json/json.pt',
    'text → <std>/strings/strings.pt',
  ]);
});

test('reports imports that name nothing, several modules or the importer itself', async () => {
  const { project } = await open({
    'main.pt':
      'import nothing\nimport file.below\nimport std.magic\nimport both\nimport far\nimport away\nimport main\n',
    'file.pt': '',
    'both.pt': '',
    'pluto.toml':
      '[package]\nname = "shop"\n[dependencies]\nboth = { path = "x" }\nfar = { git = "https://example.org/far.git" }\naway = { path = "../.." }\n',
  });
  assert.deepEqual(await importsOf(project, 'main.pt'), [
    'nothing → module-not-found',
    'below → module-not-a-folder',
    'magic → std-missing',
    'both → import-ambiguous',
    'far → dependency-unusable',
    'away → dependency-unusable',
    'main → module-not-found',
  ]);
});

test('resolves the dependencies of a package, not those of the enclosing package', async () => {
  const { project } = await open({
    'pluto.toml': '[package]\nname = "outer"\n[dependencies]\nlib = { path = "lib" }\n',
    'inner/pluto.toml': '[package]\nname = "inner"\n',
    'inner/a.pt': 'import lib\n',
    'lib/l.pt': '',
    'deep/er/b.pt': 'import lib\n',
  });
  assert.deepEqual(await importsOf(project, 'inner/a.pt'), ['lib → module-not-found']);
  assert.deepEqual(await importsOf(project, 'deep/er/b.pt'), ['lib → lib']);
});

test('resolves imports again after a folder becomes a repository', async () => {
  // The search for a manifest ends at the repository.
  const { disk, project } = await open({
    'pluto.toml': '[package]\nname = "outer"\n[dependencies]\nlib = { path = "lib" }\n',
    'inner/a.pt': 'import lib\n',
    'lib/l.pt': '',
  });
  assert.deepEqual(await importsOf(project, 'inner/a.pt'), ['lib → lib']);
  disk.set('inner/.git/HEAD', '');
  await project.refresh(signal);
  assert.deepEqual(await importsOf(project, 'inner/a.pt'), ['lib → module-not-found']);
});

test('reports an invalid manifest with the reason', async () => {
  const cases: Readonly<Record<string, RegExp>> = {
    '[package': /invalid syntax/,
    '': /missing \[package\]/,
    '[package]\n': /missing 'name'/,
    '[package]\nname = ""\n': /must not be empty/,
    '[package]\nname = "a"\n[dependencies]\n"a-b" = { path = "x" }\n': /is not a valid identifier/,
    '[package]\nname = "a"\n[dependencies]\nstd = { path = "x" }\n': /is reserved/,
    '[package]\nname = "a"\n[dependencies]\nfn = { path = "x" }\n': /reserved keyword/,
    '[package]\nname = "a"\n[dependencies]\nb = { path = "x", git = "y" }\n': /exactly one/,
    '[package]\nname = "a"\n[dependencies]\nb = { path = "x", tag = "y" }\n': /requires 'git'/,
    '[package]\nname = "a"\n[dependencies]\nb = { git = "x", tag = "y", rev = "z" }\n': /more than one/,
  };
  for (const [text, reason] of Object.entries(cases)) {
    const { project } = await open({ 'pluto.toml': text });
    assert.match(project.manifestProblems.get(path('pluto.toml')) ?? '', reason);
  }
});

test('loads containers and text modules, and leaves a damaged container unchanged', async () => {
  const module = identified('fn f() {}\n');
  const meta = { module: 'a', revision: 1, tool: { name: 't', version: '1' } };
  const bytes = writeContainer({ meta, module, optional: [] }, hasher);
  const { disk, project } = await open({
    'a.pluto': bytes,
    'b.pluto': 'fn g() {}\n',
    'c.pluto': bytes.slice(0, -1),
    'd.pt': Uint8Array.of(0xff),
  });
  const states = await project.loadAll(signal);
  assert.deepEqual(
    states.map(state =>
      state.kind === 'loaded' ? (state.container === undefined ? 'text' : 'container') : state.problem.code,
    ),
    ['container', 'text', 'hash_mismatch', 'text_malformed'],
  );
  const [first] = states;
  assert.ok(first?.kind === 'loaded');
  assert.deepEqual(idsOf(first.module), idsOf(module));
  assert.deepEqual(await disk.read(path('c.pluto')), bytes.slice(0, -1));
});

test('keeps the ids of a text module across reloads and processes', async () => {
  const { disk, project } = await open({ 'a.pt': 'fn one() {}\nfn two(a: int) { print(a) }\n' });
  const before = await project.load(path('a.pt'));
  disk.set('a.pt', '// moved\nfn second(a: int) { print(a) }\n\nfn one() {}\n');
  const change = await project.refresh(signal, new Set([path('a.pt')]));
  assert.deepEqual(change, { changed: ['a.pt'], removed: [], isMoved: false });
  const after = await project.load(path('a.pt'));
  assert.ok(before?.kind === 'loaded' && after?.kind === 'loaded');
  assert.deepEqual(new Set(idsOf(after.module)), new Set(idsOf(before.module)));
  const other = await open({ 'a.pt': 'fn one() {}\nfn two(a: int) { print(a) }\n' });
  const elsewhere = await other.project.load(path('a.pt'));
  assert.ok(elsewhere?.kind === 'loaded');
  assert.deepEqual(idsOf(elsewhere.module), idsOf(before.module));
});

test('parses only changed files again, and reports new and removed ones', async () => {
  const { disk, project } = await open({ 'a.pt': 'import b\n', 'b.pt': '', 'c.pt': '' });
  const [a] = await project.loadAll(signal);
  const heard: unknown[] = [];
  project.onDidChange(change => heard.push(change));
  assert.deepEqual(await project.refresh(signal), { changed: [], removed: [], isMoved: false });
  disk.delete('b.pt');
  disk.set('d.pt', '');
  assert.deepEqual(await project.refresh(signal), { changed: ['d.pt'], removed: ['b.pt'], isMoved: true });
  assert.equal(heard.length, 1);
  assert.equal(await project.load(path('a.pt')), a);
  assert.deepEqual(await importsOf(project, 'a.pt'), ['b → module-not-found']);
});

test('misses no change when a module disappears while it is read again', async () => {
  const { disk, project } = await open({ 'a.pt': 'import d\n', 'b.pt': '', 'c.pt': '' });
  await project.loadAll(signal);
  disk.set('b.pt', 'fn two() {}');
  disk.set('c.pt', 'fn three() {}');
  disk.set('d.pt', '');
  const read = disk.read.bind(disk);
  disk.read = file => {
    if (file === 'b.pt') disk.delete('b.pt');
    return read(file);
  };
  const heard: unknown[] = [];
  project.onDidChange(change => heard.push(change));
  const change = await project.refresh(signal, new Set(['b.pt', 'c.pt', 'd.pt'].map(path)));
  assert.deepEqual(change, { changed: ['d.pt', 'c.pt'], removed: ['b.pt'], isMoved: true });
  assert.deepEqual(heard, [change]);
  assert.deepEqual(await importsOf(project, 'a.pt'), ['d → d.pt']);
});

test('reads the folders again when one disappears while they are read', async () => {
  const { disk, project } = await open({ 'a.pt': '', 'old/b.pt': '' });
  disk.set('new/c.pt', '');
  const list = disk.list.bind(disk);
  disk.list = folder => {
    if (folder === 'old') disk.delete('old/b.pt');
    return list(folder);
  };
  assert.deepEqual(await project.refresh(signal), { changed: ['new/c.pt'], removed: ['old/b.pt'], isMoved: true });
});

test('keeps what is known when a refresh is cancelled, and reports the changes with the next one', async () => {
  const { disk, project } = await open({ 'a.pt': 'import d\n' });
  await project.loadAll(signal);
  disk.set('d.pt', '');
  const stop = new AbortController();
  const list = disk.list.bind(disk);
  disk.list = folder => {
    stop.abort();
    return list(folder);
  };
  await assert.rejects(project.refresh(stop.signal), { name: 'AbortError' });
  assert.deepEqual(project.files, ['a.pt']);
  assert.deepEqual(await project.refresh(signal), { changed: ['d.pt'], removed: [], isMoved: true });
});

test('keeps a module that is set in memory while its file is read again', async () => {
  const { disk, project } = await open({ 'a.pt': 'fn one() {}' });
  await project.load(path('a.pt'));
  disk.set('a.pt', 'fn two() {}');
  const edited = identified('fn three() {}');
  const read = disk.read.bind(disk);
  disk.read = async file => {
    project.hold([{ kind: 'loaded', path: file, module: edited, container: undefined, gitBlob: '' }]);
    return await read(file);
  };
  await project.refresh(signal, new Set([path('a.pt')]));
  const state = await project.load(path('a.pt'));
  assert.equal(state?.kind === 'loaded' && state.module.text, 'fn three() {}');
});
