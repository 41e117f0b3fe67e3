import { isWindowsDevice } from './windows-names.ts';
import type { Brand } from './brand.ts';

/** A path below a root: names joined by `/`, none of them empty, `.` or `..`; `''` for the root itself. */
export type RootPath = Brand<string, 'RootPath'>;

/**
 * Parses a path from a caller: separates names at `/` and backslash, and resolves `.` and `..`. Returns `undefined` if the path is absolute
 * on any operating system, leaves the root at any point, or contains a NUL.
 */
export function parseRootPath(text: string): RootPath | undefined {
  if (/^[/\\]|^[A-Za-z]:|\0/.test(text)) return undefined;
  const names: string[] = [];
  for (const name of text.split(/[/\\]/)) {
    if (name === '' || name === '.') continue;
    if (name !== '..') names.push(name);
    else if (names.pop() === undefined) return undefined;
  }
  // Every name has passed the checks above.
  return names.join('/') as RootPath;
}

/** Whether Windows interprets a name in the path as something else: a stream (`a:b`), a device (`nul.md`), another name (`a.`, `a `). */
export const isSpecialOnWindows = (path: string): boolean =>
  path.split('/').some(name => /:|[. ]$/.test(name) || isWindowsDevice(name));

/** The path of an entry of `folder`. `name` comes from a directory listing, so it contains no separator. */
export const childPath = (folder: RootPath, name: string): RootPath =>
  (folder === '' ? name : `${folder}/${name}`) as RootPath;

/** Whether a name in the path starts with a dot. Such files are neither listed nor searched. */
export const isHidden = (path: string): boolean => path.startsWith('.') || path.includes('/.');

/** Whether a name in the path cannot be printed in an answer and read back: it is not UTF-8, or has a line break or a backslash. */
export const isUnprintable = (path: string): boolean => /[\n\r\\\uFFFD]/.test(path);
