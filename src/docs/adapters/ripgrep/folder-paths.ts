import { platform } from 'node:process';
import { isHidden, isUnprintable, type RootPath } from '../../../base/root-path.ts';

/** Splits absolute paths from ripgrep into the searched folder and the path relative to it. */
export class FolderPaths {
  readonly #prefixes: readonly string[];
  #last: { readonly bytes: Buffer; readonly place: Place | undefined } | undefined;

  constructor(folders: readonly string[]) {
    this.#prefixes = folders.map(folder => `${folder.replaceAll('\\', '/').replace(/\/$/, '')}/`);
  }

  /** Returns `undefined` for paths that are not shown: hidden, or with an unprintable name. */
  read(bytes: Buffer): Place | undefined {
    // Hits of one file arrive together.
    if (this.#last !== undefined && this.#last.bytes.equals(bytes)) return this.#last.place;
    const place = this.#place(bytes.toString('utf8'));
    this.#last = { bytes: Buffer.from(bytes), place };
    return place;
  }

  #place(absolute: string): Place | undefined {
    const text = platform === 'win32' ? absolute.replaceAll('\\', '/') : absolute;
    const folder = this.#prefixes.findIndex(prefix => text.startsWith(prefix));
    if (folder < 0) return undefined;
    // ripgrep's paths below a folder are normalized: no empty names, no `.` or `..`.
    const path = text.slice(this.#prefixes[folder]?.length) as RootPath;
    return isHidden(path) || isUnprintable(path) ? undefined : { folder, path };
  }
}

interface Place {
  readonly folder: number;
  readonly path: RootPath;
}
