import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type SimpleGit, simpleGit } from 'simple-git';
import type { ProjectPath } from '../../base/brand.ts';
import type { Git, GitStatus } from '../../ports/git.ts';
import type { Logger } from '../../ports/logger.ts';
import { environmentOfGit, startsNothing, startsNothingIsMeant } from './git-process.ts';
import { parseStatus } from './parse-status.ts';
import { PathsAndBelow } from './paths-and-below.ts';

/** Milliseconds without a word from git after which it counts as stuck. */
const SILENCE_MS = 10_000;

/**
 * The git on the PATH, asked about one folder. Runs no hook and no file monitor, takes no lock but to stage, never asks anybody anything, never
 * touches the network. Blob ids are git's own: of a file whose line ends git converts, those of the converted text.
 *
 * @param folder the project folder, absolute
 */
export function createSimpleGit(folder: string, log: Logger): Git {
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
        return await git.showBuffer([`HEAD:./${path}`]);
      } catch (error) {
        signal.throwIfAborted();
        log.debug('git has no committed version', {
          path,
          reason: error instanceof Error ? error.message : String(error),
        });
        return undefined;
      }
    },
    async stage(paths, signal) {
      if (paths.length === 0) return;
      try {
        const git = gitIn(folder, signal);
        if (!(await isWorkTree(git))) return;
        // Names are names here, whatever characters they have.
        await git.raw(['--literal-pathspecs', 'add', '--ignore-errors', '--', ...paths.map(path => path || '.')]);
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
  const below = (await git.raw(['rev-parse', '--show-prefix'])).replace(/\n$/, '');
  const output = await git.raw([
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
  ]);
  const blobs = new Map<string, readonly string[]>();
  for (const entry of parseStatus(output)) {
    // What stands above the folder is that folder itself, as a part of something that is ignored or new as a whole.
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
  git: SimpleGit,
  blobs: ReadonlyMap<string, readonly string[]>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const extended = new Map<string, readonly string[]>();
  if (blobs.size === 0) return extended;
  const listed = await git.raw(['ls-files', '--eol', '-z', '--', '.']);
  for (const line of listed.split('\0')) {
    const [info = '', path = ''] = line.split('\t', 2);
    const known = blobs.get(path);
    if (known === undefined || !/^i\/(?:crlf|mixed)\b/.test(info)) continue;
    const ids = await Promise.all(known.map(id => lineFeedId(git, id)));
    extended.set(path, Array.from(new Set([...known, ...ids])));
  }
  return extended;
}

async function lineFeedId(git: SimpleGit, id: string): Promise<string> {
  const text = (await git.showBuffer([id])).toString('latin1').replaceAll('\r\n', '\n');
  const bytes = Buffer.from(text, 'latin1');
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

async function isWorkTree(git: SimpleGit): Promise<boolean> {
  try {
    return (await git.raw(['rev-parse', '--is-inside-work-tree'])).trim() === 'true';
  } catch (error) {
    if (error instanceof Error && /not a git repository/.test(error.message)) return false;
    throw error;
  }
}

function gitIn(folder: string, signal: AbortSignal): SimpleGit {
  return simpleGit({
    baseDir: folder,
    abort: signal,
    trimmed: false,
    timeout: { block: SILENCE_MS },
    config: [...startsNothing],
    allowEnvironment: ['GIT_TERMINAL_PROMPT'],
    unsafe: startsNothingIsMeant,
  }).env({ ...environmentOfGit(['XDG_CONFIG_HOME']), LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0' });
}
