import { platform } from 'node:process';
import { isHidden, isUnprintable, type RootPath } from '../../../base/root-path.ts';

/** Reads absolute paths as ripgrep writes them: which folder, and where below it. */
export class FolderPaths {
  readonly #prefixes: readonly string[];
  #last: { readonly bytes: Buffer; readonly place: Place | undefined } | undefined;

  constructor(folders: readonly string[]) {
    this.#prefixes = folders.map(folder => `${folder.replaceAll('\\', '/').replace(/\/$/, '')}/`);
  }

  /** `undefined` for what is not shown: hidden on the way, or with a name that cannot be said in an answer. */
  read(bytes: Buffer): Place | undefined {
    // Hits of one file come together.
    if (this.#last !== undefined && this.#last.bytes.equals(bytes)) return this.#last.place;
    const place = this.#place(bytes.toString('utf8'));
    this.#last = { bytes: Buffer.from(bytes), place };
    return place;
  }

  #place(absolute: string): Place | undefined {
    const text = platform === 'win32' ? absolute.replaceAll('\\', '/') : absolute;
    const folder = this.#prefixes.findIndex(prefix => text.startsWith(prefix));
    if (folder < 0) return undefined;
    // Below a folder, as ripgrep walked it: no empty name, no `.` or `..` in it.
    const path = text.slice(this.#prefixes[folder]?.length) as RootPath;
    return isHidden(path) || isUnprintable(path) ? undefined : { folder, path };
  }
}

interface Place {
  readonly folder: number;
  readonly path: RootPath;
}
