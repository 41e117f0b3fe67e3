import type { ProjectPath } from '../../base/brand.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import { AppError } from '../../base/errors.ts';
import { SerialQueue } from '../../base/serial-queue.ts';
import { type TimeSlice, runToEnd, runInSlices, type PausableWork } from '../../base/time-slice.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FilePrecondition, FileSystem } from '../../ports/file-system.ts';
import type { FileTransactions } from '../../ports/file-transactions.ts';
import type { FileWatcher } from '../../ports/file-watcher.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { Random } from '../../ports/random.ts';
import { Checker } from '../language/check/checker.ts';
import { projectSource } from '../language/check/project-source.ts';
import type { ContainerMeta } from '../language/container/container.ts';
import { derivedIds, freshIds, type IdsOfModule, type MakeId } from '../language/identity/ids.ts';
import { embeddedModules } from '../language/modules/embedded.ts';
import type { ClosureStart } from '../language/modules/import-closure.ts';
import type { LoadedModule, ModuleState } from '../language/modules/load-module.ts';
import { PlutoProject, type ResolvedImport } from '../language/modules/pluto-project.ts';
import type { DeclId } from '../language/syntax/ast/node.ts';
import { PRELUDE_PATH, stdPath } from '../language/std/std-path.ts';
import { stdNames } from '../language/std/std-modules.ts';
import { EditHistory, type HistoryStep } from './edit-history.ts';
import { type ItemAt, itemWithId, readItems } from './items.ts';
import { type PlannedSave, type SaveResult, saveModules } from './save-modules.ts';
import { savedModule } from './saved-bytes.ts';
import { watchModules } from './watch-modules.ts';

export interface SessionPorts {
  readonly files: FileSystem;
  readonly hasher: Hasher;
  readonly random: Random;
  /** Ids of text modules. Default: `derivedIds`. */
  readonly idsOf?: IdsOfModule | undefined;
  /** Records what a save replaces. `undefined`: nothing is recorded, and a crash during a save may leave some modules unsaved. */
  readonly transactions?: FileTransactions | undefined;
}

export interface SessionOptions {
  /** The program that writes containers. */
  readonly tool: ContainerMeta['tool'];
  readonly isReadOnly?: boolean;
  /** Yields while all modules are checked. Without it the first check runs to the end at once. */
  readonly slice?: TimeSlice;
}

/** A change of modules: edited in memory, saved, or changed on disk. */
export interface SessionChange {
  readonly cause: 'edit' | 'save' | 'disk';
  readonly modules: readonly ProjectPath[];
}

/**
 * The modules of one project in memory, with unsaved edits. Every change is a transaction: a failed one leaves no trace, a successful one
 * can be undone, and nothing is written before `save`.
 */
export class PlutoSession implements Disposable {
  readonly checker: Checker;
  readonly isReadOnly: boolean;
  readonly ports: SessionPorts;
  readonly #tool: ContainerMeta['tool'];
  readonly #slice: TimeSlice | undefined;
  readonly #project: PlutoProject;
  readonly #idsOf: IdsOfModule;
  readonly #embedded: (path: ProjectPath) => LoadedModule | undefined;
  readonly #history = new EditHistory();
  /** The disk state of every dirty module; `undefined` if it has no file. */
  readonly #onDisk = new Map<ProjectPath, LoadedModule | undefined>();
  readonly #changes = new Emitter<SessionChange>();
  /** Runs edits, saves and refreshes one after another. */
  readonly #queue = new SerialQueue();
  /** All modules; `undefined` after a change, until they are read again. */
  #all: readonly LoadedModule[] | undefined;
  #generation = 0;
  #watching: Disposable | undefined;

  /**
   * Finds the modules without reading them.
   * @param start opens only this module and what it imports
   */
  static async open(
    ports: SessionPorts,
    options: SessionOptions,
    signal: AbortSignal,
    start?: ClosureStart,
  ): Promise<PlutoSession> {
    return new PlutoSession(ports, options, await PlutoProject.open(ports, signal, start));
  }

  private constructor(ports: SessionPorts, { tool, isReadOnly = false, slice }: SessionOptions, project: PlutoProject) {
    this.ports = ports;
    this.#tool = tool;
    this.#slice = slice;
    this.isReadOnly = isReadOnly;
    this.#project = project;
    this.#idsOf = ports.idsOf ?? (module => derivedIds(ports.hasher, module));
    this.#embedded = embeddedModules(this.#idsOf);
    project.onDidChange(() => {
      this.#all = undefined;
      this.#generation += 1;
    });
    this.checker = new Checker(projectSource(project, this.#idsOf));
  }

  readonly onDidChange: Event<SessionChange> = listener => this.#changes.event(listener);

  /** Refreshes modules that change on disk, until the session is disposed. */
  watch(watcher: FileWatcher, clock: Clock, onFailure: (error: unknown) => void): void {
    this.#watching ??= watchModules({
      watcher,
      clock,
      onFailure,
      refresh: paths => this.refresh(new AbortController().signal, paths),
    });
  }

  [Symbol.dispose](): void {
    this.#watching?.[Symbol.dispose]();
  }

  /** Every module, sorted by path, including modules without a file. */
  get files(): readonly ProjectPath[] {
    return this.#project.files;
  }

  /** Modules that differ from the disk, sorted by path. */
  get dirty(): readonly ProjectPath[] {
    return Array.from(this.#onDisk.keys()).toSorted();
  }

  get undoDepth(): number {
    return this.#history.length;
  }

  /** All readable modules, sorted by path. Reads and checks new ones. */
  async modules(signal: AbortSignal): Promise<readonly LoadedModule[]> {
    // A change during the reading makes the list outdated.
    while (this.#all === undefined) {
      const generation = this.#generation;
      await this.#project.loadAll(signal);
      const all = this.#loaded();
      if (this.#slice !== undefined) {
        await runInSlices(readItems(all), this.#slice);
        await runInSlices(this.checker.steps(), this.#slice);
      }
      if (generation === this.#generation) this.#all = all;
    }
    return this.#all;
  }

  /** Runs long work on all modules. Edits, saves and refreshes wait until it ends. */
  async runExclusive<T>(signal: AbortSignal, steps: () => PausableWork<T>): Promise<T> {
    return this.#queue.run(signal, async () => {
      await this.modules(signal);
      const work = steps();
      return this.#slice === undefined ? runToEnd(work) : runInSlices(work, this.#slice);
    });
  }

  /** A module file, also one that cannot be read; `undefined` if the project has none of this path. */
  stateOf(path: string): Promise<ModuleState | undefined> {
    // An invalid path finds no module.
    return this.#project.load(path as ProjectPath);
  }

  /** @throws AppError PLUTO_MODULE_NOT_FOUND, PLUTO_MODULE_UNREADABLE */
  async module(path: string): Promise<LoadedModule> {
    const state = await this.stateOf(path);
    return usable(path, state ?? this.#embedded(path as ProjectPath));
  }

  /** An item of the project or of the standard library. @throws AppError PLUTO_UNKNOWN_ID */
  async item(id: string, signal: AbortSignal): Promise<ItemAt> {
    const found = itemWithId(await this.modules(signal), id) ?? itemWithId(this.#language(), id);
    if (found === undefined) throw new AppError('PLUTO_UNKNOWN_ID', { id });
    return found;
  }

  /** Like `item`, among the modules that are loaded already. */
  knownItem(id: string): ItemAt | undefined {
    return itemWithId(this.#loaded(), id) ?? itemWithId(this.#language(), id);
  }

  /** The imports of a module, in source order. */
  importsOf(module: LoadedModule): readonly ResolvedImport[] {
    return this.#project.importsOf(module);
  }

  /** Metadata for a new container. */
  newMeta(module: string): ContainerMeta {
    return { module, revision: 0, tool: this.#tool };
  }

  /** Creates ids: random ones for containers, reproducible ones for text modules, which cannot store them. */
  idsFor(path: ProjectPath): MakeId {
    return path.endsWith('.pt') ? this.#idsOf(path) : freshIds(this.ports.random);
  }

  /**
   * Runs one transaction. `plan` gets all modules and returns the changed and new ones; `verify` runs after the change. If either
   * throws, nothing changes.
   * @throws AppError PLUTO_READ_ONLY
   */
  async transact<T extends { readonly modules: readonly LoadedModule[] }>(
    label: string,
    signal: AbortSignal,
    plan: (modules: readonly LoadedModule[]) => T,
    verify?: (planned: T) => void,
  ): Promise<T> {
    this.#requireWritable(label);
    return this.#queue.run(signal, async () => {
      const before = await this.modules(signal);
      const planned = plan(before);
      const byPath = new Map(before.map(module => [module.path, module]));
      const changed = planned.modules.filter(after => byPath.get(after.path) !== after);
      if (changed.length === 0) return planned;
      const step: HistoryStep = {
        label,
        modules: new Map(changed.map(after => [after.path, { before: byPath.get(after.path), after }])),
      };
      this.#put(changed, []);
      try {
        verify?.(planned);
      } catch (error) {
        this.#revert(step);
        throw error;
      }
      this.#history.push(step);
      return planned;
    });
  }

  /**
   * Reverts the latest transaction in memory. A module that was saved since is dirty again.
   * @returns the label of the transaction and its modules
   * @throws AppError PLUTO_NOTHING_TO_UNDO, also if one of its modules has changed on disk since
   */
  async undo(signal: AbortSignal): Promise<{ readonly label: string; readonly modules: readonly ProjectPath[] }> {
    this.#requireWritable('undo');
    return this.#queue.run(signal, async () => {
      const step = this.#history.last;
      if (step === undefined) throw new AppError('PLUTO_NOTHING_TO_UNDO', { reason: 'there is no edit to undo' });
      const now = new Map((await this.modules(signal)).map(module => [module.path, module]));
      for (const [path, { after }] of step.modules)
        if (now.get(path)?.module.text !== after.module.text)
          throw new AppError('PLUTO_NOTHING_TO_UNDO', {
            reason: `${path} has changed on disk since ${step.label}`,
          });
      const kept = createdBy(step).find(path => this.#onDisk.get(path) !== undefined || !this.#onDisk.has(path));
      if (kept !== undefined)
        throw new AppError('PLUTO_NOTHING_TO_UNDO', {
          reason: `${kept} is saved already; delete the file instead`,
        });
      this.#history.drop();
      this.#revert(step);
      // Their disk changes were ignored while they had unsaved edits.
      await this.#refresh(signal, new Set(step.modules.keys()));
      return { label: step.label, modules: Array.from(step.modules.keys()) };
    });
  }

  /**
   * Writes modules with unsaved edits, and reads them back. A module that was changed or deleted on disk fails and is not overwritten; the
   * others are written.
   * @param paths default: all dirty ones; clean ones are skipped
   * @param isRecorded whether the caller has recorded the replaced file already; several are recorded in any case
   */
  async save(
    signal: AbortSignal,
    paths: readonly ProjectPath[] = this.dirty,
    isRecorded = false,
  ): Promise<readonly SaveResult[]> {
    this.#requireWritable('save');
    return this.#queue.run(signal, async () => {
      const planned: PlannedSave[] = [];
      for (const path of paths) {
        if (!this.#onDisk.has(path)) continue;
        const state = usable(path, await this.#project.load(path));
        const before = this.#onDisk.get(path);
        const isElsewhere = (id: DeclId): boolean =>
          this.#loaded().some(module => module.path !== path && itemWithId([module], id) !== undefined);
        const written = savedModule(state, before, { ...this.ports, tool: this.#tool, isElsewhere });
        const precondition: FilePrecondition =
          before === undefined ? { kind: 'absent' } : { kind: 'hash', gitBlob: before.gitBlob };
        planned.push({ state: written.state, edit: { kind: 'write', path, bytes: written.bytes, precondition } });
      }
      const { results, saved } = await saveModules(planned, this.ports, isRecorded);
      if (saved.size === 0) return results;
      const isNew = Array.from(saved.keys()).some(path => this.#onDisk.get(path) === undefined);
      for (const path of saved.keys()) this.#onDisk.delete(path);
      // Find new files before releasing them, so that they never seem to be missing.
      if (isNew) await this.#project.refresh(signal, new Set(saved.keys()));
      this.#project.hold([], saved);
      this.#changes.fire({ cause: 'save', modules: Array.from(saved.keys()) });
      return results;
    });
  }

  /** Reads changed files now, without waiting for the watcher. @param paths files that may have changed; default: all */
  async refresh(signal: AbortSignal, paths?: ReadonlySet<ProjectPath>): Promise<void> {
    await this.#queue.run(signal, () => this.#refresh(signal, paths));
  }

  async #refresh(signal: AbortSignal, paths: ReadonlySet<ProjectPath> | undefined): Promise<void> {
    const { changed, removed, isMoved } = await this.#project.refresh(signal, paths);
    const modules = [...changed, ...removed];
    if (isMoved || modules.length > 0) this.#changes.fire({ cause: 'disk', modules });
  }

  #revert(step: HistoryStep): void {
    const back = Array.from(step.modules.values(), ({ before }) => before).filter(state => state !== undefined);
    this.#put(back, createdBy(step));
  }

  /** Sets modules in memory, and removes others. */
  #put(states: readonly LoadedModule[], removed: readonly ProjectPath[]): void {
    const now = new Map(this.#loaded().map(module => [module.path, module]));
    const held: LoadedModule[] = [];
    const released = new Map<ProjectPath, LoadedModule | undefined>();
    for (const path of removed) {
      this.#onDisk.delete(path);
      released.set(path, undefined);
    }
    for (const state of states) {
      if (!this.#onDisk.has(state.path)) this.#onDisk.set(state.path, now.get(state.path));
      const onDisk = this.#onDisk.get(state.path);
      if (onDisk !== undefined && onDisk.module === state.module && onDisk.container === state.container) {
        this.#onDisk.delete(state.path);
        released.set(state.path, onDisk);
      } else {
        // An undone state may be older than the last save. What it replaces is the file as it is now.
        const gitBlob = onDisk?.gitBlob ?? state.gitBlob;
        held.push(state.gitBlob === gitBlob ? state : { ...state, gitBlob });
      }
    }
    this.#project.hold(held, released);
    this.#changes.fire({ cause: 'edit', modules: [...states.map(({ path }) => path), ...removed] });
  }

  #loaded(): readonly LoadedModule[] {
    return this.#project.loaded.filter(state => state.kind === 'loaded');
  }

  /** The standard library. */
  #language(): readonly LoadedModule[] {
    return [PRELUDE_PATH, ...stdNames.map(stdPath)].flatMap(path => this.#embedded(path) ?? []);
  }

  #requireWritable(action: string): void {
    if (this.isReadOnly) throw new AppError('PLUTO_READ_ONLY', { action });
  }
}

/** The modules that a step created. */
const createdBy = ({ modules }: HistoryStep): readonly ProjectPath[] =>
  Array.from(modules).flatMap(([path, { before }]) => (before === undefined ? [path] : []));

function usable(path: string, state: ModuleState | undefined): LoadedModule {
  if (state === undefined) throw new AppError('PLUTO_MODULE_NOT_FOUND', { path });
  if (state.kind === 'loaded') return state;
  const { code, reason } = state.problem;
  throw new AppError('PLUTO_MODULE_UNREADABLE', { path, problem: code, reason });
}
