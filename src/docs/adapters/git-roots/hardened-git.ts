import { devNull, tmpdir } from 'node:os';
import { delimiter } from 'node:path';
import { simpleGit } from 'simple-git';
import { environmentOfGit, startsNothing, startsNothingIsMeant } from '../../../adapters/git/git-process.ts';

/** What ways to a remote need of our environment. */
const toRemotes = [
  'SSH_AUTH_SOCK',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'GIT_SSL_CAINFO',
  'http_proxy',
  'https_proxy',
  'HTTPS_PROXY',
  'no_proxy',
  'NO_PROXY',
  'ALL_PROXY',
] as const;

/** Every way on which a repository could start a program, change what is written, or leave its folder. */
const hardening = [
  ...startsNothing,
  `core.attributesFile=${devNull}`,
  `core.excludesFile=${devNull}`,
  'core.symlinks=false',
  'core.autocrlf=false',
  'core.eol=lf',
  'core.protectHFS=true',
  'core.protectNTFS=true',
  'core.quotePath=false',
  'submodule.recurse=false',
  'fetch.recurseSubmodules=false',
  'fetch.writeCommitGraph=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'protocol.version=2',
];

/** What may be done without a switch of its own; each is set above or below, to switch it off. */
const unsafe = {
  ...startsNothingIsMeant,
  allowUnsafeConfigPaths: true,
  allowUnsafeSshCommand: true,
  allowUnsafeCredentialHelper: true,
  allowUnsafeGitProxy: true,
  allowUnsafeProtocolOverride: true,
  allowUnsafeTemplateDir: true,
} as const;

const ownVariables = {
  LC_ALL: 'C',
  GIT_CONFIG_GLOBAL: devNull,
  GIT_CONFIG_SYSTEM: devNull,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_LFS_SKIP_SMUDGE: '1',
  GIT_SSH_COMMAND: 'ssh -oBatchMode=yes',
};

export interface GitTerms {
  /** The repository, absolute; it need not exist for what asks a remote. */
  readonly gitDir: string;
  /** `[]`: no transport at all, not even a local path. */
  readonly protocols: readonly string[];
  /** Further settings, `name=value`, in the caller's own name. */
  readonly config?: readonly string[];
  /** The files of one commit, and the index that belongs to them; absolute. */
  readonly tree?: { readonly folder: string; readonly index: string };
  readonly signal: AbortSignal;
}

/**
 * Runs one git command with everything switched off that could run a program, and returns its output as it is. Arguments that come
 * from outside stand behind `--` or `--end-of-options`; that is the caller's part.
 *
 * @throws Error with git's own words, when it ends with anything but 0; the reason of the signal
 */
export async function hardenedGit(terms: GitTerms, args: readonly string[]): Promise<string> {
  const { signal, tree, gitDir } = terms;
  signal.throwIfAborted();
  const variables = {
    ...environmentOfGit(toRemotes),
    ...ownVariables,
    GIT_ALLOW_PROTOCOL: terms.protocols.join(':'),
    GIT_DIR: gitDir,
    GIT_CEILING_DIRECTORIES: ['/', tmpdir()].join(delimiter),
    ...(tree === undefined ? {} : { GIT_WORK_TREE: tree.folder, GIT_INDEX_FILE: tree.index }),
  };
  try {
    return await simpleGit({
      baseDir: tree?.folder ?? tmpdir(),
      abort: signal,
      trimmed: false,
      config: [...hardening, ...(terms.config ?? [])],
      allowEnvironment: Object.keys(variables),
      unsafe,
      // Git says some failures with its exit code alone.
      errors: (error, result) =>
        error ?? (result.exitCode === 0 ? undefined : Buffer.concat([...result.stdErr, ...result.stdOut])),
    })
      .env(variables)
      .raw([...args]);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}

/**
 * What the person's own configuration says about credentials and ways through the network, as `name=value`; nothing else of it counts.
 */
export async function networkConfig(signal: AbortSignal): Promise<readonly string[]> {
  const wanted = String.raw`^(credential\..*|http\.(.*\.)?(proxy|sslcainfo|sslcapath|sslbackend))$`;
  const inherited = environmentOfGit([...toRemotes, 'XDG_CONFIG_HOME']);
  try {
    const output = await simpleGit({
      baseDir: tmpdir(),
      abort: signal,
      trimmed: false,
      allowEnvironment: Object.keys(inherited),
    })
      .env({ ...inherited, GIT_DIR: devNull, LC_ALL: 'C' })
      .raw(['config', '--includes', '-z', '--get-regexp', wanted]);
    return output.split('\0').flatMap(entry => {
      const end = entry.indexOf('\n');
      return end === -1 ? [] : [`${entry.slice(0, end)}=${entry.slice(end + 1)}`];
    });
  } catch {
    signal.throwIfAborted();
    // It ends with 1 where there is none.
    return [];
  }
}
