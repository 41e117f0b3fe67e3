import { plainText } from '../../../base/line-ends.ts';
import type { ProjectPath } from '../../../base/brand.ts';
import { AppError } from '../../../base/errors.ts';
import { folderOf, isProjectPath, nameOf } from '../../../base/project-path.ts';
import { carryIds } from '../../language/identity/carry-ids.ts';
import { stemOf, VENDORED } from '../../language/modules/folder-index.ts';
import type { LoadedModule } from '../../language/modules/load-module.ts';
import { parseModule } from '../../language/syntax/parse.ts';
import { isIdentifier } from '../../language/syntax/token.ts';
import type { PlutoSession } from '../pluto-session.ts';
import { problemsOf } from './snippet.ts';

/**
 * Creates a module in memory. `save` creates its file and missing folders.
 * @param path ends in `.pluto`
 * @throws AppError PLUTO_PATH_INVALID, PLUTO_MODULE_EXISTS, PLUTO_SOURCE_INVALID
 */
export async function createModule(
  session: PlutoSession,
  { path, source }: { readonly path: string; readonly source: string },
  signal: AbortSignal,
): Promise<LoadedModule> {
  const target = modulePath(path);
  const module = parseModule(plainText(source));
  const problems = problemsOf(module);
  if (problems.length > 0) throw new AppError('PLUTO_SOURCE_INVALID', { what: 'The module', problems });
  const made: LoadedModule = { kind: 'loaded', path: target, module, container: undefined, gitBlob: '' };
  await session.transact('create_module', signal, () => {
    const existing = session.files.find(file => folderOf(file) === folderOf(target) && stemOf(file) === stemOf(target));
    if (existing !== undefined) throw new AppError('PLUTO_MODULE_EXISTS', { path: existing });
    carryIds({ before: undefined, after: module, makeId: session.idsFor(target) });
    return { modules: [made] };
  });
  return made;
}

/** @throws AppError PLUTO_PATH_INVALID */
function modulePath(path: string): ProjectPath {
  const invalid = (reason: string): AppError => new AppError('PLUTO_PATH_INVALID', { path, reason });
  if (path === '' || !isProjectPath(path)) throw invalid('the path is outside the project or not normalized');
  if (!path.endsWith('.pluto')) throw invalid('a module file must end in .pluto');
  if (!isIdentifier(stemOf(path))) throw invalid(`${nameOf(path)} cannot be imported by name`);
  const hidden = folderOf(path)
    .split('/')
    .find((name, index) => (name.startsWith('.') && !(index === 0 && name === VENDORED)) || name === 'node_modules');
  if (hidden !== undefined) throw invalid(`modules in ${hidden} are ignored`);
  return path;
}
