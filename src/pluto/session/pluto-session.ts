import type { ProjectPath } from '../../base/brand.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import { AppError } from '../../base/errors.ts';
import { SerialQueue } from '../../base/serial-queue.ts';
import { type TimeSlice, runToEnd, runInSlices, type PausableWork } from '../../base/time-slice.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FilePrecondition, FileSystem } from '../../ports/file-system.ts';
import type { FileWatcher } from '../../ports/file-watcher.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { Random } from '../../ports/random.ts';
import { type Checker, createChecker } from '../language/check/checker.ts';
import { projectSource } from '../language/check/project-source.ts';
import type { ContainerMeta } from '../language/container/container.ts';
import { derivedIds, freshIds, type MakeId } from '../language/identity/ids.ts';
import { embeddedModules } from '../language/modules/embedded.ts';
import type { LoadedModule, ModuleState } from '../language/modules/load-module.ts';
import { PlutoProject, type ResolvedImport } from '../language/modules/pluto-project.ts';
import type { DeclId } from '../language/syntax/ast/node.ts';
import { PRELUDE_PATH, stdPath } from '../language/std/std-path.ts';
import { stdNames } from '../language/std/std-modules.ts';
import { EditHistory, type HistoryStep } from './edit-history.ts';
import { type ItemAt, itemWithId, readItems } from './items.ts';
import { savedModule } from './saved-bytes.ts';
import { watchModules } from './watch-modules.ts';

export interface SessionPorts {
  readonly files: FileSystem;
  readonly hasher: Hasher;
  readonly random: Random;
}

export interface SessionOptions {
  /** Who writes containers. */
  readonly tool: ContainerMeta['tool'];
  readonly isReadOnly?: boolean;
  /** Where others must get their turn while everything is checked; without it the first question is answered in one go. */
  readonly slice?: TimeSlice;
}

/** What happened to modules: in memory (`edit`), or because the disk has something else (`disk`), or the two agree now (`save`). */
export interface SessionChange {
  readonly cause: 'edit' | 'save' | 'disk';
  readonly modules: readonly ProjectPath[];
}

/** What became of a module that was to be saved. */
export type SaveResult =
  | { readonly path: ProjectPath; readonly kind: 'saved' }
  | { readonly path: ProjectPath; readonly kind: 'failed'; readonly error: AppError };

/**
 * One project that is worked on: its modules as they are in memory, with what is not saved yet. All changes are transactions: a change
 * that fails leaves nothing behind, one that succeeded can be undone, and nothing reaches the disk before `save`.
 */
export class PlutoSession implements Disposable {
  readonly checker: Checker;
  readonly isReadOnly: boolean;
  readonly ports: SessionPorts;
  readonly #tool: ContainerMeta['tool'];
  readonly #slice: TimeSlice | undefined;
  readonly #project: PlutoProject;
  readonly #embedded: (path: ProjectPath) => LoadedModule | undefined;
  readonly #history = new EditHistory();
  /** Of every module that differs from the disk, what the disk had; `undefined` where there was nothing. */
  readonly #onDisk = new Map<ProjectPath, LoadedModule | undefined>();
  readonly #changes = new Emitter<SessionChange>();
  /** Changes, saves and looks at the disk, one after another. */
  readonly #lane = new SerialQueue();
  /** Every module, while none has changed since all were read. */
  #all: readonly LoadedModule[] | undefined;
  #generation = 0;
  #watching: Disposable | undefined;

  /** Finds the modules; reads none yet. */
  static async open(ports: SessionPorts, options: SessionOptions, signal: AbortSignal): Promise<PlutoSession> {
    return new PlutoSession(ports, options, await PlutoProject.open(ports, signal));
  }

  private constructor(ports: SessionPorts, { tool, isReadOnly = false, slice }: SessionOptions, project: PlutoProject) {
    this.ports = ports;
    this.#tool = tool;
    this.#slice = slice;
    this.isReadOnly = isReadOnly;
    this.#project = project;
    this.#embedded = embeddedModules(ports.hasher);
    project.onDidChange(() => {
      this.#all = undefined;
      this.#generation += 1;
    });
    this.checker = createChecker(projectSource(project, ports.hasher));
  }

  readonly onDidChange: Event<SessionChange> = listener => this.#changes.event(listener);

  /** Follows the disk from now on, until the session is disposed. */
  watch(watcher: FileWatcher, clock: Clock, onFailure: (error: unknown) => void): void {
    this.#watching ??= watchModules({
      watcher,
      clock,
      onFailure,
      look: paths => this.refresh(new AbortController().signal, paths),
    });
  }

  [Symbol.dispose](): void {
    this.#watching?.[Symbol.dispose]();
  }

  /** Every module file, sorted by path, modules that are in memory alone included. */
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

  /** All modules that can be read, sorted by path; those that were not read yet are read and checked now. */
  async modules(signal: AbortSignal): Promise<readonly LoadedModule[]> {
    // Whatever changes while they are read makes the list another one.
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

  /** Long work on all modules, in which nothing changes meanwhile; others have their turns where the session shares its thread. */
  async work<T>(signal: AbortSignal, steps: () => PausableWork<T>): Promise<T> {
    return this.#lane.run(signal, async () => {
      await this.modules(signal);
      const work = steps();
      return this.#slice === undefined ? runToEnd(work) : runInSlices(work, this.#slice);
    });
  }

  /** @throws AppError PLUTO_MODULE_NOT_FOUND, PLUTO_MODULE_UNREADABLE */
  async module(path: string): Promise<LoadedModule> {
    // Whatever is no path of the project is no module of it either.
    const state = await this.#project.load(path as ProjectPath);
    return usable(path, state ?? this.#embedded(path as ProjectPath));
  }

  /** An item of the project, or of what comes with the language. @throws AppError PLUTO_UNKNOWN_ID */
  async item(id: string, signal: AbortSignal): Promise<ItemAt> {
    const found = itemWithId(await this.modules(signal), id) ?? itemWithId(this.#language(), id);
    if (found === undefined) throw new AppError('PLUTO_UNKNOWN_ID', { id });
    return found;
  }

  /** The same among modules that are read already. */
  knownItem(id: string): ItemAt | undefined {
    return itemWithId(this.#loaded(), id) ?? itemWithId(this.#language(), id);
  }

  /** The imports of a module, in the order of the text. */
  importsOf(module: LoadedModule): readonly ResolvedImport[] {
    return this.#project.importsOf(module);
  }

  /** What a container says of itself before it was ever written. */
  newMeta(module: string): ContainerMeta {
    return { module, revision: 0, tool: this.#tool };
  }

  /** New ids for a module: random ones in containers; in texts such that a second process finds the same. */
  idsFor(path: ProjectPath): MakeId {
    return path.endsWith('.pt') ? derivedIds(this.ports.hasher, path) : freshIds(this.ports.random);
  }

  /**
   * One transaction. `plan` sees all modules and answers those that it changes, new ones included; `verify` sees what came of it.
   * When one of them throws, all is as it was before.
   * @throws AppError PLUTO_READ_ONLY
   */
  async transact<T extends { readonly modules: readonly LoadedModule[] }>(
    label: string,
    signal: AbortSignal,
    plan: (modules: readonly LoadedModule[]) => T,
    verify?: (planned: T) => void,
  ): Promise<T> {
    this.#requireWritable(label);
    return this.#lane.run(signal, async () => {
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
        this.#takeBack(step);
        throw error;
      }
      this.#history.push(step);
      return planned;
    });
  }

  /**
   * Takes the latest transaction back, in memory; what was saved meanwhile is dirty again.
   * @returns what was undone, and the modules that it concerned
   * @throws AppError PLUTO_NOTHING_TO_UNDO; also when one of its modules was changed on disk since
   */
  async undo(signal: AbortSignal): Promise<{ readonly label: string; readonly modules: readonly ProjectPath[] }> {
    this.#requireWritable('undo');
    return this.#lane.run(signal, async () => {
      const step = this.#history.last;
      if (step === undefined)
        throw new AppError('PLUTO_NOTHING_TO_UNDO', { reason: 'nothing was changed, or all of it is undone' });
      const now = new Map((await this.modules(signal)).map(module => [module.path, module]));
      for (const [path, { after }] of step.modules)
        if (now.get(path)?.module.text !== after.module.text)
          throw new AppError('PLUTO_NOTHING_TO_UNDO', {
            reason: `${path} was changed on disk since ${step.label}`,
          });
      const kept = madeBy(step).find(path => this.#onDisk.get(path) !== undefined || !this.#onDisk.has(path));
      if (kept !== undefined)
        throw new AppError('PLUTO_NOTHING_TO_UNDO', {
          reason: `${kept} is saved; delete the file if it is not wanted`,
        });
      this.#history.drop();
      this.#takeBack(step);
      // What happened on disk while they were held was not looked at.
      await this.#refresh(signal, new Set(step.modules.keys()));
      return { label: step.label, modules: Array.from(step.modules.keys()) };
    });
  }

  /**
   * Writes modules that differ from the disk, and reads them back. One that somebody else has changed or deleted on disk fails, and is
   * not overwritten; the others are written.
   * @param paths all dirty ones unless said otherwise; others of these need nothing
   */
  async save(signal: AbortSignal, paths: readonly ProjectPath[] = this.dirty): Promise<readonly SaveResult[]> {
    this.#requireWritable('save');
    return this.#lane.run(signal, async () => {
      const results: SaveResult[] = [];
      const saved = new Map<ProjectPath, LoadedModule>();
      for (const path of paths) {
        if (!this.#onDisk.has(path)) continue;
        const state = usable(path, await this.#project.load(path));
        const before = this.#onDisk.get(path);
        const isElsewhere = (id: DeclId): boolean =>
          this.#loaded().some(module => module.path !== path && itemWithId([module], id) !== undefined);
        const written = savedModule(state, before, { ...this.ports, tool: this.#tool, isElsewhere });
        const precondition: FilePrecondition =
          before === undefined ? { kind: 'absent' } : { kind: 'hash', gitBlob: before.gitBlob };
        try {
          await this.ports.files.replace(path, written.bytes, precondition);
          saved.set(path, written.state);
          results.push({ path, kind: 'saved' });
        } catch (error) {
          results.push({ path, kind: 'failed', error: AppError.from(error) });
        }
      }
      if (saved.size === 0) return results;
      const isNew = Array.from(saved.keys()).some(path => this.#onDisk.get(path) === undefined);
      for (const path of saved.keys()) this.#onDisk.delete(path);
      // New files are found before they are no longer held, so that nobody sees them gone.
      if (isNew) await this.#project.refresh(signal, new Set(saved.keys()));
      this.#project.hold([], saved);
      this.#changes.fire({ cause: 'save', modules: Array.from(saved.keys()) });
      return results;
    });
  }

  /** Looks at the disk now instead of when the watcher tells. @param paths where something may have changed; left out: anywhere */
  async refresh(signal: AbortSignal, paths?: ReadonlySet<ProjectPath>): Promise<void> {
    await this.#lane.run(signal, () => this.#refresh(signal, paths));
  }

  async #refresh(signal: AbortSignal, paths: ReadonlySet<ProjectPath> | undefined): Promise<void> {
    const { changed, removed, isMoved } = await this.#project.refresh(signal, paths);
    const modules = [...changed, ...removed];
    if (isMoved || modules.length > 0) this.#changes.fire({ cause: 'disk', modules });
  }

  #takeBack(step: HistoryStep): void {
    const back = Array.from(step.modules.values(), ({ before }) => before).filter(state => state !== undefined);
    this.#put(back, madeBy(step));
  }

  /** Modules as they are in memory now, and modules that are no longer there at all. */
  #put(states: readonly LoadedModule[], gone: readonly ProjectPath[]): void {
    const now = new Map(this.#loaded().map(module => [module.path, module]));
    const held: LoadedModule[] = [];
    const released = new Map<ProjectPath, LoadedModule | undefined>();
    for (const path of gone) {
      this.#onDisk.delete(path);
      released.set(path, undefined);
    }
    for (const state of states) {
      if (!this.#onDisk.has(state.path)) this.#onDisk.set(state.path, now.get(state.path));
      const onDisk = this.#onDisk.get(state.path);
      if (onDisk !== undefined && onDisk.module === state.module && onDisk.container === state.container) {
        this.#onDisk.delete(state.path);
        released.set(state.path, onDisk);
      } else held.push(state);
    }
    this.#project.hold(held, released);
    this.#changes.fire({ cause: 'edit', modules: [...states.map(({ path }) => path), ...gone] });
  }

  #loaded(): readonly LoadedModule[] {
    return this.#project.loaded.filter(state => state.kind === 'loaded');
  }

  /** What comes with the language, and cannot change. */
  #language(): readonly LoadedModule[] {
    return [PRELUDE_PATH, ...stdNames.map(stdPath)].flatMap(path => this.#embedded(path) ?? []);
  }

  #requireWritable(action: string): void {
    if (this.isReadOnly) throw new AppError('PLUTO_READ_ONLY', { action });
  }
}

/** Modules that were not there before. */
const madeBy = ({ modules }: HistoryStep): readonly ProjectPath[] =>
  Array.from(modules).flatMap(([path, { before }]) => (before === undefined ? [path] : []));

function usable(path: string, state: ModuleState | undefined): LoadedModule {
  if (state === undefined) throw new AppError('PLUTO_MODULE_NOT_FOUND', { path });
  if (state.kind === 'loaded') return state;
  const { code, reason } = state.problem;
  throw new AppError('PLUTO_MODULE_UNREADABLE', { path, problem: code, reason });
}
