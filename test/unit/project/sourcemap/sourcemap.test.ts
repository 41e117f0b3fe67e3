import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepSourcemap } from '../../../../src/project/sourcemap/keep-sourcemap.ts';
import { renderSourcemap } from '../../../../src/project/sourcemap/sourcemap.ts';
import { openProject, type ProjectWorld, smallProject } from '../../../harness/project-world.ts';
import { settle } from '../../../harness/settle.ts';
import { until } from '../../../harness/until.ts';

const files = {
  'default.project.json': JSON.stringify({
    name: 'Bakery',
    tree: { $className: 'DataModel', ReplicatedStorage: { Shared: { $path: 'src' } }, Lighting: {} },
  }),
  'src/Oven.luau': '',
  'src/Oven.meta.json': '{}',
  'src/note.txt': '',
  'src/Door/init.luau': '',
  'src/Door/init.server.luau': '',
  'src/Door/init.meta.json': '{}',
  'src/Empty/.keep': '',
  'src/M.model.json': '{"className": "Folder", "children": [{"className": "ModuleScript", "name": "In"}]}',
};
const rendered = async (world: ProjectWorld, includeNonScripts = false): Promise<unknown> =>
  JSON.parse(await renderSourcemap(world.session, { includeNonScripts }));

test('lists scripts with files and their ancestors, and no files inside a model', async () => {
  using world = await openProject(files);
  const text = await renderSourcemap(world.session, { includeNonScripts: false });
  const door =
    '{"name":"Door","className":"ModuleScript","filePaths":["src/Door/init.luau","src/Door/init.server.luau","src/Door/init.meta.json"]}';
  const model =
    '{"name":"M","className":"Folder","filePaths":["src/M.model.json"],"children":[{"name":"In","className":"ModuleScript"}]}';
  const oven = '{"name":"Oven","className":"ModuleScript","filePaths":["src/Oven.luau","src/Oven.meta.json"]}';
  assert.equal(
    text,
    '{"name":"Bakery","className":"DataModel","filePaths":["default.project.json"],"children":[' +
      '{"name":"ReplicatedStorage","className":"ReplicatedStorage","children":[' +
      `{"name":"Shared","className":"Folder","children":[${door},${model},${oven}]}]}]}`,
  );
});

test('includes all instances when requested', async () => {
  using world = await openProject(files);
  const names: string[] = [];
  const collect = (node: { name: string; children?: { name: string }[] }): void => {
    names.push(node.name);
    for (const child of node.children ?? []) collect(child);
  };
  collect((await rendered(world, true)) as { name: string });
  const all = Array.from(world.session.descendants(world.session.rootId), ({ name }) => name);
  assert.deepEqual(names, all);
});

test('lists the root’s files with the project file last, and nothing without scripts', async () => {
  const project = '{"name": "Lib", "tree": {"$path": "src"}}';
  using library = await openProject({
    'default.project.json': project,
    'src/init.luau': '',
    'src/init.meta.json': '{}',
  });
  assert.deepEqual(await rendered(library), {
    name: 'Lib',
    className: 'ModuleScript',
    filePaths: ['src/init.luau', 'src/init.meta.json', 'default.project.json'],
  });
  using empty = await openProject({ 'default.project.json': project, 'src/a.txt': '' });
  assert.equal(await rendered(empty), null);
});

test('rewrites the sourcemap when scripts or meta files are added, renamed or removed', async () => {
  using world = await openProject(smallProject({ 'src/A.luau': '' }));
  const written: string[] = [];
  const { clock, session } = world;
  const failures: unknown[] = [];
  const keeping = keepSourcemap(session, {
    includeNonScripts: false,
    clock,
    write: async text => void written.push(text),
    onFailure: error => void failures.push(error),
  });
  const change = async (act: () => void, writes: number): Promise<void> => {
    act();
    await world.refresh();
    await until(() => written.length >= writes);
    assert.equal(written.length, writes);
    assert.equal(written.at(-1), await renderSourcemap(session, { includeNonScripts: false }));
  };
  await until(() => written.length === 1);
  await change(() => world.files.set('src/A.luau', 'return 2'), 1);
  await change(() => world.files.set('src/B.luau', ''), 2);
  await change(() => world.files.set('src/text.txt', 'no script'), 2);
  await change(() => world.files.delete('src/A.luau'), 3);
  await change(() => world.files.set('src/B.meta.json', '{"ignoreUnknownInstances": true}'), 4);
  keeping[Symbol.dispose]();
  world.files.set('src/C.luau');
  await world.refresh();
  assert.equal(written.length, 4);
  assert.deepEqual(failures, []);
});

test('tries a failed write again without another change, less and less often, and reports it once', async () => {
  using world = await openProject(smallProject({ 'src/A.luau': '' }));
  const { clock, session } = world;
  const failures: unknown[] = [];
  let writes = 0;
  let failing = 3;
  using _keeping = keepSourcemap(session, {
    includeNonScripts: false,
    clock,
    async write() {
      writes += 1;
      if (failing-- > 0) throw new Error('the disk is full');
    },
    onFailure: error => void failures.push(error),
  });
  await until(() => writes === 1);
  for (const [ms, expected] of [
    [1_999, 1],
    [1, 2],
    [3_999, 2],
    [1, 3],
    [8_000, 4],
    [600_000, 4],
  ] as const) {
    await settle();
    clock.advance(ms);
    await settle();
    assert.equal(writes, expected);
  }
  assert.equal(failures.length, 1);
});

test('does not try again after it has ended', async () => {
  using world = await openProject(smallProject({ 'src/A.luau': '' }));
  let writes = 0;
  const keeping = keepSourcemap(world.session, {
    includeNonScripts: false,
    clock: world.clock,
    async write() {
      writes += 1;
      throw new Error('the disk is full');
    },
    onFailure: () => undefined,
  });
  await until(() => writes === 1);
  await settle();
  keeping[Symbol.dispose]();
  world.clock.advance(600_000);
  await settle();
  assert.equal(writes, 1);
});
