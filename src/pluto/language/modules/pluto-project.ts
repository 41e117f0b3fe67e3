import type { ProjectPath } from '../../../base/brand.ts';
import { Emitter, type Event } from '../../../base/emitter.ts';
import { isNotFound } from '../../../base/errno.ts';
import { mapConcurrent } from '../../../base/map-concurrent.ts';
import { folderOf, joinPath, PROJECT_FOLDER } from '../../../base/project-path.ts';
import type { FileSystem } from '../../../ports/file-system.ts';
import type { ImportDecl } from '../syntax/ast/decl.ts';
import { type FolderIndex, moduleFiles, scanFolders, stemOf, withModules } from './folder-index.ts';
import { type ClosureStart, findImports } from './import-closure.ts';
import { loadModule, type LoadedModule, type LoadPorts, type ModuleState } from './load-module.ts';
import { dependencyProblems } from './dependencies.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { type ImportProblem, type ImportTarget, resolveImport, type ResolveContext } from './resolve-import.ts';

/** Number of files that are read at the same time. */
const READ_CONCURRENCY = 16;
/** Attempts to read modules while files are deleted. */
const MAX_TRIES = 3;

export interface ProjectPorts extends LoadPorts {
  readonly files: FileSystem;
}

/** One import of a module, with its target. */
export interface ResolvedImport {
  readonly decl: ImportDecl;
  /** The name of the module in the file: the alias, or the last name of the path. */
  readonly binding: string;
  readonly target: ImportTarget | undefined;
  readonly problem: ImportProblem | undefined;
}

/** The changes of files since the last check. */
export interface ProjectChange {
  /** Loaded modules whose bytes have changed, and new files. */
  readonly changed: readonly ProjectPath[];
  readonly removed: readonly ProjectPath[];
  /** Whether files, folders or manifests were added or removed, so that any import may resolve differently. */
  readonly isMoved: boolean;
}

/** The modules of one folder. Files are found at the start and read on first use. */
export class PlutoProject {
  readonly #ports: ProjectPorts;
  readonly #changes = new Emitter<ProjectChange>();
  readonly #modules = new Map<ProjectPath, ModuleState>();
  /** `#modules` in order; undefined after a change. */
  #sorted: readonly ModuleState[] | undefined;
  readonly #imports = new Map<ModuleState, readonly ResolvedImport[]>();
  /** Modules with edits in memory; their files on disk are ignored. */
  readonly #held = new Set<ProjectPath>();
  #found: DiskScan;
  #context: ResolveContext;
  #manifestProblems: ReadonlyMap<ProjectPath, string>;

  /** Finds the modules of `files`; reads only manifests. @param start finds and reads only this module and its imports */
  static async open(ports: ProjectPorts, signal: AbortSignal, start?: ClosureStart): Promise<PlutoProject> {
    if (start === undefined) return new PlutoProject(ports, await scanDisk(ports.files, signal));
    const states = new Map<ProjectPath, ModuleState>();
    const load = async (path: ProjectPath): Promise<ModuleState> => {
      const state = await loadModule(ports, path, undefined);
      states.set(path, state);
      return state;
    };
    const { context, problems } = await findImports(ports.files, start, load, signal);
    addDependencyProblems(context, problems);
    const project = new PlutoProject(ports, { context, problems });
    for (const [path, state] of states) project.#put(path, state);
    return project;
  }

  private constructor(ports: ProjectPorts, found: DiskScan) {
    this.#ports = ports;
    this.#found = found;
    this.#context = found.context;
    this.#manifestProblems = found.problems;
  }

  readonly onDidChange: Event<ProjectChange> = listener => this.#changes.event(listener);

  /** Sorted by path. */
  get files(): readonly ProjectPath[] {
    return moduleFiles(this.#context.folders);
  }

  /** Unusable manifests with the reason; their packages are treated as if they had none. */
  get manifestProblems(): ReadonlyMap<ProjectPath, string> {
    return this.#manifestProblems;
  }

  /** The modules that were read so far, sorted by path. */
  get loaded(): readonly ModuleState[] {
    this.#sorted ??= Array.from(this.#modules.values()).toSorted((a, b) => (a.path < b.path ? -1 : 1));
    return this.#sorted;
  }

  /** Undefined if there is no such module. */
  async load(path: ProjectPath): Promise<ModuleState | undefined> {
    const known = this.#modules.get(path);
    if (known !== undefined) return known;
    if (!this.#has(path)) return undefined;
    const state = await loadModule(this.#ports, path, undefined);
    // A concurrent read may have finished first: a module has one tree.
    const raced = this.#modules.get(path);
    if (raced !== undefined) return raced;
    this.#put(path, state);
    return state;
  }

  async loadAll(signal: AbortSignal): Promise<readonly ModuleState[]> {
    const states = await mapConcurrent(this.files, READ_CONCURRENCY, path => {
      signal.throwIfAborted();
      return this.load(path);
    });
    return states.filter(state => state !== undefined);
  }

  /** The imports of a loaded module, in source order. */
  importsOf(state: ModuleState): readonly ResolvedImport[] {
    const known = this.#imports.get(state);
    if (known !== undefined) return known;
    const imports: ResolvedImport[] = [];
    if (state.kind === 'loaded')
      for (const decl of state.module.tree.items)
        if (decl.kind === 'ImportDecl') imports.push(this.#resolve(state.path, decl));
    this.#imports.set(state, imports);
    return imports;
  }

  /**
   * Checks the disk again: the loaded modules in `hints`, or all of them; and folders and manifests, unless `hints` are only known modules
   * that still exist.
   */
  async refresh(signal: AbortSignal, hints?: ReadonlySet<ProjectPath>): Promise<ProjectChange> {
    for (let triesLeft = MAX_TRIES; ; triesLeft -= 1) {
      try {
        const isInPlace = hints !== undefined && (await this.#areInPlace(hints));
        const found = isInPlace ? this.#found : await scanDisk(this.#ports.files, signal);
        return this.#adopt(found, await this.#readAgain(found, signal, hints));
      } catch (error) {
        // A file or folder was deleted after its folder was read.
        if (!isNotFound(error) || triesLeft === 1) throw error;
      }
    }
  }

  /** Reads the loaded modules again that `found` has. Changes nothing, so that a failure loses no change. */
  async #readAgain(
    { context: { folders } }: DiskScan,
    signal: AbortSignal,
    hints: ReadonlySet<ProjectPath> | undefined,
  ): Promise<readonly (readonly [before: ModuleState, now: ModuleState])[]> {
    const read: (readonly [ModuleState, ModuleState])[] = [];
    for (const [path, state] of Array.from(this.#modules)) {
      signal.throwIfAborted();
      const isHinted = hints === undefined || hints.has(path);
      if (isHinted && !this.#held.has(path) && hasModule(folders, path))
        read.push([state, await loadModule(this.#ports, path, state)]);
    }
    return read;
  }

  #adopt(found: DiskScan, read: readonly (readonly [before: ModuleState, now: ModuleState])[]): ProjectChange {
    const before = new Set(this.files);
    const isMoved = this.#useScan(found);
    this.#manifestProblems = found.problems;
    const removed = Array.from(before).filter(path => !this.#has(path));
    for (const path of removed) this.#put(path, undefined);
    const changed = this.files.filter(path => !before.has(path));
    for (const [state, now] of read) {
      const { path } = state;
      // `hold` may have replaced the module during the reading.
      if (now === state || this.#modules.get(path) !== state) continue;
      this.#put(path, now);
      this.#imports.delete(state);
      changed.push(path);
    }
    // While all files stay in place, resolved imports stay valid.
    if (isMoved) this.#imports.clear();
    const change: ProjectChange = { changed, removed, isMoved };
    if (isMoved || changed.length > 0 || removed.length > 0) this.#changes.fire(change);
    return change;
  }

  /**
   * Sets modules in memory, which then replace those on disk; a path without a file is a new module. `released` modules are read from disk
   * again: with their known state, or on next use.
   */
  hold(held: readonly LoadedModule[], released: ReadonlyMap<ProjectPath, ModuleState | undefined> = new Map()): void {
    const before = new Set(this.files);
    for (const path of released.keys()) this.#held.delete(path);
    for (const { path } of held) this.#held.add(path);
    const isMoved = this.#useScan(this.#found);
    const removed = Array.from(before).filter(path => !this.#has(path));
    const changed = [...held.map(({ path }) => path), ...released.keys()].filter(path => this.#has(path));
    for (const path of [...removed, ...changed]) {
      const old = this.#modules.get(path);
      if (old !== undefined) this.#imports.delete(old);
      this.#put(path, undefined);
    }
    for (const state of [...held, ...released.values()])
      if (state !== undefined && this.#has(state.path)) this.#put(state.path, state);
    if (isMoved) this.#imports.clear();
    this.#changes.fire({ changed, removed, isMoved });
  }

  /** Whether the module is only in memory, or differs from disk. */
  isHeld(path: ProjectPath): boolean {
    return this.#held.has(path);
  }

  /** Whether all of these are known files of modules, or views, that still exist. */
  async #areInPlace(paths: ReadonlySet<ProjectPath>): Promise<boolean> {
    for (const path of paths) {
      const isView = this.#context.folders.get(folderOf(path))?.views.has(path) === true;
      if (!isView && (!this.#has(path) || this.#held.has(path))) return false;
      if ((await this.#ports.files.stat(path))?.kind !== 'file') return false;
    }
    return true;
  }

  #put(path: ProjectPath, state: ModuleState | undefined): void {
    if (state === undefined) this.#modules.delete(path);
    else this.#modules.set(path, state);
    this.#sorted = undefined;
  }

  #has(path: ProjectPath): boolean {
    return hasModule(this.#context.folders, path);
  }

  /** Adopts the state of the disk, with the modules in memory. Returns whether imports may resolve differently now. */
  #useScan(found: DiskScan): boolean {
    const before = shapeOf({ context: this.#context, problems: this.#found.problems });
    this.#found = found;
    this.#context = { ...found.context, folders: withModules(found.context.folders, this.#held) };
    return before !== shapeOf({ context: this.#context, problems: found.problems });
  }

  #resolve(importer: ProjectPath, decl: ImportDecl): ResolvedImport {
    const path = decl.path.map(({ text }) => text);
    const binding = decl.alias?.text ?? path.at(-1) ?? '';
    const resolved = resolveImport(this.#context, importer, path);
    const isKnown = path.every(name => name !== '');
    return resolved.ok
      ? { decl, binding, target: resolved.value, problem: undefined }
      : { decl, binding, target: undefined, problem: isKnown ? resolved.error : undefined };
  }
}

const hasModule = (folders: FolderIndex, path: ProjectPath): boolean =>
  folders.get(folderOf(path))?.modules.get(stemOf(path)) === path;

/** The folders and manifests on disk. */
interface DiskScan {
  readonly context: ResolveContext;
  readonly problems: ReadonlyMap<ProjectPath, string>;
}

async function scanDisk(files: FileSystem, signal: AbortSignal): Promise<DiskScan> {
  const folders: FolderIndex = await scanFolders(files, signal);
  const manifests = new Map<ProjectPath, Manifest>();
  const problems = new Map<ProjectPath, string>();
  for (const [folder, { manifest: path }] of folders) {
    if (path === undefined) continue;
    const read = readManifest(path, new TextDecoder().decode(await files.read(path)));
    if (read.ok) manifests.set(folder, read.value);
    else problems.set(path, read.error);
  }
  const std =
    folders.get(PROJECT_FOLDER)?.folders.has('stdlib') === true ? joinPath(PROJECT_FOLDER, 'stdlib') : undefined;
  const context = { folders, manifests, std };
  addDependencyProblems(context, problems);
  return { context, problems };
}

function addDependencyProblems({ folders, manifests }: ResolveContext, problems: Map<ProjectPath, string>): void {
  for (const [path, problem] of dependencyProblems(folders, manifests))
    if (!problems.has(path)) problems.set(path, problem);
}

/** Everything on which the resolution of imports depends, as one text. */
function shapeOf({ context, problems }: DiskScan): string {
  const manifests = Array.from(context.manifests.values(), ({ path, dependencies }) => [
    path,
    ...dependencies.entries(),
  ]);
  // The search for a manifest stops at the root of a repository.
  const repositories = Array.from(context.folders).flatMap(([path, { isRepository }]) => (isRepository ? [path] : []));
  return JSON.stringify([moduleFiles(context.folders), manifests, Array.from(problems), repositories, context.std]);
}
