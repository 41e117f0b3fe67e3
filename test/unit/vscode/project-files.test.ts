import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installFakeVsCode } from '../../harness/fake-vscode.ts';

const [file, folder, link] = [1, 2, 64];
const tree: Readonly<Record<string, readonly (readonly [string, number])[]>> = {
  '/game': [
    ['b.project.json5', file],
    ['default.project.json', file],
    ['old.project.json', folder],
    ['notes.json', file],
    ['place', folder],
    ['linked', folder | link],
    ['node_modules', folder],
    ['private', folder],
  ],
  '/game/place': [['default.project.jsonc', file]],
  '/game/linked': [['x.project.json', file | link]],
  '/game/node_modules': [['y.project.json', file]],
};
const uri = (path: string) => ({ path });
installFakeVsCode({
  FileType: { File: file, Directory: folder },
  Uri: { joinPath: ({ path }: { path: string }, name: string) => uri(`${path}/${name}`) },
  workspace: {
    fs: {
      async readDirectory({ path }: { path: string }) {
        const entries = tree[path];
        const code = path === '/missing' ? 'FileNotFound' : 'NoPermissions';
        if (entries === undefined) throw Object.assign(new Error(code), { code });
        return entries;
      },
    },
  },
});
const { projectFilesBelow, projectFilesIn } = await import('../../../src/vscode/project-files.ts');

test('[P6] finds project files without a process, in a folder and one level down', async () => {
  const game = uri('/game') as never;
  assert.deepEqual(await projectFilesIn(game), [uri('/game/b.project.json5'), uri('/game/default.project.json')]);
  assert.deepEqual(await projectFilesBelow(game), [
    uri('/game/place/default.project.jsonc'),
    uri('/game/linked/x.project.json'),
  ]);
  assert.deepEqual(await projectFilesIn(uri('/missing') as never), []);
});

test('rejects for a folder that cannot be read, which must not look like one without project files', async () => {
  for (const find of [projectFilesIn, projectFilesBelow])
    await assert.rejects(find(uri('/private') as never), { code: 'NoPermissions' });
});
