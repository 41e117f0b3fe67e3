import {
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  renameSync,
  rmdirSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import type { ProgramFiles } from '../../ports/program-host.ts';

/** The files that a program may access. */
export interface ProgramFileAccess {
  /** Base folder of relative paths, absolute. */
  readonly folder: string;
  /** Contains the temporary folders of the program, absolute. The caller removes it after the program. */
  readonly temporary: string;
  /** True: all files. False: files in the two folders, with Pluto modules and Git files read-only. */
  readonly isUnlimited: boolean;
}

interface OpenFile {
  readonly descriptor: number;
  /** Offset of the next read or write; `undefined` to append. */
  position: number | undefined;
}

const flags = {
  read: constants.O_RDONLY,
  write: constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC,
  append: constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND,
} as const;

/** Creates the file system of a program. Links are resolved before access is checked. */
export function createProgramFiles(reach: ProgramFileAccess): ProgramFiles {
  const roots = [reach.folder, reach.temporary].map(folder => realpathSync.native(folder));
  const open = new Map<number, OpenFile>();
  const seen = (path: string): string => placeOf(path, reach, roots);
  const changed = (path: string): string => {
    const place = seen(path);
    if (!reach.isUnlimited && isProtected(place))
      throw new Error(`${path}: programs cannot change Pluto modules or Git files`);
    return place;
  };
  const opened = (file: number): OpenFile => {
    const found = open.get(file);
    if (found === undefined) throw new Error(`file ${file} is not open`);
    return found;
  };
  return {
    open(path, mode) {
      const descriptor = openSync(mode === 'read' ? seen(path) : changed(path), flags[mode]);
      open.set(descriptor, { descriptor, position: mode === 'append' ? undefined : 0 });
      return descriptor;
    },
    close(file) {
      closeSync(opened(file).descriptor);
      open.delete(file);
    },
    read(file, most) {
      const one = opened(file);
      const buffer = Buffer.alloc(Math.min(Math.max(most, 0), 1 << 24));
      const count = readSync(one.descriptor, buffer, 0, buffer.length, one.position ?? 0);
      if (one.position !== undefined) one.position += count;
      return buffer.toString('latin1', 0, count);
    },
    write(file, bytes) {
      const one = opened(file);
      const count = writeSync(one.descriptor, Buffer.from(bytes, 'latin1'), 0, undefined, one.position ?? null);
      if (one.position !== undefined) one.position += count;
      return count;
    },
    seek(file, offset, from) {
      const one = opened(file);
      const base = from === 'start' ? 0 : from === 'end' ? fstatSync(one.descriptor).size : (one.position ?? 0);
      if (base + offset < 0) throw new Error('cannot seek before the start of the file');
      one.position = base + offset;
      return one.position;
    },
    kind(path) {
      const found = statSync(seen(path), { throwIfNoEntry: false });
      return found && (found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other');
    },
    size: path => statSync(seen(path)).size,
    remove: path => unlinkSync(changed(path)),
    makeFolder: path => mkdirSync(changed(path)),
    removeFolder: path => rmdirSync(changed(path)),
    rename(from, to) {
      const place = changed(from);
      if (!reach.isUnlimited && statSync(place).isDirectory())
        throw new Error(`${from}: programs cannot rename folders, which may contain modules`);
      renameSync(place, changed(to));
    },
    copy: (from, to) => copyFileSync(seen(from), changed(to)),
    list: path => readdirSync(seen(path)),
    temporaryFolder: () => mkdtempSync(join(reach.temporary, 'temp-')),
  };
}

/** The real path, whose last segments may not exist. @throws Error if access is not allowed */
function placeOf(path: string, { folder, isUnlimited }: ProgramFileAccess, roots: readonly string[]): string {
  const wanted = resolve(folder, path);
  if (isUnlimited) return wanted;
  const place = realPlace(wanted);
  if (!roots.some(root => place === root || place.startsWith(root + sep)))
    throw new Error(`${path}: programs can only access files in the project and in their temporary folder`);
  return place;
}

function realPlace(path: string): string {
  try {
    // The native version returns names as spelled on disk: on case-insensitive disks, spellings differ for the same file.
    return realpathSync.native(path);
  } catch {
    // Some segment does not exist. Nothing may be created behind a broken link.
    if (dirname(path) === path || isLink(path)) throw new Error(`${path}: cannot be reached`);
    return join(realPlace(dirname(path)), basename(path));
  }
}

const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;

/** Files that programs cannot change: modules, the manifest, and Git data. */
function isProtected(place: string): boolean {
  const names = place.split(sep).map(plain);
  const name = names.at(-1) ?? '';
  return /\.(?:pluto|pt)$/.test(name) || name === 'pluto.toml' || names.includes('.git');
}

/** Windows and macOS ignore case; Windows also ignores trailing dots and spaces, and a stream name after a colon. */
const plain = (name: string): string =>
  name
    .replace(/:.*$/s, '')
    .replace(/[. ]+$/, '')
    .toLowerCase();
