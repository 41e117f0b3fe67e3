import { GitError } from './run-git.ts';

/** The programs that the configuration of a repository would run, and the settings that prevent it. */
export interface RepositoryPrograms {
  /** Settings of the command line, `name=value`, that override those of the repository. */
  readonly overrides: readonly string[];
  /** Names of the filters that are overridden. */
  readonly filters: ReadonlySet<string>;
}

/** Settings that name a program, or allow a transport that runs one. */
const NAMES_PROGRAM = new RegExp(
  `^(?:${[
    String.raw`filter\..*\.(?:clean|smudge|process|required)`,
    String.raw`core\.(?:sshcommand|gitproxy|askpass|editor|pager|alternaterefscommand|attributesfile|worktree)`,
    String.raw`credential\.(?:.*\.)?helper`,
    String.raw`diff\.(?:external|.*\.(?:command|textconv))`,
    String.raw`merge\..*\.driver`,
    String.raw`gpg\.(?:.*\.)?program`,
    String.raw`remote\..*\.(?:uploadpack|receivepack|vcs|proxy)`,
    String.raw`uploadpack\.packobjectshook`,
    String.raw`protocol\..*`,
  ].join('|')})$`,
  's',
);

/** A hook in a configuration file (git 2.54 and newer), which `core.hooksPath` does not affect. */
const HOOK = /^(hook\..*)\.[^.]*$/s;

/**
 * Finds the programs that the repository configures. The settings of the user remain in effect: a user who has set up git-lfs for all
 * repositories trusts it, and its files would otherwise look changed.
 *
 * @param git runs git in the repository
 * @throws GitError; Error for a setting that cannot be overridden
 */
export async function findRepositoryPrograms(
  git: (args: readonly string[]) => Promise<Buffer>,
): Promise<RepositoryPrograms> {
  const settings = await listSettings(git);
  const own = new Map<string, string>();
  const repository = new Set<string>();
  for (const { scope, name, value } of settings) {
    const isOfRepository = scope === 'local' || scope === 'worktree';
    const hook = HOOK.exec(name)?.[1];
    if (hook !== undefined && isOfRepository) repository.add(`${hook}.enabled`);
    if (!NAMES_PROGRAM.test(name)) continue;
    if (isOfRepository) repository.add(name);
    else if (scope === 'system' || scope === 'global') own.set(name, value);
  }
  const overrides = Array.from(repository, name => {
    if (/[=\n]/.test(name)) throw new Error(`the setting ${JSON.stringify(name)} of the repository is not allowed`);
    return `${name}=${own.get(name) ?? disablingValue(name)}`;
  });
  const filters = Array.from(repository, name => /^filter\.(.*)\.[^.]*$/s.exec(name)?.[1] ?? '');
  return { overrides, filters: new Set(filters.filter(name => name !== '')) };
}

/** The value of a setting with which git starts no program. */
const disablingValue = (name: string): string => (/\.(?:required|enabled)$/.test(name) ? 'false' : '');

interface Setting {
  readonly scope: string;
  /** Section and key in lower case. */
  readonly name: string;
  readonly value: string;
}

async function listSettings(git: (args: readonly string[]) => Promise<Buffer>): Promise<readonly Setting[]> {
  try {
    const fields = (await git(['config', '--includes', '--show-scope', '--list', '-z'])).toString().split('\0');
    const settings: Setting[] = [];
    for (let at = 0; at + 1 < fields.length; at += 2) {
      const [scope = '', entry = ''] = fields.slice(at, at + 2);
      const end = entry.indexOf('\n');
      // Git reads a name without a value as true.
      settings.push({ scope, name: end < 0 ? entry : entry.slice(0, end), value: end < 0 ? '' : entry.slice(end + 1) });
    }
    return settings;
  } catch (error) {
    if (error instanceof GitError && error.exitCode === 1) return [];
    throw error;
  }
}
