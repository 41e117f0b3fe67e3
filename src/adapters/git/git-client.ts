import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { devNull } from 'node:os';
import type { ProjectPath } from '../../base/brand.ts';
import type { Git, GitStatus } from '../../ports/git.ts';
import type { Logger } from '../../ports/logger.ts';
import { inheritedVariables, runGit } from './run-git.ts';
import { parseStatus } from './parse-status.ts';
import { PathsAndBelow } from './paths-and-below.ts';

/** A git that prints nothing for this long is stuck. */
const MAX_SILENCE_MS = 10_000;

/**
 * The git on the PATH, asked about one folder. Runs no hook and no file monitor, takes no lock but to stage, never asks anybody anything, never
 * touches the network. Blob ids are git's own: of a file whose line ends git converts, those of the converted text.
 *
 * @param folder the project folder, absolute
 */
export function createGitClient(folder: string, log: Logger): Git {
  return {
    async status(signal) {
      signal.throwIfAborted();
      const status: MutableStatus = {
        changed: new Set(),
        untracked: new Set(),
        ignored: new PathsAndBelow(),
        blobs: new Map(),
      };
      try {
        const isRepository = await collect(folder, '', status, signal);
        return isRepository ? status : undefined;
      } catch (error) {
        signal.throwIfAborted();
        log.warn('git gives no answer; changes have no defaults', {
          reason: error instanceof Error ? error.message : String(error),
        });
        return undefined;
      }
    },
    async committed(path, signal) {
      try {
        const git = gitIn(folder, signal);
        if (!(await isWorkTree(git))) return undefined;
        return await git(['show', '--no-textconv', '--no-ext-diff', `HEAD:./${path}`]);
      } catch (error) {
        signal.throwIfAborted();
        log.debug('git has no committed version', {
          path,
          reason: error instanceof Error ? error.message : String(error),
        });
        return undefined;
      }
    },
    async storedBlobs(ids, signal) {
      if (ids.length === 0) return new Set();
      try {
        const git = gitIn(folder, signal, `${ids.join('\n')}\n`);
        if (!(await isWorkTree(gitIn(folder, signal)))) return new Set();
        const listed = await textOf(git(['cat-file', '--batch-check=%(objectname) %(objecttype)']));
        return new Set(
          listed.split('\n').flatMap(line => (line.endsWith(' blob') ? [line.slice(0, -' blob'.length)] : [])),
        );
      } catch (error) {
        signal.throwIfAborted();
        log.debug('git does not list its blobs', { reason: error instanceof Error ? error.message : String(error) });
        return new Set();
      }
    },
    async blob(id, signal) {
      try {
        return await gitIn(folder, signal)(['cat-file', 'blob', id]);
      } catch (error) {
        signal.throwIfAborted();
        log.debug('git has no such blob', { id, reason: error instanceof Error ? error.message : String(error) });
        return undefined;
      }
    },
    async stage(paths, signal) {
      if (paths.length === 0) return;
      try {
        const git = gitIn(folder, signal);
        if (!(await isWorkTree(git))) return;
        // Names are names here, whatever characters they have.
        await git(['--literal-pathspecs', 'add', '--ignore-errors', '--', ...paths.map(path => path || '.')]);
      } catch (error) {
        signal.throwIfAborted();
        log.warn('git did not stage everything', { reason: error instanceof Error ? error.message : String(error) });
      }
    },
  };
}

interface MutableStatus extends GitStatus {
  readonly changed: Set<ProjectPath>;
  readonly untracked: Set<ProjectPath>;
  readonly ignored: Set<ProjectPath>;
  readonly blobs: Map<ProjectPath, readonly string[]>;
}

/** Adds what the repository of `folder` says, with `prefix` in front of every path. False when there is none. */
async function collect(folder: string, prefix: string, status: MutableStatus, signal: AbortSignal): Promise<boolean> {
  const git = gitIn(folder, signal);
  if (!(await isWorkTree(git))) return false;
  const below = (await textOf(git(['rev-parse', '--show-prefix']))).replace(/\n$/, '');
  const output = await textOf(
    git([
      '--no-optional-locks',
      'status',
      '--porcelain=v2',
      '-z',
      '--no-renames',
      '--untracked-files=all',
      '--ignored=matching',
      '--ignore-submodules=none',
      '--',
      '.',
    ]),
  );
  const blobs = new Map<string, readonly string[]>();
  for (const entry of parseStatus(output)) {
    // A path above the folder means the folder itself, as a part of an ignored or untracked whole.
    const inside = entry.path.startsWith(below) ? entry.path.slice(below.length) : '';
    const path = (prefix + inside).replace(/\/$/, '') as ProjectPath;
    const isRepository =
      entry.kind === 'changed' ? entry.isSubmodule : entry.kind === 'untracked' && entry.path.endsWith('/');
    if (isRepository && inside !== '' && (await collect(join(folder, inside), `${path}/`, status, signal))) continue;
    if (entry.kind === 'ignored') status.ignored.add(path);
    else status.changed.add(path);
    if (entry.kind === 'untracked') status.untracked.add(path);
    if (entry.kind === 'changed' && entry.blobs.length > 0) {
      status.blobs.set(path, entry.blobs);
      blobs.set(inside, entry.blobs);
    }
  }
  for (const [inside, ids] of await withLineFeeds(git, blobs))
    status.blobs.set(`${prefix}${inside}` as ProjectPath, ids);
  return true;
}

/** Texts that git keeps with CR LF: Studio has them with LF, so the ids of that spelling are known too. */
async function withLineFeeds(
  git: RunInFolder,
  blobs: ReadonlyMap<string, readonly string[]>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const extended = new Map<string, readonly string[]>();
  if (blobs.size === 0) return extended;
  const listed = await textOf(git(['ls-files', '--eol', '-z', '--', '.']));
  for (const line of listed.split('\0')) {
    const [info = '', path = ''] = line.split('\t', 2);
    const known = blobs.get(path);
    if (known === undefined || !/^i\/(?:crlf|mixed)\b/.test(info)) continue;
    const ids = await Promise.all(known.map(id => lineFeedId(git, id)));
    extended.set(path, Array.from(new Set([...known, ...ids])));
  }
  return extended;
}

async function lineFeedId(git: RunInFolder, id: string): Promise<string> {
  const text = (await git(['cat-file', 'blob', id])).toString('latin1').replaceAll('\r\n', '\n');
  const bytes = Buffer.from(text, 'latin1');
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

async function isWorkTree(git: RunInFolder): Promise<boolean> {
  try {
    return (await textOf(git(['rev-parse', '--is-inside-work-tree']))).trim() === 'true';
  } catch (error) {
    if (error instanceof Error && /not a git repository/.test(error.message)) return false;
    throw error;
  }
}

type RunInFolder = (args: readonly string[]) => Promise<Buffer>;

/** The repository is only looked at, so nothing in its configuration may start a program. */
const startNothing: readonly string[] = [
  'core.fsmonitor=false',
  `core.hooksPath=${devNull}`,
  'core.untrackedCache=false',
  'protocol.allow=never',
];

const gitIn =
  (folder: string, signal: AbortSignal, input?: string): RunInFolder =>
  args =>
    runGit(
      {
        folder,
        variables: {
          ...inheritedVariables(['XDG_CONFIG_HOME']),
          LC_ALL: 'C',
          GIT_TERMINAL_PROMPT: '0',
          GIT_NO_LAZY_FETCH: '1',
        },
        config: startNothing,
        maxSilenceMs: MAX_SILENCE_MS,
        ...(input === undefined ? {} : { input }),
        signal,
      },
      args,
    );

const textOf = async (output: Promise<Buffer>): Promise<string> => (await output).toString();
