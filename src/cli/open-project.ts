import { join, relative } from 'node:path';
import { createNodeFileSystem } from '../adapters/fs/node-file-system.ts';
import { createNodeWatcher } from '../adapters/fs/node-watcher.ts';
import { readOpenSync } from '../adapters/fs/read-open.ts';
import { nodeClock } from '../adapters/node/clock.ts';
import { nodeHasher } from '../adapters/node/hasher.ts';
import { nodeInflate } from '../adapters/node/inflate.ts';
import { inProcessConverter } from '../project/file-kinds/convert-data.ts';
import { nodeRandom } from '../adapters/node/random.ts';
import { readReflectionFile } from '../adapters/node/reflection-file.ts';
import type { FoundProject } from '../app/find-project.ts';
import { createReflection, type Reflection } from '../roblox/instances/reflection.ts';
import type { Dialect } from '../project/project-file/project-file.ts';
import type { ProjectDiagnostic } from '../project/project-session.ts';
import type { FileProjectSession } from '../project/session/file-project-session.ts';
import { findProjectFile, openProjectSession } from '../project/session/open-project-session.ts';
import type { FileEdit } from '../ports/file-system.ts';
import { findMissingPaths } from '../project/writeback/syncback/missing-paths.ts';
import type { FileWatcher } from '../ports/file-watcher.ts';
import type { CliIo } from './io.ts';
import { commandLog } from './log-level.ts';

/** The project of a command. */
export interface CommandProject extends Disposable {
  readonly session: FileProjectSession;
  /** Absolute, real folder that the session's paths are relative to: the project file's folder, or one above. */
  readonly folder: string;
  readonly reflection: Reflection;
  /** The edits that also create the missing paths of the project. */
  completeEdits(edits: readonly FileEdit[]): readonly FileEdit[];
}

export interface CommandProjectOptions {
  readonly dialect: Dialect | undefined;
  /** Whether the tree follows later changes of the files. */
  readonly watch: boolean;
  /** Whether a missing `$path` is read as an empty folder or script, because the command creates it. */
  readonly createsPaths: boolean;
}

/** Loads the project found by `findProject`. @throws AppError NO_PROJECT, PROJECT_INVALID */
export async function openCommandProject(
  { folder, projectFile }: FoundProject,
  io: CliIo,
  { dialect, watch, createsPaths }: CommandProjectOptions,
): Promise<CommandProject> {
  const log = commandLog(io, 'warn');
  const reflection = createReflection(await readReflectionFile());
  const isReadOnce = !watch && !createsPaths;
  // Nothing else runs in this process meanwhile, so reading may block the thread.
  const files = createNodeFileSystem(folder, nodeHasher, isReadOnce ? readOpenSync : undefined);
  const missing = createsPaths
    ? await findMissingPaths(files, projectFile ?? (await findProjectFile(files, dialect)), dialect)
    : undefined;
  const ports = {
    files: missing?.files ?? files,
    watcher: watch ? createNodeWatcher(folder, log.child('watcher')) : noWatcher,
    clock: nodeClock,
    random: nodeRandom,
    hasher: nodeHasher,
    inflate: nodeInflate,
    converter: inProcessConverter,
    reflection,
    log,
    isReadOnce,
  };
  const session = await openProjectSession(ports, io.stop, { projectFile, dialect });
  const completeEdits = (edits: readonly FileEdit[]) => missing?.complete(edits) ?? edits;
  return { session, folder, reflection, completeEdits, [Symbol.dispose]: () => session[Symbol.dispose]() };
}

const noWatcher: FileWatcher = { watch: () => ({ [Symbol.dispose]: () => undefined }) };

/** `file:line:column: severity: message`, with the file relative to the current folder. */
export const problemLine = (problem: ProjectDiagnostic, folder: string, cwd: string): string =>
  `${relative(cwd, join(folder, problem.file))}:${problem.line}:${problem.column}: ${problem.severity}: ${problem.message}`;
