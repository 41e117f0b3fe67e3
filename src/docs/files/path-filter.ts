import { AppError } from '../../base/errors.ts';
import { compileGlob, type Glob } from '../../base/globs/glob.ts';

/** Which files a search looks at. */
export interface PathFilter {
  fits(path: string): boolean;
  /** Names that every fitting file has, as a shortcut for the search; `undefined`: it cannot be said so simply. */
  readonly nameGlobs: readonly string[] | undefined;
}

/**
 * @param include a file must fit one of these; none: all files fit
 * @param exclude a file that fits one of these is left out, and so is what lies below a folder that does
 * @throws AppError GLOB_INVALID
 */
export function createPathFilter(include: readonly string[], exclude: readonly string[]): PathFilter {
  const included = include.map(compile);
  const excluded = exclude.map(compile);
  const isExcluded = (path: string): boolean => {
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1))
      if (excluded.some(fits => fits(path.slice(0, end)))) return true;
    return false;
  };
  return {
    fits: path =>
      (included.length === 0 || included.some(fits => fits(path))) && (excluded.length === 0 || !isExcluded(path)),
    nameGlobs: nameGlobsOf(include),
  };
}

function compile(glob: string): Glob {
  const compiled = compileGlob(glob, 'names');
  if (!compiled.ok) throw new AppError('GLOB_INVALID', { glob, reason: compiled.error });
  return compiled.value;
}

function nameGlobsOf(globs: readonly string[]): readonly string[] | undefined {
  const names = globs.map(glob => glob.slice(glob.lastIndexOf('/') + 1));
  // Anything but these characters may mean something else to whoever takes the shortcut; to ripgrep a ? is one byte.
  return names.length > 0 && names.every(name => /^[\w.*-]+$/.test(name) && !/^\*+$/.test(name)) ? names : undefined;
}
