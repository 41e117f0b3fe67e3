import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { isNotFound } from '../../../base/errno.ts';
import {
  type IgnoreRules,
  parseIgnoreRules,
  verdictOf,
  MAX_IGNORE_FILE_BYTES,
} from '../../../base/globs/ignore-rules.ts';

const EXCLUDE_ALL = parseIgnoreRules('*');

/** The files of a folder that `.gitignore` files exclude. */
export interface IgnoredFiles {
  /** @param place absolute, without links */
  has(place: string): boolean;
}

/** Reads the rules once; they cannot change the answer while a program runs. @param folder absolute, without links */
export function createIgnoredFiles(folder: string): IgnoredFiles {
  const root = repositoryOf(folder);
  const rules = new Map<string, IgnoreRules>();
  const rulesOf = (folder: string): IgnoreRules => {
    let found = rules.get(folder);
    if (found === undefined) rules.set(folder, (found = readRules(join(folder, '.gitignore'))));
    return found;
  };
  /** The nearest folder with a rule that matches decides. */
  const isExcluded = (place: string, isFolder: boolean): boolean => {
    for (let above = dirname(place); ; above = dirname(above)) {
      const verdict = verdictOf(rulesOf(above), relative(above, place).split(sep).join('/'), isFolder);
      if (verdict !== undefined) return verdict === 'ignored';
      if (above === root) return false;
    }
  };
  return {
    has(place) {
      if (!place.startsWith(root + sep)) return false;
      const names = relative(root, place).split(sep);
      // Rules cannot include a path again whose folder is excluded.
      return names.some((_, index) => {
        const part = join(root, ...names.slice(0, index + 1));
        return isExcluded(part, index < names.length - 1 || isDirectory(part));
      });
    },
  };
}

/** The repository around the folder, whose rules apply too; the folder itself if there is none. */
function repositoryOf(folder: string): string {
  for (let above = folder; dirname(above) !== above; above = dirname(above))
    if (existsSync(join(above, '.git'))) return above;
  return folder;
}

const isDirectory = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Excludes everything below the folder where the rules cannot be read: a program must not read what they may exclude. */
function readRules(file: string): IgnoreRules {
  try {
    const found = statSync(file);
    if (!found.isFile()) return [];
    return found.size <= MAX_IGNORE_FILE_BYTES ? parseIgnoreRules(readFileSync(file, 'utf8')) : EXCLUDE_ALL;
  } catch (error) {
    return isNotFound(error) ? [] : EXCLUDE_ALL;
  }
}
