import type { ProjectPath } from '../../base/brand.ts';
import { folderOf, nameOf } from '../../base/project-path.ts';
import { exactJsonValue, type JsonDocument, parseJsonDocument } from '../../roblox/formats/json5-document.ts';
import { type JsonPath, printJson } from '../../roblox/formats/json5-edit.ts';
import type { FileKinds } from '../file-kinds/file-kinds.ts';
import type { FileEdit } from '../project-session.ts';
import type { DiskIndex } from '../tree/disk-index.ts';
import { type DiskPorts, isMissing } from '../tree/disk-ports.ts';
import { normalizeForCollision, TakenNames } from './taken-names.ts';
import { CannotWriteError } from './cannot-write-error.ts';

/** A file as it is to be. */
interface Draft {
  /** What disk holds at that path; without it nothing may be there. */
  readonly before?: { readonly gitBlob: string; readonly content?: string };
  /** Without it the file goes. */
  readonly content?: string | Uint8Array;
  /** The content, parsed. */
  readonly document?: JsonDocument;
  /** A JSON file that this plan makes, so that nobody's layout is to be kept. */
  readonly isPrinted?: true;
  /** Elements of arrays that were taken out, in that order: later elements have moved up. */
  readonly takenOut: readonly JsonPath[];
}

const decode = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Files as they are to be. Several changes of one file become one edit, which relies on the bytes that the tree was read from. A change
 * is everything between `begin` and `commit`; `rollBack` leaves nothing of it.
 */
export class FileDrafts {
  readonly #ports: DiskPorts;
  readonly #index: DiskIndex;
  readonly #fileKinds: FileKinds;
  readonly #drafts = new Map<ProjectPath, Draft>();
  readonly #moved = new Map<ProjectPath, ProjectPath>();
  readonly #folders = new Set<ProjectPath>();
  readonly #taken = new Map<ProjectPath, TakenNames>();
  #undo: (() => void)[] = [];
  #touched = new Set<ProjectPath>();

  constructor(ports: DiskPorts, index: DiskIndex, fileKinds: FileKinds) {
    this.#fileKinds = fileKinds;
    this.#ports = ports;
    this.#index = index;
  }

  begin(): void {
    this.#undo = [];
    this.#touched = new Set();
  }

  /** @returns the paths that the change has to do with */
  commit(): ReadonlySet<ProjectPath> {
    this.#undo = [];
    return this.#touched;
  }

  rollBack(): void {
    for (const step of this.#undo.toReversed()) step();
    this.begin();
  }

  /** Part of the current change that `undo` takes back. */
  onRollBack(undo: () => void): void {
    this.#undo.push(undo);
  }

  /** The current change has to do with that path. */
  touch(path: ProjectPath): void {
    this.#touched.add(path);
  }

  /** Where the file is now that was there when the tree was read. */
  currentPath(path: ProjectPath): ProjectPath {
    let at = path;
    for (let next = this.#moved.get(at); next !== undefined; next = this.#moved.get(at)) at = next;
    return at;
  }

  /** Makes a file; nothing may be there but what this plan removes. */
  create(path: ProjectPath, content: string | Uint8Array): void {
    const known = this.#drafts.get(path);
    if (known?.content !== undefined)
      throw new CannotWriteError(`two instances map to the file ${path}; rename one of them`);
    this.#set(path, { ...(known?.before && { before: known.before }), content, takenOut: [] });
    this.#takenIn(path)?.add(nameOf(path));
    this.#undo.push(() => this.#takenIn(path)?.delete(nameOf(path)));
  }

  /** Makes a JSON file, laid out as its ending says; nothing may be there but what this plan removes. */
  createJson(path: ProjectPath, value: object): void {
    this.create(path, printed(path, value));
    const draft = this.#drafts.get(path);
    if (draft) this.#set(path, { ...draft, isPrinted: true });
  }

  /** Whether the file is there once the plan is carried out, as far as the plan has to do with it. */
  has(path: ProjectPath): boolean {
    return this.#drafts.get(this.currentPath(path))?.content !== undefined;
  }

  /** The text as it is in this draft, from disk at first. */
  async text(path: ProjectPath): Promise<string> {
    const { content } = await this.#open(this.currentPath(path));
    if (typeof content === 'string') return content;
    throw new CannotWriteError(`${path} is removed by another change`);
  }

  async setText(path: ProjectPath, text: string): Promise<void> {
    const at = this.currentPath(path);
    const { before, takenOut } = await this.#open(at);
    this.#set(at, { ...(before && { before }), content: text, takenOut });
  }

  /** The bytes of a file that is no text, as the tree was read from them. */
  async bytes(path: ProjectPath): Promise<Uint8Array> {
    return (await this.#read(path)).bytes;
  }

  async setBytes(path: ProjectPath, bytes: Uint8Array): Promise<void> {
    const { gitBlob } = await this.#read(path);
    this.#set(path, { before: { gitBlob }, content: bytes, takenOut: [] });
  }

  /**
   * Changes a JSON file; what comes out must be readable again.
   *
   * @param edit gets a path of the file as it was read in terms of the file as it is now from `at`
   */
  async editJson(
    path: ProjectPath,
    edit: (document: JsonDocument, at: (path: JsonPath) => JsonPath) => string,
    takenOut?: JsonPath,
  ): Promise<void> {
    const current = this.currentPath(path);
    const text = await this.text(path);
    const draft = await this.#open(current);
    const document = draft.document ?? parsed(path, text);
    const shift = (from: JsonPath): JsonPath => draft.takenOut.reduce(shifted, from);
    const after = edit(document, shift);
    if (after === text) return;
    const reread = parseJsonDocument(after);
    if (!reread.ok) throw new CannotWriteError(`${path} cannot be edited without breaking its layout; edit it by hand`);
    const content = draft.isPrinted ? printed(current, exactJsonValue(reread.value.root)) : after;
    this.#set(current, {
      ...draft,
      content,
      document: content === after ? reread.value : parsed(path, content),
      takenOut: takenOut === undefined ? draft.takenOut : [...draft.takenOut, shift(takenOut)],
    });
  }

  remove(path: ProjectPath): void {
    const at = this.currentPath(path);
    const known = this.#drafts.get(at);
    const seen = this.#index.get(at);
    if (known?.before === undefined && known?.content !== undefined) this.#forget(at);
    else {
      const before = known?.before ?? (seen?.kind === 'file' ? { gitBlob: seen.gitBlob } : undefined);
      if (before === undefined) throw movedOn(at);
      this.#set(at, { before, takenOut: [] });
    }
    this.#takenIn(at)?.delete(nameOf(at));
    this.#undo.push(() => this.#takenIn(at)?.add(nameOf(at)));
  }

  /** A file that no instance came from and that is of no worth to anybody: `.gitkeep`. */
  async removeUnread(path: ProjectPath): Promise<void> {
    const gitBlob = this.#ports.hasher.gitBlob(await this.#ports.files.read(path));
    this.#set(path, { before: { gitBlob }, takenOut: [] });
  }

  /** A folder that will be empty; it stays if the plan puts something into it. */
  removeFolder(path: ProjectPath): void {
    if (this.#folders.has(path)) return;
    this.#folders.add(path);
    this.#touched.add(path);
    this.#takenIn(path)?.delete(nameOf(path));
    this.#undo.push(() => {
      this.#folders.delete(path);
      this.#takenIn(path)?.add(nameOf(path));
    });
  }

  /** Folders that stay and from which something goes. */
  losingFolders(): ReadonlySet<ProjectPath> {
    const losing = new Set<ProjectPath>();
    for (const [path, draft] of this.#drafts) if (draft.content === undefined) losing.add(folderOf(path));
    for (const path of this.#folders) losing.add(folderOf(path));
    for (const path of this.#folders) losing.delete(path);
    return losing;
  }

  /** The text goes to another path; later changes of the old one follow it. */
  async move(from: ProjectPath, to: ProjectPath): Promise<void> {
    const text = await this.text(from);
    const at = this.currentPath(from);
    const { takenOut, isPrinted } = await this.#open(at);
    this.create(to, text);
    this.#set(to, { content: text, takenOut, ...(isPrinted && { isPrinted }) });
    this.remove(at);
    this.#moved.set(at, to);
    this.#undo.push(() => this.#moved.delete(at));
  }

  /** Names in a folder, with those that the plan makes and without those that it removes. */
  async names(folder: ProjectPath): Promise<TakenNames> {
    const known = this.#taken.get(folder);
    if (known) return known;
    const stat = await this.#ports.files.stat(folder);
    const listed = stat?.kind === 'directory' ? await this.#ports.files.list(folder) : [];
    const taken = new TakenNames(
      this.#fileKinds,
      listed.map(entry => entry.name),
    );
    for (const [path, draft] of this.#drafts) {
      if (folderOf(path) !== folder || path === '') continue;
      if (draft.content === undefined) taken.delete(nameOf(path));
      else if (draft.before === undefined) taken.add(nameOf(path));
    }
    for (const path of this.#folders) if (folderOf(path) === folder) taken.delete(nameOf(path));
    this.#taken.set(folder, taken);
    return taken;
  }

  /** In an order in which nothing is gone before what takes its place is there. */
  edits(): readonly FileEdit[] {
    const writes: FileEdit[] = [];
    const removals: FileEdit[] = [];
    const goneNames = new Set<string>();
    const kept = new Set<ProjectPath>();
    for (const [path, { before, content }] of this.#drafts) {
      if (content === undefined) {
        if (before === undefined) continue;
        goneNames.add(normalizeForCollision(path));
        removals.push({ kind: 'remove', path, precondition: { kind: 'hash', gitBlob: before.gitBlob } });
      } else {
        for (let at = folderOf(path); at !== '' && !kept.has(at); at = folderOf(at)) kept.add(at);
        const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
        // One instance has given up what another one needs as it is.
        if (before !== undefined && this.#ports.hasher.gitBlob(bytes) === before.gitBlob) continue;
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
    // Where only the case of letters differs, a file system may take both for one.
    const isLate = ({ path }: FileEdit): boolean => goneNames.has(normalizeForCollision(path));
    return [...writes.filter(edit => !isLate(edit)), ...removals, ...folders, ...writes.filter(isLate)];
  }

  #set(path: ProjectPath, draft: Draft): void {
    const known = this.#drafts.get(path);
    this.#drafts.set(path, draft);
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
    const draft: Draft = { before: { gitBlob, content }, content, takenOut: [] };
    this.#set(path, draft);
    return draft;
  }

  async #read(path: ProjectPath): Promise<{ readonly bytes: Uint8Array; readonly gitBlob: string }> {
    const bytes = await this.#ports.files.read(path).catch((error: unknown) => {
      throw isMissing(error) ? movedOn(path) : error;
    });
    const gitBlob = this.#ports.hasher.gitBlob(bytes);
    const seen = this.#index.get(path);
    if (seen?.kind !== 'file' || seen.gitBlob !== gitBlob) throw movedOn(path);
    return { bytes, gitBlob };
  }
}

const movedOn = (path: ProjectPath): CannotWriteError =>
  new CannotWriteError(`${path} changed on disk in the meantime; sync again`);

const printed = (path: ProjectPath, value: unknown): string =>
  `${printJson(value, { newline: '\n', indent: '  ', isJson5: path.endsWith('.json5') })}\n`;

function parsed(path: ProjectPath, text: string): JsonDocument {
  const document = parseJsonDocument(text);
  if (document.ok) return document.value;
  throw new CannotWriteError(
    `${path}:${document.error.line}:${document.error.column} expected ${document.error.expected}`,
  );
}

/** Where `path` is after the element at `takenOut` has gone. */
function shifted(path: JsonPath, takenOut: JsonPath): JsonPath {
  const depth = takenOut.length - 1;
  const [gone, index] = [takenOut[depth], path[depth]];
  const isBehind =
    typeof gone === 'number' &&
    typeof index === 'number' &&
    index > gone &&
    takenOut.slice(0, depth).every((step, at) => step === path[at]);
  return isBehind ? [...path.slice(0, depth), index - 1, ...path.slice(depth + 1)] : path;
}
