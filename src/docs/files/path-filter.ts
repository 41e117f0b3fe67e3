import { AppError } from '../../base/errors.ts';
import { compileGlob, type Glob } from '../../base/globs/glob.ts';

/** Selects the files that a search reads. */
export interface PathFilter {
  matches(path: string): boolean;
  /** Globs for the names of all matching files, to speed up the search; `undefined` if `include` cannot be expressed that way. */
  readonly nameGlobs: readonly string[] | undefined;
}

/**
 * Compiles the globs of a search to a filter.
 *
 * @param include a file must match one of these; if empty, all files match
 * @param exclude files that match one of these are skipped, and so is everything below a matching folder
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
    matches: path =>
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
  // ripgrep interprets other characters differently: for example, `?` matches one byte.
  return names.length > 0 && names.every(name => /^[\w.*-]+$/.test(name) && !/^\*+$/.test(name)) ? names : undefined;
}
