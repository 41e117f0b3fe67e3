import { isWindowsDevice } from './windows-names.ts';
import type { Brand } from './brand.ts';

/** A path below a root: names joined by `/`, none empty, `.`, `..`; `''` for the root itself. */
export type RootPath = Brand<string, 'RootPath'>;

/**
 * Reads a path as somebody outside writes it: `/` between names (a backslash separates too), `.` and `..` resolved. `undefined` when it
 * is absolute in any system's spelling, leaves the root at the end or on the way, or holds a NUL.
 */
export function parseRootPath(text: string): RootPath | undefined {
  if (/^[/\\]|^[A-Za-z]:|\0/.test(text)) return undefined;
  const names: string[] = [];
  for (const name of text.split(/[/\\]/)) {
    if (name === '' || name === '.') continue;
    if (name !== '..') names.push(name);
    else if (names.pop() === undefined) return undefined;
  }
  // Only names that passed are in it.
  return names.join('/') as RootPath;
}

/** Whether Windows takes a name on the way for something else: a stream (`a:b`), a device (`nul.md`), another name (`a.`, `a `). */
export const isSpecialOnWindows = (path: string): boolean =>
  path.split('/').some(name => /:|[. ]$/.test(name) || isWindowsDevice(name));

/** From a listing, whose names hold no separator. */
export const childPath = (folder: RootPath, name: string): RootPath =>
  (folder === '' ? name : `${folder}/${name}`) as RootPath;

/** Whether a name on the way starts with a dot: such files are neither listed nor searched. */
export const isHidden = (path: string): boolean => path.startsWith('.') || path.includes('/.');

/** Whether a name on the way cannot be written in an answer and read back: not UTF-8, or with a line break. */
export const isUnprintable = (path: string): boolean => /[\n\r\uFFFD]/.test(path);
