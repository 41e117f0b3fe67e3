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
import { isSecretName } from '../../../base/secret-names.ts';
import type { IgnoredFiles } from './ignored-files.ts';
import type { ProgramFiles } from '../../ports/program-host.ts';

/** The files that a program may access. */
export interface ProgramFileAccess {
  /** Base folder of relative paths, absolute. */
  readonly folder: string;
  /** Contains the temporary folders of the program, absolute. The caller removes it after the program. */
  readonly temporary: string;
  /** True: all files. False: files in the two folders, except secrets and ignored files; modules and ignore rules are read-only. */
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

/** `createIgnoredFiles`, whose code only limited programs load: it would be most of the start time of the others. */
export type CreateIgnored = (folder: string) => IgnoredFiles;

/**
 * Creates the file system of a program. Links are resolved before access is checked.
 *
 * @param createIgnored `undefined` for unlimited programs; a limited program without it can access no file
 */
export function createProgramFiles(reach: ProgramFileAccess, createIgnored: CreateIgnored | undefined): ProgramFiles {
  const roots = [reach.folder, reach.temporary].map(folder => realpathSync.native(folder));
  const open = new Map<number, OpenFile>();
  const ignored = createIgnored?.(roots[0] ?? reach.folder);
  const isHidden = (place: string): boolean => isSecret(place) || ignored?.has(place) !== false;
  const seen = (path: string): string => {
    const place = placeOf(path, reach, roots);
    if (!reach.isUnlimited && isHidden(place))
      throw new Error(`${path}: programs cannot access secrets, Git data and files that Git ignores`);
    return place;
  };
  const changed = (path: string): string => {
    const place = seen(path);
    if (!reach.isUnlimited && isProtected(place))
      throw new Error(`${path}: programs cannot change Pluto modules, the manifest and ignore rules`);
    return place;
  };
  const opened = (file: number): OpenFile => {
    const found = open.get(file);
    if (found === undefined) throw new Error(`file ${file} is not open`);
    return found;
  };
  return {
    open(path, mode) {
      const place = mode === 'read' ? seen(path) : changed(path);
      const descriptor = reach.isUnlimited ? openSync(place, flags[mode]) : openRegular(path, place, flags[mode]);
      open.set(descriptor, { descriptor, position: mode === 'append' ? undefined : 0 });
      return descriptor;
    },
    close(file) {
      closeSync(opened(file).descriptor);
      open.delete(file);
    },
    read(file, most) {
      const one = opened(file);
      const buffer = Buffer.alloc(Math.min(Math.max(most, 0), PIECE_BYTES));
      let text = '';
      for (let left = Math.min(Math.max(most, 0), MAX_READ_BYTES); left > 0;) {
        const count = readSync(one.descriptor, buffer, 0, Math.min(left, buffer.length), one.position ?? 0);
        if (one.position !== undefined) one.position += count;
        if (count === 0) break;
        // Small strings are in the heap, whose limit the engine enforces; a large one would not be.
        text += buffer.toString('latin1', 0, count);
        left -= count;
      }
      return text;
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
    copy(from, to) {
      const [place, target] = [seen(from), changed(to)];
      if (!reach.isUnlimited && !statSync(place).isFile()) throw new Error(`${from}: not a regular file`);
      copyFileSync(place, target);
    },
    list(path) {
      const place = seen(path);
      const names = readdirSync(place);
      if (reach.isUnlimited) return names;
      return names.filter(name => !isHidden(join(place, name)));
    },
    temporaryFolder: () => mkdtempSync(join(reach.temporary, 'temp-')),
  };
}

const PIECE_BYTES = 64 * 1024;
const MAX_READ_BYTES = 1 << 24;

/** Opens a regular file. Opening a FIFO would block until another program opens it, and no limit could end that. */
function openRegular(path: string, place: string, flag: number): number {
  const descriptor = openSync(place, flag | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0), 0o666);
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  throw new Error(`${path}: not a regular file`);
}

/** The real path, whose last segments may not exist. @throws Error if access is not allowed */
function placeOf(path: string, { folder, isUnlimited }: ProgramFileAccess, roots: readonly string[]): string {
  const wanted = resolve(folder, path);
  if (isUnlimited) return wanted;
  const place = realPlace(wanted);
  if (place === undefined || !roots.some(root => place === root || place.startsWith(root + sep)))
    throw new Error(`${path}: programs can only access files in the project and in their temporary folder`);
  return place;
}

/** `undefined` behind a broken link, where nothing may be created. */
function realPlace(path: string): string | undefined {
  try {
    // The native version returns names as spelled on disk: on case-insensitive disks, spellings differ for the same file.
    return realpathSync.native(path);
  } catch {
    // Some segment does not exist.
    if (dirname(path) === path || isLink(path)) return undefined;
    const folder = realPlace(dirname(path));
    return folder === undefined ? undefined : join(folder, basename(path));
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  } catch {
    // The folder cannot be read, so `realPlace` continues with it.
    return false;
  }
}

/** Files that programs cannot change: modules, the manifest, and the rules that keep the next program from ignored files. */
function isProtected(place: string): boolean {
  const name = plain(basename(place));
  return /\.(?:pluto|pt)$/.test(name) || name === 'pluto.toml' || name === '.gitignore';
}

const isSecret = (place: string): boolean => place.split(sep).some(isSecretName);

/** Windows and macOS ignore case; Windows also ignores trailing dots and spaces, and a stream name after a colon. */
const plain = (name: string): string =>
  name
    .replace(/:.*$/s, '')
    .replace(/[. ]+$/, '')
    .toLowerCase();
