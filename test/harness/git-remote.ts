import { execFileSync } from 'node:child_process';
import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type TempFolder, tempFolder } from './temp-folder.ts';

export interface GitRemote extends AsyncDisposable {
  readonly folder: TempFolder;
  readonly url: string;
  git(...args: readonly string[]): string;
  /** Writes the files, commits everything and returns the new commit. */
  commit(files: Readonly<Record<string, string>>): Promise<string>;
  link(name: string, target: string): Promise<void>;
}

/** A real repository with a branch `main` that tests fetch from. */
export async function gitRemote(files: Readonly<Record<string, string>> = { 'a.md': 'one\n' }): Promise<GitRemote> {
  const folder = await tempFolder();
  const git = (...args: readonly string[]): string =>
    execFileSync(
      'git',
      ['-c', 'user.name=T', '-c', 'user.email=t@example.test', '-c', 'commit.gpgsign=false', ...args],
      {
        cwd: folder.path,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { PATH: process.env['PATH'], HOME: folder.path, GIT_CONFIG_NOSYSTEM: '1' },
      },
    ).trim();
  git('init', '-q', '-b', 'main');
  const remote: GitRemote = {
    folder,
    url: `file://${folder.path}`,
    git,
    async commit(some) {
      await folder.write(some);
      git('add', '-A');
      git('commit', '-q', '--allow-empty', '-m', 'change');
      return git('rev-parse', 'HEAD');
    },
    async link(name, target) {
      await rm(join(folder.path, name), { force: true });
      await symlink(target, join(folder.path, name));
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
  if (Object.keys(files).length > 0) await remote.commit(files);
  return remote;
}
