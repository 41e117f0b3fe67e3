import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { env } from 'node:process';
import { findOnPath } from '../node/find-on-path.ts';

/** The variables that git needs to find its files and its user. */
const BASIC_VARIABLES: readonly string[] = [
  'PATH',
  'HOME',
  'USERPROFILE',
  'HOMEDRIVE',
  'HOMEPATH',
  'APPDATA',
  'LOCALAPPDATA',
  'PROGRAMDATA',
  'SYSTEMROOT',
  'TMPDIR',
  'TEMP',
  'TMP',
];

/** The variables that git may inherit, and no others: `GIT_DIR`, for example, would select another repository. */
export const inheritedVariables = (further: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...BASIC_VARIABLES, ...further].flatMap(name => (env[name] === undefined ? [] : [[name, env[name]]])),
  );

export interface GitProcess {
  /** The folder in which git runs, absolute. */
  readonly folder: string;
  /** The whole environment of the process. */
  readonly variables: Readonly<Record<string, string>>;
  /** Settings of the command line, `name=value`; they override every configuration file. */
  readonly config: readonly string[];
  /** Ends a process that has printed nothing for this long. */
  readonly maxSilenceMs?: number;
  /** The standard input of git; empty by default. */
  readonly input?: string;
  /** Receives the output piece by piece, so that it need not fit into memory. If it throws, git is ended and `runGit` throws the error. */
  readonly onOutput?: (chunk: Buffer) => void;
  readonly signal: AbortSignal;
}

/** `runGit`, or a function that runs git elsewhere and collects its output. */
export type RunGit = (process: Omit<GitProcess, 'onOutput'>, args: readonly string[]) => Promise<Buffer>;

/** Maximum number of bytes that are collected; the status of a million files has about 100 MB. */
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;

/** git ended with another exit code than 0. The message is the output of git. */
export class GitError extends Error {
  readonly exitCode: number | null;

  constructor(exitCode: number | null, output: string) {
    super(output.trim() === '' ? `git ended with ${exitCode ?? 'a signal'}` : output);
    this.name = 'GitError';
    this.exitCode = exitCode;
  }
}

/**
 * Runs one git command and returns its standard output; empty with `onOutput`.
 *
 * @throws GitError, also for too much output; Error `spawn git ENOENT` if there is no git; the reason of the signal
 */
export async function runGit(process: GitProcess, args: readonly string[]): Promise<Buffer> {
  const { folder, variables, config, maxSilenceMs, input, onOutput, signal } = process;
  signal.throwIfAborted();
  // By its absolute path, because Windows would search `folder` first, which may contain a git.exe of the repository.
  const git = await findOnPath('git', variables['PATH']);
  if (git === undefined) throw new Error('spawn git ENOENT: there is no git on the PATH');
  signal.throwIfAborted();
  const child = spawn(git, [...config.flatMap(setting => ['-c', setting]), ...args], {
    cwd: folder,
    env: variables,
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  // A git that ends before it has read its input reports the reason in its exit code.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const output: Buffer[] = [];
  const errors: Buffer[] = [];
  let isSilent = false;
  const stop = (): void => void child.kill();
  const silence =
    maxSilenceMs === undefined
      ? undefined
      : setTimeout(() => {
          isSilent = true;
          stop();
        }, maxSilenceMs);
  let bytes = 0;
  let failure: Error | undefined;
  const fail = (error: unknown): void => {
    failure ??= error instanceof Error ? error : new Error(String(error));
    stop();
  };
  const take = (pieces: Buffer[]) => (chunk: Buffer) => {
    silence?.refresh();
    if (failure !== undefined) return;
    try {
      if (pieces === output && onOutput !== undefined) return onOutput(chunk);
    } catch (error) {
      return fail(error);
    }
    bytes += chunk.length;
    if (bytes > MAX_OUTPUT_BYTES) return fail(new GitError(null, `git printed more than ${MAX_OUTPUT_BYTES} bytes`));
    pieces.push(chunk);
  };
  child.stdout.on('data', take(output));
  child.stderr.on('data', take(errors));
  signal.addEventListener('abort', stop, { once: true });
  try {
    const [exitCode] = (await once(child, 'close')) as [number | null];
    signal.throwIfAborted();
    if (failure !== undefined) throw failure;
    if (isSilent) throw new GitError(exitCode, `git printed nothing for ${maxSilenceMs} ms`);
    // Some failures are only visible in the exit code.
    if (exitCode !== 0) throw new GitError(exitCode, Buffer.concat([...errors, ...output]).toString());
    return Buffer.concat(output);
  } finally {
    clearTimeout(silence);
    signal.removeEventListener('abort', stop);
  }
}
