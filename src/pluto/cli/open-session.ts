import { existsSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { createNodeFileSystem } from '../../adapters/fs/node-file-system.ts';
import { readOpenSync } from '../../adapters/fs/read-open.ts';
import { findFirstExisting } from '../../adapters/fs/project-reach.ts';
import { nodeHasher } from '../../adapters/node/hasher.ts';
import { commandJournal } from '../../adapters/node/journal/known-journals.ts';
import { nodeRandom } from '../../adapters/node/random.ts';
import { mayHaveState, stateFolder } from '../../adapters/node/state-folder.ts';
import type { ProjectPath } from '../../base/brand.ts';
import { ifFound } from '../../base/errno.ts';
import { AppError } from '../../base/errors.ts';
import { isAtOrBelow } from '../../base/project-path.ts';
import type { FileTransactions } from '../../ports/file-transactions.ts';
import { countedIds } from '../language/identity/ids.ts';
import { PlutoSession, type SessionPorts } from '../session/pluto-session.ts';
import { modulePathOf } from '../session/views/view-files.ts';
import type { CliIo } from '../../cli/io.ts';
import type { openCommandJournal } from '../../cli/open-journal.ts';
import type { PlutoArgs } from './pluto-args.ts';

/** The target of a command. */
export interface PlutoTarget {
  readonly session: PlutoSession;
  /** Absolute path, with symbolic links resolved. */
  readonly folder: string;
  /** The file or folder of the command line, relative to the project. */
  readonly path: ProjectPath;
  readonly isFolder: boolean;
  /** The module files of the target. */
  readonly modules: readonly ProjectPath[];
  /** Converts a project path for display: relative to the current folder, or absolute if it is elsewhere. */
  readonly displayPath: (path: string) => string;
}

/** @throws JournalUnavailable if this program lacks the code */
export type LoadJournal = () => Promise<typeof openCommandJournal>;

/** Thrown if the folder has a journal: the complete command line must run the command. Nothing has been done yet. */
export class JournalUnavailable extends Error {}

/** Commands that accept a folder; the others require a file. */
const folderCommands: ReadonlySet<PlutoArgs['command']> = new Set(['check', 'generate-pt', 'migrate']);

/** Commands that accept the view of a module. */
const viewCommands: ReadonlySet<PlutoArgs['command']> = new Set(['check', 'sync', 'emit-ast', 'fmt']);

/** Commands that read only a file and what it imports. */
const closureCommands: ReadonlySet<PlutoArgs['command']> = new Set(['check', 'compile', 'run', 'test']);

/**
 * @param withSiblings whether a command on one file also reads the other files of its folder
 * @throws AppError PLUTO_MODULE_NOT_FOUND, PLUTO_PATH_INVALID, PATH_OUTSIDE_ROOT
 */
export async function openTarget(
  { command, path, project, output }: PlutoArgs,
  io: CliIo,
  withSiblings: boolean,
  loadJournal: LoadJournal,
): Promise<PlutoTarget> {
  const written = path ?? project ?? '.';
  const wanted = await realPathOf(resolve(io.cwd, written));
  if (wanted === undefined) throw new AppError('PLUTO_MODULE_NOT_FOUND', { path: written });
  const isFolder = (await stat(wanted)).isDirectory();
  if (isFolder && (!folderCommands.has(command) || output !== undefined))
    throw new AppError('PLUTO_PATH_INVALID', { path: written, reason: 'expected a file, found a folder' });
  const start = isFolder ? wanted : dirname(wanted);
  const folder = project === undefined ? await packageFolder(start) : await projectFolder(resolve(io.cwd, project));
  if (folder === undefined)
    throw new AppError('PLUTO_PATH_INVALID', { path: project ?? '', reason: 'the folder does not exist' });
  const inside = relative(folder, wanted);
  if (inside === '..' || inside.startsWith(`..${sep}`)) throw new AppError('PATH_OUTSIDE_ROOT', { path: written });
  // Relative to the project, as computed above.
  const at = inside.split(sep).join('/') as ProjectPath;
  const files = createNodeFileSystem(folder, nodeHasher, readOpenSync);
  const tool = { name: 'atlas-bridge', version: io.version };
  const transactions = await openTransactions(folder, command, io, loadJournal);
  const ports = {
    files,
    random: nodeRandom,
    transactions,
    ...(command === 'run' ? unhashed() : { hasher: nodeHasher }),
  };
  const closure = !isFolder && closureCommands.has(command) ? { file: at, withSiblings } : undefined;
  const session = await PlutoSession.open(ports, { tool }, io.stop, closure);
  const modules = isFolder
    ? session.files.filter(file => isAtOrBelow(file, at))
    : session.files.filter(file => file === at);
  const module = modulePathOf(at);
  if (modules.length === 0 && session.files.includes(module) && !viewCommands.has(command))
    throw new AppError('PLUTO_PATH_INVALID', { path: written, reason: `it is a view of ${basename(module)}` });
  const displayPath = (one: string): string => {
    const absolute = resolve(folder, one);
    const near = relative(io.cwd, absolute);
    return near.startsWith('..') || isAbsolute(near) ? absolute : near;
  };
  return { session, folder, path: at, isFolder, modules, displayPath };
}

/**
 * For a session that reads every module once and ends with its process. Nothing sees its ids, and it never compares a file with an earlier
 * version. Loading the code of hashes would be a twentieth of the time of a short program.
 */
const unhashed = (): Pick<SessionPorts, 'hasher' | 'idsOf'> => ({
  hasher: { ...nodeHasher, gitBlob: () => '' },
  idsOf: countedIds(),
});

/**
 * Opens the journal of the folder, which completes interrupted writes. Commands that write no modules need no new journal, and loading its
 * code would be most of their time.
 */
async function openTransactions(
  folder: string,
  command: PlutoArgs['command'],
  io: CliIo,
  loadJournal: LoadJournal,
): Promise<FileTransactions | undefined> {
  const mayHaveJournal = (): boolean =>
    mayHaveState(folder, io.env) && existsSync(commandJournal(stateFolder(folder, io.env)));
  if (closureCommands.has(command) && !mayHaveJournal()) return undefined;
  const openCommandJournal = await loadJournal();
  return (await openCommandJournal(folder, io)).transactions;
}

/** The message for a folder without modules. */
export const noModules = ({ isFolder, modules, path, displayPath }: PlutoTarget): readonly string[] =>
  isFolder && modules.length === 0 ? [`${displayPath(path) || 'this folder'}: no Pluto modules found`] : [];

/** The path without links; `undefined` if it does not exist. @throws AppError FS_ACCESS_FAILED */
const realPathOf = (path: string): Promise<string | undefined> =>
  ifFound(realpath(path)).catch((error: unknown) => {
    throw AppError.from(error);
  });

async function projectFolder(path: string): Promise<string | undefined> {
  const found = await realPathOf(path);
  return found !== undefined && (await stat(found)).isDirectory() ? found : undefined;
}

/** The nearest folder above with a `pluto.toml` inside the repository, or `start`. */
async function packageFolder(start: string): Promise<string> {
  for (let at = start; ; at = dirname(at)) {
    if ((await findFirstExisting(at, ['pluto.toml'])) !== undefined) return at;
    if ((await findFirstExisting(at, ['.git'])) !== undefined || dirname(at) === at) return start;
  }
}
