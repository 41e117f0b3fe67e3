import { withUnixLineEnds } from '../../base/line-ends.ts';
import { messageOf } from '../../base/describe-cause.ts';
import { createHash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { devNull } from 'node:os';
import type { ProjectPath } from '../../base/brand.ts';
import { ifFound } from '../../base/errno.ts';
import type { Git, GitStatus } from '../../ports/git.ts';
import type { Logger } from '../../ports/logger.ts';
import { TimeSlice } from '../../base/time-slice.ts';
import { nodeClock } from '../node/clock.ts';
import { inheritedVariables, runGit, type RunGit } from './run-git.ts';
import { parseStatus, recordsOf } from './parse-status.ts';
import { findRepositoryPrograms } from './repository-programs.ts';
import { PathsAndBelow } from './paths-and-below.ts';

/** A git that prints nothing for this long is ended. */
const MAX_SILENCE_MS = 10_000;

/**
 * The git on the PATH, for one folder. Runs no program that the repository configures (hook, filter, file monitor, transport), takes no
 * lock except to stage, never prompts, and never uses the network. Enters only submodules that the index names. Blob ids are those of git,
 * and for a text that git stores with CR LF also that of the text with LF.
 *
 * @param folder the project folder, absolute
 * @param run starts git: `createThreadGit` in a process that must not be blocked
 */
export function createGitClient(folder: string, log: Logger, run: RunGit = runGit): Git {
  const place: GitPlace = { folder, run };
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
        const isRepository = await collect(place, '', status, signal);
        return isRepository ? status : undefined;
      } catch (error) {
        signal.throwIfAborted();
        log.warn('git gives no answer; changes have no defaults', {
          reason: messageOf(error),
        });
        return undefined;
      }
    },
    async committed(path, signal) {
      try {
        const git = gitIn(place, signal);
        if ((await prefixIn(git)) === undefined) return undefined;
        return await git(['show', '--no-textconv', '--no-ext-diff', `HEAD:./${path}`]);
      } catch (error) {
        signal.throwIfAborted();
        log.debug('git has no committed version', {
          path,
          reason: messageOf(error),
        });
        return undefined;
      }
    },
    async storedBlobs(ids, signal) {
      if (ids.length === 0) return new Set();
      try {
        const git = gitIn(place, signal, { input: `${ids.join('\n')}\n` });
        const listed = await textOf(git(['cat-file', '--batch-check=%(objectname) %(objecttype)']));
        return new Set(
          listed.split('\n').flatMap(line => (line.endsWith(' blob') ? [line.slice(0, -' blob'.length)] : [])),
        );
      } catch (error) {
        signal.throwIfAborted();
        log.debug('git does not list its blobs', { reason: messageOf(error) });
        return new Set();
      }
    },
    async blob(id, signal) {
      try {
        return await gitIn(place, signal)(['cat-file', 'blob', id]);
      } catch (error) {
        signal.throwIfAborted();
        log.debug('git has no such blob', { id, reason: messageOf(error) });
        return undefined;
      }
    },
    async stage(paths, signal) {
      if (paths.length === 0) return;
      try {
        const plain = gitIn(place, signal);
        if ((await prefixIn(plain)) === undefined) return;
        const { overrides, filters } = await findRepositoryPrograms(plain);
        const filtered = filters.size === 0 ? new Set() : await pathsWithFilter(place, paths, filters, signal);
        const staged = paths.filter(path => !filtered.has(path));
        if (filtered.size > 0)
          log.warn('git did not stage files with a filter of the repository', { count: filtered.size });
        if (staged.length === 0) return;
        // The paths are the input, because a command line has a maximum length: 32,767 characters on Windows.
        const git = gitIn(place, signal, { config: overrides, input: pathsWithNul(staged) });
        // Literal, whatever characters the paths have.
        const fromInput = ['--pathspec-from-file=-', '--pathspec-file-nul'];
        await git(['--literal-pathspecs', 'add', '--ignore-errors', ...fromInput]);
      } catch (error) {
        signal.throwIfAborted();
        log.warn('git did not stage everything', { reason: messageOf(error) });
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

/** Adds the status of the repository of `folder`, with `prefix` before every path. Returns false if there is no repository. */
async function collect(place: GitPlace, prefix: string, status: MutableStatus, signal: AbortSignal): Promise<boolean> {
  const plain = gitIn(place, signal);
  const below = await prefixIn(plain);
  if (below === undefined) return false;
  const { overrides } = await findRepositoryPrograms(plain);
  const git = gitIn(place, signal, { config: overrides });
  const submodules = await collectSubmodules(git, place, prefix, status, signal);
  const output = await textOf(
    git([
      '--no-optional-locks',
      'status',
      '--porcelain=v2',
      '-z',
      '--no-renames',
      '--untracked-files=all',
      '--ignored=matching',
      // Git would start another git in each submodule, without these settings.
      '--ignore-submodules=dirty',
      '--',
      '.',
    ]),
  );
  const blobs = new Map<string, readonly string[]>();
  const slice = new TimeSlice(nodeClock);
  for (const entry of parseStatus(output)) {
    await slice.yieldToEventLoop();
    // A path above the folder is an ignored or untracked folder that contains it.
    const inside = entry.path.startsWith(below) ? entry.path.slice(below.length) : '';
    const path = (prefix + inside).replace(/\/$/, '') as ProjectPath;
    if (submodules.has(inside)) continue;
    // Git lists a folder as untracked only if it is a repository, and does not know its files.
    const isNested = entry.kind === 'untracked' && entry.path.endsWith('/') && inside !== '';
    if (entry.kind === 'ignored' || isNested) {
      status.ignored.add(path);
      continue;
    }
    status.changed.add(path);
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

/** Adds the status of the submodules that the index names. Returns their paths in `folder`. */
async function collectSubmodules(
  git: RunInFolder,
  { folder, run }: GitPlace,
  prefix: string,
  status: MutableStatus,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const slice = new TimeSlice(nodeClock);
  for (const entry of recordsOf(await textOf(git(['ls-files', '--stage', '-z', '--', '.'])))) {
    await slice.yieldToEventLoop();
    const path = entry.slice(entry.indexOf('\t') + 1);
    if (!entry.startsWith(`${SUBMODULE_MODE} `) || found.has(path)) continue;
    // In a folder without a repository, git would use the repository above it.
    const repository = await ifFound(lstat(join(folder, path, '.git')));
    if (
      repository !== undefined &&
      (await collect({ folder: join(folder, path), run }, `${prefix}${path}/`, status, signal))
    )
      found.add(path);
  }
  return found;
}

const SUBMODULE_MODE = '160000';

/** The input of a git command with `-z`. */
const pathsWithNul = (paths: readonly ProjectPath[]): string => `${paths.map(path => path || '.').join('\0')}\0`;

/** The paths that use a filter with one of these names. */
async function pathsWithFilter(
  place: GitPlace,
  paths: readonly ProjectPath[],
  filters: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<ReadonlySet<ProjectPath>> {
  const git = gitIn(place, signal, { input: pathsWithNul(paths) });
  const fields = (await textOf(git(['check-attr', '-z', '--stdin', 'filter']))).split('\0');
  return new Set(paths.filter((_, index) => filters.has(fields[3 * index + 2] ?? '')));
}

/** Adds the ids of texts with LF that git stores with CR LF, because Studio has them with LF. */
async function withLineFeeds(
  git: RunInFolder,
  blobs: ReadonlyMap<string, readonly string[]>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const extended = new Map<string, readonly string[]>();
  if (blobs.size === 0) return extended;
  const listed = await textOf(git(['ls-files', '--eol', '-z', '--', '.']));
  const slice = new TimeSlice(nodeClock);
  for (const line of recordsOf(listed)) {
    await slice.yieldToEventLoop();
    const [info = '', path = ''] = line.split('\t', 2);
    const known = blobs.get(path);
    if (known === undefined || !/^i\/(?:crlf|mixed)\b/.test(info)) continue;
    const ids = await Promise.all(known.map(id => lineFeedId(git, id)));
    extended.set(path, Array.from(new Set([...known, ...ids])));
  }
  return extended;
}

async function lineFeedId(git: RunInFolder, id: string): Promise<string> {
  const text = withUnixLineEnds((await git(['cat-file', 'blob', id])).toString('latin1'));
  const bytes = Buffer.from(text, 'latin1');
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

/** The path of the folder in its work tree, with a slash at its end unless it is empty; `undefined` outside of a work tree. */
async function prefixIn(git: RunInFolder): Promise<string | undefined> {
  try {
    const [isInside, prefix] = splitOnce(await textOf(git(['rev-parse', '--is-inside-work-tree', '--show-prefix'])));
    return isInside === 'true' ? prefix.replace(/\n$/, '') : undefined;
  } catch (error) {
    if (error instanceof Error && /not a git repository/.test(error.message)) return undefined;
    throw error;
  }
}

/** The first line, and the rest. A folder's name may contain a line break. */
function splitOnce(text: string): readonly [string, string] {
  const end = text.indexOf('\n');
  return end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end + 1)];
}

type RunInFolder = (args: readonly string[]) => Promise<Buffer>;

/** Settings that prevent the configuration of the repository from starting a program. */
const startNothing: readonly string[] = [
  'core.fsmonitor=false',
  `core.hooksPath=${devNull}`,
  // The only hook that the commands used here could run from a configuration file (git 2.55 and newer).
  'hook.post-index-change.enabled=false',
  'core.untrackedCache=false',
  'protocol.allow=never',
];

/** A folder, and how git is started there. */
interface GitPlace {
  /** Absolute. */
  readonly folder: string;
  readonly run: RunGit;
}

const gitIn =
  (
    { folder, run }: GitPlace,
    signal: AbortSignal,
    { input, config = [] }: { readonly input?: string; readonly config?: readonly string[] } = {},
  ): RunInFolder =>
  args =>
    run(
      {
        folder,
        variables: {
          ...inheritedVariables(['XDG_CONFIG_HOME']),
          LC_ALL: 'C',
          GIT_TERMINAL_PROMPT: '0',
          GIT_NO_LAZY_FETCH: '1',
          // No transport, whatever `protocol.<name>.allow` says: older versions do not know the variable above.
          GIT_ALLOW_PROTOCOL: '',
        },
        config: [...startNothing, ...config],
        maxSilenceMs: MAX_SILENCE_MS,
        ...(input === undefined ? {} : { input }),
        signal,
      },
      args,
    );

const textOf = async (output: Promise<Buffer>): Promise<string> => (await output).toString();
