import type { DiskPorts } from '../tree/disk-ports.ts';
import type { ProjectPath, Ref } from '../../base/brand.ts';
import { AppError } from '../../base/errors.ts';
import { TextBlocks } from '../../base/text-blocks.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FileSystem } from '../../ports/file-system.ts';
import type { FileWatcher } from '../../ports/file-watcher.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { DataConverter } from '../../ports/data-converter.ts';
import type { Inflate } from '../../ports/inflate.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Random } from '../../ports/random.ts';
import type { Reflection } from '../../roblox/instances/reflection.ts';
import type { FileKinds } from '../file-kinds/file-kinds.ts';
import { standardFileKinds } from '../file-kinds/standard-file-kinds.ts';
import type { Dialect } from '../project-file/project-file.ts';
import { defaultProjectNames } from '../project-file/project-names.ts';
import { isSnapshot } from './match-children.ts';
import { DiagnosticStore } from './diagnostic-store.ts';
import { DiskIndex } from '../tree/disk-index.ts';
import { ExpectedRenames } from './expected-renames.ts';
import { FileProjectSession } from './file-project-session.ts';
import { ProjectCache } from './project-cache.ts';
import { ProjectTree } from '../tree/project-tree.ts';
import type { ReadResult } from './read-again.ts';
import { isNodeKey } from '../snapshot/source-snapshot.ts';

export interface ProjectSessionDeps extends Pick<DiskPorts, 'unsavedFiles'> {
  readonly files: FileSystem;
  readonly watcher: FileWatcher;
  readonly clock: Clock;
  readonly random: Random;
  readonly hasher: Hasher;
  readonly inflate: Inflate;
  readonly converter: DataConverter;
  readonly reflection: Reflection;
  readonly log: Logger;
  /** Whether the session is only for reading the project as it is now, without writes or later changes. Saves the time of hashing files. */
  readonly isReadOnce?: boolean;
  /** Defaults to the standard kinds. */
  readonly fileKinds?: FileKinds;
}

export interface ProjectChoice {
  /** The project file. Defaults to the first default name that exists. */
  readonly projectFile?: ProjectPath | undefined;
  /** Chosen by the project file when absent. */
  readonly dialect?: Dialect | undefined;
}

/**
 * Loads the project of a folder and keeps its tree up to date until it is disposed.
 *
 * @throws AppError NO_PROJECT (no file with a default name), PROJECT_INVALID (the first problem in the project file)
 */
export async function openProjectSession(
  deps: ProjectSessionDeps,
  signal: AbortSignal,
  choice: ProjectChoice = {},
): Promise<FileProjectSession> {
  const { files, clock, hasher, reflection, inflate, random } = deps;
  const projectFile = choice.projectFile ?? (await findProjectFile(files, choice.dialect));
  const diagnostics = new DiagnosticStore();
  const session = new FileProjectSession(
    {
      ports: { files, clock, hasher, isReadOnce: deps.isReadOnce, unsavedFiles: deps.unsavedFiles },
      fileKinds: deps.fileKinds ?? standardFileKinds,
      reflection,
      inflate,
      converter: deps.converter,
      texts: new TextBlocks(),
      random,
      workspace: files.root.split(/[\\/]/).findLast(name => name !== '') ?? 'project',
      projectFile,
      dialect: choice.dialect,
      tree: new ProjectTree(random.ref() as Ref),
      index: new DiskIndex(),
      projects: new ProjectCache(),
      diagnostics,
      renames: new ExpectedRenames(),
    },
    deps.watcher,
    deps.log.child('project'),
  );
  try {
    const { root } = await session.load(signal);
    if (root === 'missing') throw noProject(files);
    if (!isWhole(root)) {
      const first =
        diagnostics.list().find(({ severity, file }) => severity === 'error' && file === projectFile) ??
        diagnostics.list()[0];
      const expected = (first?.message ?? 'expected a project').replace(/^expected /, '');
      const { file, line, column } = first ?? { file: projectFile, line: 1, column: 1 };
      const missing = first?.missing && { missing: first.missing };
      throw new AppError('PROJECT_INVALID', { file, line, column, expected, ...missing });
    }
  } catch (error) {
    session[Symbol.dispose]();
    throw error;
  }
  return session;
}

const PROJECT_FILE = /\.project\.json[5c]?$/;

/** The first project file with a default name. @throws AppError NO_PROJECT */
export async function findProjectFile(files: FileSystem, dialect: Dialect | undefined): Promise<ProjectPath> {
  for (const name of defaultProjectNames(dialect)) {
    const path = name as ProjectPath;
    if ((await files.stat(path))?.kind === 'file') return path;
  }
  // The error has the same code without this list.
  const entries = await files.list('' as ProjectPath).catch(() => []);
  const others = entries.flatMap(({ kind, name }) => (kind === 'file' && PROJECT_FILE.test(name) ? [name] : []));
  throw noProject(files, others.toSorted());
}

const noProject = (files: FileSystem, others: readonly string[] = []): AppError =>
  new AppError('NO_PROJECT', {
    folder: files.root,
    lookedFor: defaultProjectNames(),
    ...(others.length > 0 && { others }),
  });

/** Whether every node of the project's tree could be read. */
function isWhole(root: ReadResult['root']): boolean {
  if (root === undefined || root === 'missing' || root.kind === 'kept') return false;
  const open = [root];
  for (let at = open.pop(); at; at = open.pop()) {
    for (const child of at.children) {
      if (child.kind === 'kept' && child.broken && isNodeKey(child.key)) return false;
      if (isSnapshot(child) && child.origin?.kind === 'node') open.push(child);
    }
  }
  return true;
}
