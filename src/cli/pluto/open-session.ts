import { realpath, stat } from 'node:fs/promises';
import { dirname, relative, resolve, sep } from 'node:path';
import { createNodeFileSystem } from '../../adapters/fs/node-file-system.ts';
import { readOpenAtOnce } from '../../adapters/fs/read-open.ts';
import { firstThere } from '../../adapters/fs/project-reach.ts';
import { nodeHasher } from '../../adapters/node/hasher.ts';
import { nodeRandom } from '../../adapters/node/random.ts';
import type { ProjectPath } from '../../base/brand.ts';
import { AppError } from '../../base/errors.ts';
import { isAtOrBelow } from '../../base/project-path.ts';
import { PlutoSession } from '../../core/pluto/session/pluto-session.ts';
import type { CliIo } from '../io.ts';
import type { PlutoArgs } from './pluto-args.ts';

/** What a command works on. */
export interface PlutoTarget {
  readonly session: PlutoSession;
  /** Absolute, links followed. */
  readonly folder: string;
  /** The path that was named, in the project: a file or a folder. */
  readonly path: ProjectPath;
  readonly isFolder: boolean;
  /** Module files that are meant. */
  readonly modules: readonly ProjectPath[];
}

/** @throws AppError PLUTO_MODULE_NOT_FOUND, PATH_OUTSIDE_ROOT */
export async function openTarget({ path, project }: PlutoArgs, io: CliIo): Promise<PlutoTarget> {
  const written = path ?? project ?? '.';
  const wanted = await realpath(resolve(io.cwd, written)).catch(() => undefined);
  if (wanted === undefined) throw new AppError('PLUTO_MODULE_NOT_FOUND', { path: written });
  const isFolder = (await stat(wanted)).isDirectory();
  const start = isFolder ? wanted : dirname(wanted);
  const folder = project === undefined ? await packageFolder(start) : await realpath(resolve(io.cwd, project));
  const inside = relative(folder, wanted);
  if (inside === '..' || inside.startsWith(`..${sep}`)) throw new AppError('PATH_OUTSIDE_ROOT', { path: written });
  // Just made relative to the project.
  const at = inside.split(sep).join('/') as ProjectPath;
  const files = createNodeFileSystem(folder, nodeHasher, readOpenAtOnce);
  const tool = { name: 'atlas-bridge', version: io.version };
  const session = await PlutoSession.open({ files, hasher: nodeHasher, random: nodeRandom }, { tool }, io.stop);
  const modules = isFolder
    ? session.files.filter(file => isAtOrBelow(file, at))
    : session.files.filter(file => file === at);
  return { session, folder, path: at, isFolder, modules };
}

/** The nearest folder upwards with a `pluto.toml`, not beyond a repository; else `start`. */
async function packageFolder(start: string): Promise<string> {
  for (let at = start; ; at = dirname(at)) {
    if ((await firstThere(at, ['pluto.toml'])) !== undefined) return at;
    if ((await firstThere(at, ['.git'])) !== undefined || dirname(at) === at) return start;
  }
}
