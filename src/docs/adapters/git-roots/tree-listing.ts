import { AppError } from '../../../base/errors.ts';

const MAX_ENTRIES = 500_000;
/** Maximum bytes of one line of the listing; no system has paths of this length. */
const MAX_ENTRY_BYTES = 1024 * 1024;

/** Counts and checks the entries of `git ls-tree -r -l -z` as they arrive, in chunks of any size. */
export class TreeListing {
  submodules = 0;
  links = 0;
  /** Total size of the files. */
  bytes = 0;
  readonly #root: string;
  #entries = 0;
  #rest: Buffer = Buffer.alloc(0);

  /** @param root the id of the docs root, for errors */
  constructor(root: string) {
    this.#root = root;
  }

  /** @throws AppError TREE_UNSAFE */
  push(chunk: Buffer): void {
    const end = chunk.lastIndexOf(0) + 1;
    if (this.#rest.length + (end === 0 ? chunk.length : chunk.indexOf(0)) > MAX_ENTRY_BYTES)
      throw this.#unsafe('.', 'has a path that is too long');
    const bytes = Buffer.concat([this.#rest, chunk.subarray(0, end === 0 ? chunk.length : end)]);
    this.#rest = end === 0 ? bytes : Buffer.from(chunk.subarray(end));
    if (end > 0) for (const entry of bytes.toString().split('\0')) this.#take(entry);
  }

  #take(entry: string): void {
    if (entry === '') return;
    this.#entries += 1;
    // A few tree objects that contain each other several times can expand to any number of files.
    if (this.#entries > MAX_ENTRIES) throw this.#unsafe('.', `has more than ${MAX_ENTRIES} files`);
    const tab = entry.indexOf('\t');
    const [mode = '', , , size = ''] = entry.slice(0, tab).split(/ +/);
    const path = entry.slice(tab + 1);
    if (tab < 0 || !isSafePath(path)) throw this.#unsafe(path, 'is not a safe file name');
    if (mode === '160000') this.submodules += 1;
    if (mode === '120000') this.links += 1;
    this.bytes += Number(size) || 0;
  }

  #unsafe(path: string, reason: string): AppError {
    return new AppError('TREE_UNSAFE', { root: this.#root, path, reason });
  }
}

const isSafePath = (path: string): boolean =>
  path
    .split('/')
    .every(
      name =>
        name !== '' && name !== '.' && name !== '..' && !/^(?:\.git|git~\d+)[ .]*$/i.test(name) && !name.includes('\\'),
    );
