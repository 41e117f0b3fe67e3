import { isNeverSynced } from '../../base/secret-names.ts';
import { utf8Length } from '../../base/utf8-length.ts';
import { isWindowsDevice } from '../../base/windows-names.ts';
import type { FileKinds } from '../file-kinds/file-kinds.ts';
import type { Dialect } from '../project-file/project-file.ts';

// Decoders replace bytes that are not UTF-8 with U+FFFD.
const forbidden = /[<>:"/|?*\\~\uFFFD\p{Cc}\p{Cs}]/gu;
/** Most file systems allow 255 bytes. The rest is for suffix and number. */
const MAX_BYTES = 200;
/** UTF-16 units of a name that are looked at. Studio can send millions. */
const MAX_NAME_LENGTH = 1000;

/** The kinds of names that derive from an instance: a file with a suffix for its kind, a folder, or a model file. */
export type NameKind = 'file' | 'folder' | 'model';

/** The name of the files of a new instance, without suffixes. */
export interface FileBaseName {
  readonly base: string;
  readonly isExact: boolean;
  readonly number: number;
}

/** Which instance names can be file names, and what to use instead. */
export class FileNames {
  readonly #meaningful: RegExp;

  constructor(kinds: FileKinds) {
    this.#meaningful = kinds.endingsWithMeaning;
  }

  /** Whether a file with that name would be read as another instance, or is invalid on some platform. */
  needsSlug(name: string, dialect: Dialect, maxBytes: number = MAX_BYTES): boolean {
    if (this.slugOf(name, maxBytes) === name) return false;
    const plain = name.replaceAll('~', '');
    return dialect === 'atlas' || this.slugOf(plain, maxBytes) !== plain;
  }

  /** Whether the exact name is allowed in the Rojo dialect. `Init` and `a.server` are allowed for folders and models. */
  fitsRojo(name: string, kind: NameKind): boolean {
    if (kind === 'file' || name === '') return !this.needsSlug(name, 'rojo');
    // The suffix must not make a name of the full length too long: its slug would need a slug again, without end.
    const suffix = '.x';
    return (
      !this.needsSlug(name + suffix, 'rojo', MAX_BYTES + suffix.length) && !(kind === 'folder' && /[ .]$/.test(name))
    );
  }

  /** A similar name that is valid on every platform and has no other meaning. */
  slugOf(name: string, maxBytes: number = MAX_BYTES): string {
    let slug = truncate(name.slice(0, MAX_NAME_LENGTH).replace(forbidden, '_').replace(/^ +/, ''), maxBytes);
    for (let before = ''; before !== slug;) {
      before = slug;
      slug = slug.replace(/[ .]+$/, '').replace(this.#meaningful, suffixes => suffixes.replaceAll('.', '_'));
      if (isWindowsDevice(slug)) slug = truncate(slug.replace(/^[^.]*/, '$&_'), maxBytes);
    }
    if (slug.toLowerCase() === 'init') slug += '_';
    // A folder with such a name would not be read again, and Git would read its files.
    if (isNeverSynced(slug)) slug = slug.replace(/^./, '_');
    return /^_*$/.test(slug) ? 'instance' : slug;
  }

  /**
   * Chooses the base name of the files of a new instance: its name, or in the Atlas dialect a similar name.
   *
   * @param isFree whether a base name is available
   * @param firstNumber the first number to try when the name is taken
   * @returns `isExact`: the base is the exact instance name; `number`: the number in the base, or 1; `undefined` in the Rojo dialect, where
   * file and instance must have the same name, when that is invalid or taken
   */
  chooseBase(
    name: string,
    dialect: Dialect,
    isFree: (base: string) => boolean,
    kind: NameKind,
    firstNumber = 2,
  ): FileBaseName | undefined {
    const isExact = dialect === 'rojo' ? this.fitsRojo(name, kind) : !this.needsSlug(name, dialect);
    if (!isExact && dialect === 'rojo') return undefined;
    const slug = isExact ? name : this.slugOf(name);
    if (isFree(slug)) return { base: slug, isExact, number: 1 };
    return dialect === 'rojo' ? undefined : { ...this.numbered(slug, isFree, firstNumber), isExact };
  }

  /** The first free base of `slug~2`, `slug~3`, …. */
  numbered(slug: string, isFree: (base: string) => boolean, firstNumber: number): Omit<FileBaseName, 'isExact'> {
    for (let number = firstNumber; ; number += 1)
      if (isFree(`${slug}~${number}`)) return { base: `${slug}~${number}`, number };
  }
}

function truncate(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text;
  let bytes = 0;
  let result = '';
  for (const char of text) {
    bytes += utf8Length(char);
    if (bytes > maxBytes) break;
    result += char;
  }
  return result;
}
