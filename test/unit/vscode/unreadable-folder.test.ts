import assert from 'node:assert/strict';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { installFakeVsCode } from '../../harness/fake-vscode.ts';

interface FakeUri {
  readonly scheme: string;
  readonly path: string;
  toString(): string;
}
const uri = (path: string): FakeUri => ({ scheme: 'file', path, toString: () => `file://${path}` });
const workspaceFolders = ['/locked', '/game'].map(path => ({ uri: uri(path), name: basename(path) }));
installFakeVsCode({
  FileType: { File: 1, Directory: 2 },
  Uri: { joinPath: ({ path }: FakeUri, name: string) => uri(join(path, name)) },
  workspace: {
    workspaceFolders,
    getWorkspaceFolder: (at: FakeUri) => workspaceFolders.find(one => one.uri.path === at.path),
    asRelativePath: (at: FakeUri) => basename(at.path),
    fs: {
      async readDirectory({ path }: FakeUri) {
        if (path === '/locked') throw Object.assign(new Error('no permission'), { code: 'NoPermissions' });
        return [['default.project.json', 1]];
      },
    },
  },
});
const { findProjectFolders } = await import('../../../src/vscode/project-folder.ts');
const { unreadableFolders } = await import('../../../src/vscode/unserved-projects.ts');

test('shows a workspace folder that cannot be read as a project with an error, beside a project', async () => {
  const found = await findProjectFolders();
  assert.deepEqual(
    found.map(({ uri: { path }, hasProject }) => [path, hasProject]),
    [
      ['/locked', false],
      ['/game', true],
    ],
  );
  const [problem, ...rest] = unreadableFolders(found);
  assert.deepEqual([problem?.label, problem?.file.path, rest], ['locked', '/locked', []]);
  assert.deepEqual(problem?.error, { unreadable: 'permission denied' });
});
