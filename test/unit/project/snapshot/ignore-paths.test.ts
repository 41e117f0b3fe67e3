import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openProject } from '../../../harness/project-world.ts';

// Ignored paths, and folders that are services.

async function outline(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  using world = await openProject(files);
  assert.deepEqual(world.session.diagnostics(), []);
  return world
    .outline()
    .split('\n')
    .slice(1)
    .map(line => line.trim());
}
const project = (tree: object, globIgnorePaths: readonly string[]): string =>
  JSON.stringify({ name: 'Game', tree: { $className: 'Folder', ...tree }, globIgnorePaths });
const files = { 'src/a.luau': '', 'src/keep.luau': '', 'src/d/b.spec.luau': '', 'src/d/c.luau': '' };
const src = { S: { $path: 'src' } };

const table: readonly (readonly [globs: readonly string[], rojo: readonly string[], atlas?: readonly string[]])[] = [
  [['*.spec.luau'], ['S:Folder', 'a:ModuleScript', 'd:Folder', 'c:ModuleScript', 'keep:ModuleScript']],
  [['src/d'], ['S:Folder', 'a:ModuleScript', 'keep:ModuleScript']],
  [['src/d/**'], ['S:Folder', 'a:ModuleScript', 'd:Folder', 'keep:ModuleScript']],
  [
    ['**/*.luau', '!src/keep.luau'],
    ['S:Folder', 'd:Folder', 'keep:ModuleScript'],
    ['S:Folder', 'd:Folder'],
  ],
  [
    ['!src/keep.luau', '**/*.luau'],
    ['S:Folder', 'd:Folder'],
  ],
  [
    ['src/d', '!src/d/c.luau'],
    ['S:Folder', 'a:ModuleScript', 'keep:ModuleScript'],
  ],
  // Paths that are not found by listing a folder are not checked against the globs.
  [
    ['src', 'default.project.json*'],
    ['S:Folder', 'a:ModuleScript', 'd:Folder', 'b.spec:ModuleScript', 'c:ModuleScript', 'keep:ModuleScript'],
  ],
  [
    ['../src/**', 'd/**'],
    ['S:Folder', 'a:ModuleScript', 'd:Folder', 'b.spec:ModuleScript', 'c:ModuleScript', 'keep:ModuleScript'],
  ],
];
for (const [globs, rojo, atlas = rojo] of table)
  test(`${globs.join(' ')} keeps ${rojo.slice(1).join(' ')}`, async () => {
    const text = project(src, globs);
    assert.deepEqual(await outline({ ...files, 'default.project.json': text }), rojo);
    assert.deepEqual(await outline({ ...files, 'default.project.json5': text }), atlas);
  });

test('reads ignored init and meta files, and resolves globs from the folder of each project', async () => {
  const nested = JSON.stringify({ tree: { $path: 'code' }, globIgnorePaths: ['code/x.luau'] });
  const made = await outline({
    'default.project.json': project(src, ['**/init*', '*.meta.json', '**/y.luau']),
    'src/d/init.server.luau': '',
    'src/e/init.meta.json': '{"className": "Tool"}',
    'src/in/default.project.json': nested,
    'src/in/code/x.luau': '',
    'src/in/code/y.luau': '',
    'src/in/code/z.luau': '',
    'src/code/x.luau': '',
  });
  assert.deepEqual(made, [
    'S:Folder',
    'code:Folder',
    'x:ModuleScript',
    'd:Script',
    'e:Tool',
    'in:Folder',
    'z:ModuleScript',
  ]);
});

test('reads a folder as a service only when its meta file sets the class', async () => {
  assert.deepEqual(
    await outline({
      'default.project.json5': '{name: "Game", tree: {$className: "DataModel", $path: "src"}}',
      'src/Lighting/init.meta.json5': '{className: "Lighting"}',
      'src/Workspace/a.luau': '',
    }),
    ['Lighting:Lighting', 'Workspace:Folder', 'a:ModuleScript'],
  );
});
