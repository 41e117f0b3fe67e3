import type { ProjectPath, Ref } from '../../base/brand.ts';
import { DisposableStore } from '../../base/disposable-store.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import { PROJECT_FOLDER } from '../../base/project-path.ts';
import { untilAborted } from '../../base/until-aborted.ts';
import { SerialQueue } from '../../base/serial-queue.ts';
import type { FileWatch, FileWatcher } from '../../ports/file-watcher.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Instance } from '../../roblox/instances/instance.ts';
import type { ProjectFile } from '../project-file/project-file.ts';
import { projectName } from '../project-file/project-names.ts';
import type {
  ProjectDiagnostic,
  ProjectInfo,
  ProjectSession,
  PullRequest,
  PullsPlan,
  SyncbackExclusions,
  TreeChange,
} from '../project-session.ts';
import { planPulls } from '../writeback/plan-pulls.ts';
import type { PullContext } from '../writeback/pull-context.ts';
import { excludesFile } from '../writeback/syncback/excluded-files.ts';
import type { DiskFindings } from './disk-reader.ts';
import { scanDisk } from './disk-scan.ts';
import { EmptiedFiles } from './emptied-files.ts';
import { HintBursts } from '../../base/hint-bursts.ts';
import { Hints } from './hints.ts';
import { runInSlices, TimeSlice } from '../../base/time-slice.ts';
import { type ReadResult, readAgain, type SessionState } from './read-again.ts';

/** A project session that reads and watches files. `open-project-session.ts` creates and loads it. */
export class FileProjectSession implements ProjectSession {
  readonly #state: SessionState;
  readonly #log: Logger;
  readonly #queue = new SerialQueue();
  readonly #hints: Hints;
  #isReadWaiting = false;
  readonly #emptied: EmptiedFiles;
  readonly #changed = new Emitter<TreeChange>();
  readonly #diagnosticsChanged = new Emitter<readonly ProjectDiagnostic[]>();
  readonly #disposables = new DisposableStore();
  readonly #closed = new AbortController();
  /** Functions that cancel the next checks of emptied files. */
  readonly #emptyTimers = new Set<() => void>();
  #revision = 0;

  readonly onDidChange: Event<TreeChange> = this.#changed.event;
  readonly onDidChangeDiagnostics: Event<readonly ProjectDiagnostic[]> = this.#diagnosticsChanged.event;

  constructor(state: SessionState, watcher: FileWatcher, log: Logger) {
    this.#state = state;
    this.#log = log;
    this.#emptied = new EmptiedFiles(state.ports.clock);
    this.#disposables.defer(() => this.#closed.abort());
    this.#disposables.defer(() => this.#emptyTimers.forEach(cancel => cancel()));
    this.#hints = this.#disposables.add(new Hints(state.ports.clock, () => this.#readHinted()));
    const bursts = this.#disposables.add(new HintBursts(state.ports.clock, () => this.#rescan(watch)));
    const watch = this.#disposables.add(
      watcher.watch(path => {
        bursts.add();
        for (const spelling of spellings(path)) {
          this.#hints.add(spelling);
          for (const other of state.index.throughLinks(spelling)) this.#hints.add(other);
        }
      }),
    );
  }

  get info(): ProjectInfo {
    const project = this.#project();
    return {
      name: projectName(this.#state.projectFile, project?.name, this.#state.workspace),
      projectFile: this.#state.projectFile,
      dialect: project?.dialect ?? 'rojo',
      servePlaceIds: project?.servePlaceIds,
      blockedPlaceIds: project?.blockedPlaceIds,
      gameId: project?.gameId,
      placeId: project?.placeId,
      ignoreHiddenServices: project?.ignoreHiddenServices ?? true,
      syncScriptsOnly: project?.syncScriptsOnly ?? false,
    };
  }

  get rootId(): Ref {
    return this.#state.tree.rootId;
  }

  revision(): number {
    return this.#revision;
  }

  get(id: Ref): Instance | undefined {
    return this.#state.tree.get(id);
  }

  instanceCount(): number {
    return this.#state.tree.size;
  }

  descendants(id: Ref): Iterable<Instance> {
    return this.#state.tree.descendants(id);
  }

  idsAtPath(path: ProjectPath): readonly Ref[] {
    return this.#state.tree.idsAtPath(path);
  }

  idsTouchedBy(path: ProjectPath): readonly Ref[] {
    return this.#state.tree.idsTouchedBy(path);
  }

  fsPathOf(id: Ref): ProjectPath | null {
    const instance = this.#state.tree.get(id);
    if (instance === undefined) return null;
    const { location, metadata } = instance;
    const model = location.values.find(values => values.kind === 'model')?.file;
    const own = metadata.source?.kind === 'path' ? metadata.source.path : undefined;
    return location.text?.path ?? own ?? model ?? null;
  }

  filesOf(id: Ref): readonly ProjectPath[] {
    const { tree, index } = this.#state;
    return tree.get(id)?.metadata.relevantPaths.filter(path => index.isFile(path)) ?? [];
  }

  diagnostics(): readonly ProjectDiagnostic[] {
    return this.#state.diagnostics.list();
  }

  refresh(signal: AbortSignal, paths?: readonly ProjectPath[]): Promise<void> {
    return this.#queue.run(AbortSignal.any([signal, this.#closed.signal]), () =>
      paths === undefined
        ? // A full scan covers all pending hints.
          this.#takeHints(signal, () => this.#updateAll([PROJECT_FOLDER], signal))
        : this.#updateAll(paths, signal),
    );
  }

  catchUp(signal: AbortSignal): Promise<void> {
    return this.#queue.run(AbortSignal.any([signal, this.#closed.signal]), () => this.#updateHinted(signal));
  }

  planPulls(requests: readonly PullRequest[], signal: AbortSignal): Promise<PullsPlan> {
    return this.#queue.run(signal, () =>
      planPulls(this.#state, requests, new TimeSlice(this.#state.ports.clock), signal),
    );
  }

  writeAlone(renamed: PullsPlan['renamed'], write: () => Promise<void>): Promise<void> {
    return this.#queue.run(new AbortController().signal, async () => {
      this.#state.renames.expect(renamed ?? []);
      await write();
    });
  }

  /** Runs a plan while the tree does not change. Returns a sentence when the project cannot be read. */
  planAlone<T>(
    plan: (context: PullContext, project: ProjectFile, slice: TimeSlice) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T | string> {
    return this.#queue.run(signal, async () => {
      const project = this.#project();
      if (project === undefined) return 'the project cannot be read';
      return plan(this.#state, project, new TimeSlice(this.#state.ports.clock));
    });
  }

  syncbackExclusions(): SyncbackExclusions {
    const project = this.#project();
    if (project === undefined) return { excludesInstance: () => true, excludesFile: () => true };
    const { ignoreClasses, ignoresTree } = project.syncbackRules;
    return {
      excludesInstance: (path, className) => ignoreClasses.has(className) || ignoresTree(path),
      excludesFile: excludesFile(project),
    };
  }

  [Symbol.dispose](): void {
    this.#disposables[Symbol.dispose]();
  }

  /** Loads the tree for the first time. */
  async load(signal: AbortSignal): Promise<ReadResult> {
    return this.#queue.run(signal, () => this.#read(firstFindings(this.#state.projectFile), signal));
  }

  #readHinted(): void {
    // A read that waits, perhaps for the end of thousands of writes, takes these hints too.
    if (this.#isReadWaiting) return;
    this.#isReadWaiting = true;
    const { signal } = this.#closed;
    this.#queue
      .run(signal, () => {
        this.#isReadWaiting = false;
        return this.#updateHinted(signal);
      })
      .catch((error: unknown) => {
        if (!signal.aborted) this.#log.error('could not read the changed files', error);
      });
  }

  /** Checks everything after a burst of hints, because some of them may have been dropped. */
  #rescan(watch: FileWatch): void {
    const { signal } = this.#closed;
    this.#log.debug('many files changed at once; the whole project is read again');
    const rescan = async (): Promise<void> => {
      await watch.watchMissed?.();
      await this.refresh(signal);
    };
    rescan().catch((error: unknown) => {
      if (!signal.aborted) this.#log.error('could not read the project again', error);
    });
  }

  /** Takes the pending hints for `read`. They are pending again if the caller cancels it, because no other hint may follow. */
  async #takeHints<T>(signal: AbortSignal, read: (paths: readonly ProjectPath[]) => Promise<T>): Promise<T> {
    const paths = this.#hints.take();
    try {
      return await read(paths);
    } catch (error) {
      if (signal.aborted && !this.#closed.signal.aborted) for (const path of paths) this.#hints.add(path);
      throw error;
    }
  }

  /** Reads the changes at the hinted paths. Checks a file that was just emptied again later. */
  async #updateHinted(signal: AbortSignal): Promise<void> {
    const { held, ms } = await this.#takeHints(signal, paths => this.#update(paths, true, signal));
    if (held.length === 0 || this.#closed.signal.aborted) return;
    const cancelTimer = this.#state.ports.clock.after(ms, () => {
      this.#emptyTimers.delete(cancelTimer);
      for (const path of held) this.#hints.add(path);
    });
    this.#emptyTimers.add(cancelTimer);
  }

  /** Reads all changes. Waits until files that were just emptied have content again, or are known to be empty. */
  async #updateAll(scopes: readonly ProjectPath[], signal: AbortSignal): Promise<void> {
    let { held, ms } = await this.#update(scopes, false, signal);
    while (held.length > 0) {
      const over = Promise.withResolvers<void>();
      const cancelTimer = this.#state.ports.clock.after(ms, over.resolve);
      await untilAborted(over.promise, AbortSignal.any([signal, this.#closed.signal])).finally(cancelTimer);
      ({ held, ms } = await this.#update(held, false, signal));
    }
  }

  async #update(
    scopes: readonly ProjectPath[],
    hasHints: boolean,
    signal: AbortSignal,
  ): Promise<{ readonly held: readonly ProjectPath[]; readonly ms: number }> {
    const { index, ports } = this.#state;
    const scanned = await scanDisk(ports, index, scopes, signal);
    const filtering = this.#emptied.withoutRecentlyEmptied(scanned, index, hasHints);
    const { findings, held, ms } = await runInSlices(filtering, new TimeSlice(ports.clock));
    if (findings.changed.size > 0) await this.#read(findings, signal);
    return { held, ms };
  }

  async #read(findings: DiskFindings, signal: AbortSignal): Promise<ReadResult> {
    const reading = await readAgain(this.#state, findings, signal);
    if (reading.treeChanged) {
      this.#revision += 1;
      this.#log.debug('tree changed', { revision: this.#revision, files: findings.changed.size });
      this.#changed.fire({ revision: this.#revision, before: reading.before });
    }
    if (reading.diagnosticsChanged) this.#diagnosticsChanged.fire(this.diagnostics());
    return reading;
  }

  #project(): ProjectFile | undefined {
    const origin = this.#state.tree.get(this.rootId)?.origin;
    return origin?.kind === 'node' ? origin.project : undefined;
  }
}

/** The Unicode spellings of a path: a disk may use another normal form than the project file and treat both as equal. */
const spellings = (path: ProjectPath): ReadonlySet<ProjectPath> =>
  // Normalization never creates path separators.
  new Set([path, path.normalize('NFC') as ProjectPath, path.normalize('NFD') as ProjectPath]);

const firstFindings = (projectFile: ProjectPath): DiskFindings => ({
  changed: new Set([projectFile]),
  read: new Map(),
  listed: new Set(),
});
