import { devNull, tmpdir } from 'node:os';
import { delimiter } from 'node:path';
import { GitError, inheritedVariables, runGit } from '../../../adapters/git/run-git.ts';

/** Environment variables that git needs to reach a remote. */
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

/** Settings that stop a repository from starting programs, changing written files or leaving its folder. */
const hardening = [
  'core.fsmonitor=false',
  `core.hooksPath=${devNull}`,
  'core.untrackedCache=false',
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

/** The conditions under which git runs. */
export interface GitTerms {
  /** Absolute path of the repository; it need not exist for commands that only contact a remote. */
  readonly gitDir: string;
  /** Allowed protocols; `[]` allows no transport, not even a local path. */
  readonly protocols: readonly string[];
  /** Additional settings, `name=value`. */
  readonly config?: readonly string[];
  /** The files of one commit and their index; absolute. */
  readonly tree?: { readonly folder: string; readonly index: string };
  /** Receives the output piece by piece. If it throws, git is ended and the error is thrown. */
  readonly onOutput?: (chunk: Buffer) => void;
  readonly signal: AbortSignal;
}

/**
 * Runs one git command with every feature disabled that could start a program, and returns its output unchanged. The caller must pass
 * untrusted arguments after `--` or `--end-of-options`.
 *
 * @throws Error with git's output if the exit code is not 0; the reason of the signal
 */
export async function hardenedGit(terms: GitTerms, args: readonly string[]): Promise<string> {
  const { signal, tree, gitDir, onOutput } = terms;
  signal.throwIfAborted();
  const variables = {
    ...inheritedVariables(toRemotes),
    ...ownVariables,
    GIT_ALLOW_PROTOCOL: terms.protocols.join(':'),
    GIT_DIR: gitDir,
    GIT_CEILING_DIRECTORIES: ['/', tmpdir()].join(delimiter),
    ...(tree === undefined ? {} : { GIT_WORK_TREE: tree.folder, GIT_INDEX_FILE: tree.index }),
  };
  const config = [...hardening, ...(terms.config ?? [])];
  const process = { folder: tree?.folder ?? tmpdir(), variables, config, signal, ...(onOutput && { onOutput }) };
  return (await runGit(process, args)).toString();
}

/**
 * Reads the credential and proxy settings from the user's git configuration, as `name=value`. All other settings are ignored.
 */
export async function networkConfig(signal: AbortSignal): Promise<readonly string[]> {
  const wanted = String.raw`^(credential\..*|http\.(.*\.)?(proxy|sslcainfo|sslcapath|sslbackend))$`;
  const inherited = inheritedVariables([...toRemotes, 'XDG_CONFIG_HOME']);
  try {
    const variables = { ...inherited, GIT_DIR: devNull, LC_ALL: 'C' };
    const args = ['config', '--includes', '-z', '--get-regexp', wanted];
    const output = (await runGit({ folder: tmpdir(), variables, config: [], signal }, args)).toString();
    return output.split('\0').flatMap(entry => {
      const end = entry.indexOf('\n');
      return end === -1 ? [] : [`${entry.slice(0, end)}=${entry.slice(end + 1)}`];
    });
  } catch (error) {
    // git exits with 1 if no setting matches.
    if (error instanceof GitError && error.exitCode === 1) return [];
    throw error;
  }
}
