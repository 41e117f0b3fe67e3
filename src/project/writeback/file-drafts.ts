import { reasonOf } from '../../protocol/reason.ts';
import type { ProjectPath } from '../../base/brand.ts';
import { folderOf, joinPath, nameOf } from '../../base/project-path.ts';
import { encodePausable } from '../../base/text-pieces.ts';
import { type PausableWork, runInSlices, runToEnd, type TimeSlice } from '../../base/time-slice.ts';
import { type JsonDocument, parseJsonDocumentPausable } from '../../roblox/formats/json5-document.ts';
import { JsonChanges, type JsonPath } from '../../roblox/formats/json5-edit.ts';
import type { FileKinds } from '../file-kinds/file-kinds.ts';
import type { FileEdit } from '../../ports/file-system.ts';
import type { DiskIndex } from '../tree/disk-index.ts';
import { type DiskPorts, isMissing } from '../tree/disk-ports.ts';
import { type EditableJson, NewJson } from './new-json.ts';
import { normalizeForCollision, TakenNames } from './taken-names.ts';
import { CannotWriteError } from './cannot-write-error.ts';

/** The planned state of a file. */
interface Draft {
  /** The current file; when absent, the file must not exist. */
  readonly before?: { readonly gitBlob: string };
  /** The new content; when absent, the file is removed. */
  readonly content?: string | Uint8Array | NewJson | JsonChanges;
}

const decode = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The planned state of files. Several changes of one file become one edit, whose precondition is the bytes that the tree was read from. A
 * change is everything between `begin` and `commit`; `rollBack` undoes it.
 */
export class FileDrafts {
  readonly #ports: DiskPorts;
  readonly #index: DiskIndex;
  readonly #slice: TimeSlice;
  readonly #fileKinds: FileKinds;
  readonly #drafts = new Map<ProjectPath, Draft>();
  readonly #moved = new Map<ProjectPath, ProjectPath>();
  readonly #movedFolders = new Map<ProjectPath, ProjectPath>();
  readonly #folders = new Set<ProjectPath>();
  /** Paths by their folder that were ever in `#drafts` and `#folders`, so that `names` looks at one folder only. */
  readonly #pathsIn = new Map<ProjectPath, Set<ProjectPath>>();
  readonly #removedIn = new Map<ProjectPath, Set<ProjectPath>>();
  readonly #taken = new Map<ProjectPath, TakenNames>();
  #undo: (() => void)[] = [];
  #touched = new Set<ProjectPath>();

  constructor(ports: DiskPorts, index: DiskIndex, fileKinds: FileKinds, slice: TimeSlice) {
    this.#slice = slice;
    this.#fileKinds = fileKinds;
    this.#ports = ports;
    this.#index = index;
  }

  /** Starts a change. */
  begin(): void {
    this.#undo = [];
    this.#touched = new Set();
  }

  /** Ends the current change. @returns the paths that it touches */
  commit(): ReadonlySet<ProjectPath> {
    this.#undo = [];
    return this.#touched;
  }

  /** Undoes the current change. */
  rollBack(): void {
    for (const step of this.#undo.toReversed()) step();
    this.begin();
  }

  /** Registers the undo of one step of the current change. */
  onRollBack(undo: () => void): void {
    this.#undo.push(undo);
  }

  /** Records that the current change touches the path. */
  touch(path: ProjectPath): void {
    this.#touched.add(path);
  }

  /** The current path of a file that was at `path` when the tree was read. */
  currentPath(path: ProjectPath): ProjectPath {
    let at = path;
    for (let next = this.#movedTo(at); next !== undefined; next = this.#movedTo(at)) at = next;
    return at;
  }

  #inMovedFolder(path: ProjectPath): ProjectPath {
    let at = path;
    for (let next = this.#byFolder(at); next !== undefined; next = this.#byFolder(at)) at = next;
    return at;
  }

  #movedTo(path: ProjectPath): ProjectPath | undefined {
    return this.#moved.get(path) ?? this.#byFolder(path);
  }

  #byFolder(path: ProjectPath): ProjectPath | undefined {
    if (this.#movedFolders.size === 0) return undefined;
    for (let at = folderOf(path); at !== ''; at = folderOf(at)) {
      const to = this.#movedFolders.get(at);
      if (to !== undefined) return joinPath(to, path.slice(at.length + 1));
    }
    return undefined;
  }

  /** Whether the plan moves a file or folder from that path. */
  isMovedAway(path: ProjectPath): boolean {
    return this.#moved.has(path) || this.#movedFolders.has(path);
  }

  /** Creates a file. The path must be free, or be removed by this plan. */
  create(path: ProjectPath, content: string | Uint8Array): void {
    this.#create(path, content);
  }

  /** Creates a JSON file, as JSON or JSON5 by its extension. The path must be free, or be removed by this plan. */
  createJson(path: ProjectPath, value: object): void {
    this.#create(path, new NewJson(value));
  }

  #create(given: ProjectPath, content: NonNullable<Draft['content']>): void {
    const path = this.#inMovedFolder(given);
    const known = this.#drafts.get(path);
    if (known?.content !== undefined) throw new CannotWriteError(reasonOf('two_in_one_file', path));
    this.#set(path, { ...(known?.before && { before: known.before }), content });
    this.#takenIn(path)?.add(nameOf(path));
    this.#undo.push(() => this.#takenIn(path)?.delete(nameOf(path)));
  }

  /** Whether the plan creates, changes or moves the file, so that it exists afterwards. */
  has(path: ProjectPath): boolean {
    return this.#drafts.get(this.currentPath(path))?.content !== undefined;
  }

  /** The text of the file in this plan, initially from disk. */
  async text(path: ProjectPath): Promise<string> {
    const at = this.currentPath(path);
    const { content } = await this.#open(at);
    if (typeof content === 'string') return content;
    if (content instanceof NewJson) return runToEnd(content.print(at));
    if (content instanceof JsonChanges) return runInSlices(content.print(), this.#slice);
    if (content !== undefined) return decode.decode(content);
    throw new CannotWriteError(reasonOf('removed_by_other', path));
  }

  async setText(path: ProjectPath, text: string): Promise<void> {
    const at = this.currentPath(path);
    const { before } = await this.#open(at);
    this.#set(at, { ...(before && { before }), content: text });
  }

  /** The bytes of a binary file, which must be those that the tree was read from. */
  async bytes(path: ProjectPath): Promise<Uint8Array> {
    const content = this.#drafts.get(this.currentPath(path))?.content;
    return content instanceof Uint8Array ? content : (await this.#read(path)).bytes;
  }

  async setBytes(path: ProjectPath, bytes: Uint8Array): Promise<void> {
    const at = this.currentPath(path);
    const known = this.#drafts.get(at);
    if (known?.content instanceof Uint8Array) return this.#set(at, { ...known, content: bytes });
    const { gitBlob } = await this.#read(path);
    this.#set(path, { before: { gitBlob }, content: bytes });
  }

  /** The value at `at` in a JSON file, a path in the file as it was read; `undefined` if there is none. */
  async jsonAt(path: ProjectPath, at: JsonPath): Promise<unknown> {
    return (await this.#json(path)).get(at);
  }

  /** The names of the members of an object in a JSON file; `undefined` if there is no object. */
  async jsonKeysAt(path: ProjectPath, at: JsonPath): Promise<readonly string[] | undefined> {
    return (await this.#json(path)).keys(at);
  }

  /**
   * Sets the value at `at`, a path in the file as it was read; `undefined` removes it. A file is read and printed once, however many values
   * are set in it.
   */
  async setJson(path: ProjectPath, at: JsonPath, value: unknown): Promise<void> {
    const json = await this.#json(path);
    const undo = json.set(at, value);
    if (undo === undefined) throw new CannotWriteError(reasonOf('layout_breaks', path));
    this.#undo.push(undo);
  }

  /** Adds an element to the end of the array at `at`, which is created if missing. @returns its index in paths */
  async appendJson(path: ProjectPath, at: JsonPath, element: object): Promise<number> {
    const json = await this.#json(path);
    const added = json.append(at, element);
    if (added === undefined) throw new CannotWriteError(reasonOf('layout_breaks', path));
    this.#undo.push(added.undo);
    return added.index;
  }

  /** Prints the changed JSON files. No value may be set afterwards. @returns the files whose layout cannot be edited */
  async finishJson(): Promise<ReadonlyMap<ProjectPath, CannotWriteError>> {
    const failed = new Map<ProjectPath, CannotWriteError>();
    for (const [path, draft] of this.#drafts) {
      if (!(draft.content instanceof JsonChanges)) continue;
      const content = await runInSlices(draft.content.print(), this.#slice);
      const reread = await runInSlices(parseJsonDocumentPausable(content), this.#slice);
      if (reread.ok) this.#drafts.set(path, { ...draft, content });
      else failed.set(path, new CannotWriteError(reasonOf('layout_breaks', path)));
    }
    return failed;
  }

  async #json(path: ProjectPath): Promise<EditableJson> {
    const at = this.currentPath(path);
    const draft = await this.#open(at);
    if (draft.content instanceof NewJson || draft.content instanceof JsonChanges) return draft.content;
    const document = await runInSlices(parsed(path, await this.text(path)), this.#slice);
    const content = new JsonChanges(document);
    // Not a change: it has no undo, so that refused changes do not read the file again and again.
    this.#drafts.set(at, { ...draft, content });
    return content;
  }

  remove(path: ProjectPath): void {
    const at = this.currentPath(path);
    const known = this.#drafts.get(at);
    const seen = this.#index.get(at);
    if (known?.before === undefined && known?.content !== undefined) this.#forget(at);
    else {
      const before = known?.before ?? (seen?.kind === 'file' ? { gitBlob: seen.gitBlob } : undefined);
      if (before === undefined) throw changedOnDisk(at);
      this.#set(at, { before });
    }
    this.#takenIn(at)?.delete(nameOf(at));
    this.#undo.push(() => this.#takenIn(at)?.add(nameOf(at)));
  }

  /** Removes a file that describes no instance and has no content of value: `.gitkeep`. */
  async removePlaceholder(path: ProjectPath): Promise<void> {
    const gitBlob = this.#ports.hasher.gitBlob(await this.#ports.files.read(path));
    this.#set(path, { before: { gitBlob } });
    this.#takenIn(path)?.delete(nameOf(path));
    this.#undo.push(() => this.#takenIn(path)?.add(nameOf(path)));
  }

  /** Removes a folder that becomes empty, unless the plan creates a file in it. */
  removeFolder(path: ProjectPath): void {
    if (this.#folders.has(path)) return;
    this.#folders.add(path);
    addIn(this.#removedIn, path);
    this.#touched.add(path);
    this.#takenIn(path)?.delete(nameOf(path));
    this.#undo.push(() => {
      this.#folders.delete(path);
      this.#takenIn(path)?.add(nameOf(path));
    });
  }

  /** Folders in which, at any depth, the plan creates or changes a file. */
  filledFolders(): Set<ProjectPath> {
    const filled = new Set<ProjectPath>();
    for (const [path, { content }] of this.#drafts) if (content !== undefined) addFoldersOf(path, filled);
    return filled;
  }

  /** Folders that remain and from which the plan removes entries. */
  foldersWithRemovals(): ReadonlySet<ProjectPath> {
    const losing = new Set<ProjectPath>();
    for (const [path, draft] of this.#drafts) if (draft.content === undefined) losing.add(folderOf(path));
    for (const path of this.#folders) losing.add(folderOf(path));
    for (const path of this.#folders) losing.delete(path);
    return losing;
  }

  /** Moves a file. Later changes of the old path apply to the new one. */
  async move(from: ProjectPath, to: ProjectPath): Promise<void> {
    const at = this.currentPath(from);
    await this.#moveContent(at, to);
    this.#moved.set(at, to);
    this.#undo.push(() => this.#moved.delete(at));
  }

  /** Moves everything in a folder, also files that describe no instance. Later changes of the old paths apply to the new ones. */
  async moveFolder(from: ProjectPath, to: ProjectPath): Promise<void> {
    const at = this.currentPath(from);
    await this.#moveBelow(at, to);
    this.#movedFolders.set(at, to);
    this.#undo.push(() => this.#movedFolders.delete(at));
  }

  async #moveBelow(from: ProjectPath, to: ProjectPath): Promise<void> {
    const stat = await this.#ports.files.stat(from);
    const listed = stat?.kind === 'directory' ? await this.#ports.files.list(from) : [];
    const added = Array.from(this.#pathsIn.get(from) ?? []).filter(
      path => this.#drafts.get(path)?.content !== undefined,
    );
    const folders = new Set(listed.filter(({ kind }) => kind === 'directory').map(({ name }) => joinPath(from, name)));
    for (const path of this.#pathsIn.keys()) {
      // A folder that this plan creates is on no disk yet.
      if (path.startsWith(`${from}/`)) folders.add(joinPath(from, path.slice(from.length + 1).split('/', 1)[0] ?? ''));
    }
    const isRemoved = (path: ProjectPath): boolean => {
      const draft = this.#drafts.get(path);
      return draft !== undefined && draft.content === undefined;
    };
    const files = new Set(added);
    for (const { name, kind, target } of listed) {
      const path = joinPath(from, name);
      if (kind === 'directory' && target === undefined) continue;
      if (kind !== 'file' || target !== undefined) throw new CannotWriteError(reasonOf('unknown_file_left', path));
      if (!isRemoved(path)) files.add(path);
    }
    for (const path of files) await this.#moveContent(path, joinPath(to, nameOf(path)));
    for (const folder of folders)
      if (!this.#folders.has(folder)) await this.#moveBelow(folder, joinPath(to, nameOf(folder)));
    // Git does not track empty folders, and a folder is an instance.
    if ((await this.names(to)).isEmpty && files.size === 0) this.create(joinPath(to, '.gitkeep'), '');
    this.removeFolder(from);
  }

  async #moveContent(from: ProjectPath, to: ProjectPath): Promise<void> {
    // The editor would keep the edits under the old path, and saving them would create that file again.
    if (this.#ports.unsavedFiles?.().has(from) === true)
      throw new CannotWriteError(reasonOf('unsaved_in_editor', from));
    const known = this.#drafts.get(from);
    if (known?.content === undefined) {
      const bytes = await this.#ports.files.read(from).catch((error: unknown) => {
        throw isMissing(error) ? changedOnDisk(from) : error;
      });
      const gitBlob = this.#ports.hasher.gitBlob(bytes);
      const seen = this.#index.get(from);
      if (seen?.kind === 'file' && seen.gitBlob !== gitBlob) throw changedOnDisk(from);
      this.#set(from, { before: { gitBlob }, content: bytes });
    }
    const { content } = this.#drafts.get(from) ?? {};
    if (content === undefined) throw changedOnDisk(from);
    this.#create(to, content);
    this.remove(from);
  }

  /** The names in a folder after the plan is applied. */
  async names(folder: ProjectPath): Promise<TakenNames> {
    const known = this.#taken.get(folder);
    if (known) return known;
    const stat = await this.#ports.files.stat(folder);
    const listed = stat?.kind === 'directory' ? await this.#ports.files.list(folder) : [];
    const taken = new TakenNames(
      this.#fileKinds,
      listed.map(entry => entry.name),
    );
    for (const path of this.#pathsIn.get(folder) ?? []) {
      const draft = this.#drafts.get(path);
      if (draft === undefined) continue;
      if (draft.content === undefined) taken.delete(nameOf(path));
      else if (draft.before === undefined) taken.add(nameOf(path));
    }
    for (const path of this.#removedIn.get(folder) ?? []) if (this.#folders.has(path)) taken.delete(nameOf(path));
    this.#taken.set(folder, taken);
    return taken;
  }

  /** The edits, ordered so that replacements are written before files are removed. */
  *edits(): PausableWork<readonly FileEdit[]> {
    const writes: FileEdit[] = [];
    const removals: FileEdit[] = [];
    const removedNames = new Set<string>();
    const kept = new Set<ProjectPath>();
    for (const [path, { before, content }] of this.#drafts) {
      yield;
      if (content === undefined) {
        if (before === undefined) continue;
        removedNames.add(normalizeForCollision(path));
        removals.push({ kind: 'remove', path, precondition: { kind: 'hash', gitBlob: before.gitBlob } });
      } else {
        addFoldersOf(path, kept);
        const isJson = content instanceof NewJson || content instanceof JsonChanges;
        const text = isJson ? yield* content.print(path) : content;
        const bytes = typeof text === 'string' ? yield* encodePausable(text) : text;
        yield;
        // A file that one instance releases and another one needs unchanged.
        if (before !== undefined && (yield* this.#ports.hasher.gitBlobPausable(bytes)) === before.gitBlob) continue;
        const precondition = before
          ? ({ kind: 'hash', gitBlob: before.gitBlob } as const)
          : ({ kind: 'absent' } as const);
        writes.push({ kind: 'write', path, bytes, precondition });
      }
    }
    const folders = Array.from(this.#folders)
      .filter(folder => !kept.has(folder))
      .sort((a, b) => b.split('/').length - a.split('/').length)
      .map((path): FileEdit => ({ kind: 'remove', path, precondition: { kind: 'emptyFolder' } }));
    // A file system may treat paths that differ only in case as the same file.
    const isLate = ({ path }: FileEdit): boolean =>
      removedNames.size > 0 && removedNames.has(normalizeForCollision(path));
    return [...writes.filter(edit => !isLate(edit)), ...removals, ...folders, ...writes.filter(isLate)];
  }

  #set(path: ProjectPath, draft: Draft): void {
    const known = this.#drafts.get(path);
    this.#drafts.set(path, draft);
    if (known === undefined) addIn(this.#pathsIn, path);
    this.#touched.add(path);
    this.#undo.push(() => (known ? this.#drafts.set(path, known) : this.#drafts.delete(path)));
  }

  #forget(path: ProjectPath): void {
    const known = this.#drafts.get(path);
    this.#drafts.delete(path);
    this.#undo.push(() => known && this.#drafts.set(path, known));
  }

  #takenIn(path: ProjectPath): TakenNames | undefined {
    return this.#taken.get(folderOf(path));
  }

  async #open(path: ProjectPath): Promise<Draft> {
    const known = this.#drafts.get(path);
    if (known) {
      this.#touched.add(path);
      return known;
    }
    const { bytes, gitBlob } = await this.#read(path);
    const content = decode.decode(bytes);
    const draft: Draft = { before: { gitBlob }, content };
    // Reading is not a change, and has no undo.
    this.#drafts.set(path, draft);
    addIn(this.#pathsIn, path);
    this.#touched.add(path);
    return draft;
  }

  async #read(path: ProjectPath): Promise<{ readonly bytes: Uint8Array; readonly gitBlob: string }> {
    const bytes = await this.#ports.files.read(path).catch((error: unknown) => {
      throw isMissing(error) ? changedOnDisk(path) : error;
    });
    const gitBlob = this.#ports.hasher.gitBlob(bytes);
    const seen = this.#index.get(path);
    if (seen?.kind !== 'file' || seen.gitBlob !== gitBlob) throw changedOnDisk(path);
    return { bytes, gitBlob };
  }
}

/** Adds the folder of a path and those above it. */
export function addFoldersOf(path: ProjectPath, folders: Set<ProjectPath>): void {
  for (let at = folderOf(path); at !== '' && !folders.has(at); at = folderOf(at)) folders.add(at);
}

function addIn(byFolder: Map<ProjectPath, Set<ProjectPath>>, path: ProjectPath): void {
  const folder = folderOf(path);
  const paths = byFolder.get(folder);
  if (paths === undefined) byFolder.set(folder, new Set([path]));
  else paths.add(path);
}

const changedOnDisk = (path: ProjectPath): CannotWriteError => new CannotWriteError(reasonOf('file_changed', path));

function* parsed(path: ProjectPath, text: string): PausableWork<JsonDocument> {
  const document = yield* parseJsonDocumentPausable(text);
  if (document.ok) return document.value;
  throw new CannotWriteError(
    reasonOf('file_malformed', path, document.error.line, document.error.column, document.error.expected),
  );
}
