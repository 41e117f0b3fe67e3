import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureGit } from '../set-up/git.ts';

const example = resolve(fileURLToPath(import.meta.url), '../../../examples/obby');

/** The history of the example: the paths that each commit adds. The last one adds the rest. */
const history: readonly { readonly message: string; readonly paths: readonly string[] }[] = [
  {
    message: 'Start the obby: project file and services',
    paths: ['default.project.json', '.gitignore', '.luaurc', 'stylua.toml'],
  },
  { message: 'Add what server and client share', paths: ['src/shared'] },
  { message: 'Add the server: courses, runs, saving', paths: ['src/server'] },
  { message: 'Add the client: camera, HUD, effects', paths: ['src/first', 'src/client'] },
  { message: 'Add models and tests', paths: ['.'] },
];

/** Copies `examples/obby` to `folder`, which it replaces, and creates a git history. Commit ids are the same each time. */
export async function prepareExample(folder: string): Promise<void> {
  await ensureGit();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(example, folder, { recursive: true });
  git(folder, 'init', '--quiet', '--initial-branch=main');
  history.forEach(({ message, paths }, index) => {
    git(folder, 'add', '--', ...paths.filter(path => existsSync(join(folder, path))));
    git(folder, 'commit', '--quiet', '--allow-empty', '--message', message, `--date=2026-01-0${index + 1}T12:00:00Z`);
  });
}

/** Ignores the user's git configuration: no signing, no hooks, no templates, no line-end conversion. */
function git(folder: string, ...args: readonly string[]): void {
  const own = [
    'user.name=Atlas Bridge',
    'user.email=example@invalid',
    'commit.gpgSign=false',
    'core.autocrlf=false',
    'core.hooksPath=',
  ];
  execFileSync('git', [...own.flatMap(setting => ['-c', setting]), ...args], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_TEMPLATE_DIR: '',
      GIT_DIR: join(folder, '.git'),
      GIT_WORK_TREE: folder,
      GIT_COMMITTER_DATE: '2026-01-10T12:00:00Z',
    },
  });
}
