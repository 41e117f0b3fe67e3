import type { ProjectPath } from '../../base/brand.ts';
import type { FileSystem } from '../../ports/file-system.ts';
import type { Hasher } from '../../ports/hasher.ts';
import { Checker } from '../language/check/checker.ts';
import { projectSource } from '../language/check/project-source.ts';
import type { CheckSource } from '../language/check/report/answers.ts';
import { carryIds } from '../language/identity/carry-ids.ts';
import { hintsOf } from '../language/identity/hints.ts';
import { derivedIds } from '../language/identity/ids.ts';
import { stemOf } from '../language/modules/folder-index.ts';
import type { LoadedModule, ModuleState } from '../language/modules/load-module.ts';
import { concernsModules, filesBelow } from '../language/modules/module-hints.ts';
import { PlutoProject } from '../language/modules/pluto-project.ts';
import { writeView } from '../language/pt/view.ts';
import { stdNames } from '../language/std/std-modules.ts';
import { PRELUDE_PATH, stdNameOf, stdPath } from '../language/std/std-path.ts';
import { parseModule } from '../language/syntax/parse.ts';
import { folderOf, joinPath } from '../../base/project-path.ts';
import type { ShownFile } from './answers.ts';

/**
 * The modules of a project with the texts that an editor shows: open documents as typed, containers as their `.pt` view. Every span of a
 * module here is a span of the text that a person sees.
 */
export class EditorModules {
  readonly project: PlutoProject;
  readonly checker: Checker;
  readonly #hasher: Hasher;
  readonly #source: CheckSource;
  /** Open documents: the shown path by the path of the module. */
  readonly #open = new Map<ProjectPath, ProjectPath>();
  /** The modules that were read, by path; undefined after a change. */
  #states: ReadonlyMap<ProjectPath, ModuleState> | undefined;

  /** Reads every module. */
  static async open(files: FileSystem, hasher: Hasher, signal: AbortSignal): Promise<EditorModules> {
    const project = await PlutoProject.open({ files, hasher }, signal);
    const modules = new EditorModules(project, hasher);
    modules.#showContainers(await project.loadAll(signal));
    return modules;
  }

  private constructor(project: PlutoProject, hasher: Hasher) {
    this.project = project;
    this.#hasher = hasher;
    this.#source = projectSource(project, module => derivedIds(hasher, module));
    this.checker = new Checker(this.#source);
    project.onDidChange(() => (this.#states = undefined));
  }

  /** Uses the text of the document instead of its file from now on. */
  setDocument(shown: ProjectPath, text: string): void {
    const path = this.modulePath(shown);
    const before = this.state(path);
    this.#open.set(path, shown);
    if (before?.kind === 'loaded' && before.module.text === text) return this.project.hold([before]);
    const was = before?.kind === 'loaded' ? before : undefined;
    this.project.hold([this.#identified(path, text, was)]);
  }

  /** The document was closed: its file is used again. */
  async closeDocument(shown: ProjectPath): Promise<void> {
    const path = this.modulePath(shown);
    if (this.#open.get(path) !== shown) return;
    this.#open.delete(path);
    await this.#readAgain([path]);
  }

  /** Files and folders on disk were changed, added or removed. */
  async filesChanged(hints: readonly ProjectPath[], signal: AbortSignal): Promise<void> {
    const { files } = this.project;
    const paths = hints.filter(path => concernsModules(path, files));
    if (paths.length === 0) return;
    const held = files.filter(path => this.project.isHeld(path) && !this.#open.has(path));
    await this.#readAgain(Array.from(new Set(paths.flatMap(path => filesBelow(path, held)))));
    await this.project.refresh(signal, new Set(paths));
    this.#showContainers(await this.project.loadAll(signal));
  }

  /** The module of a document: itself, or the container whose view it is. */
  modulePath(shown: ProjectPath): ProjectPath {
    if (!shown.endsWith('.pt')) return shown;
    const container = joinPath(folderOf(shown), `${stemOf(shown)}.pluto`);
    return this.state(container) === undefined ? shown : container;
  }

  shownFile(path: ProjectPath): ShownFile {
    if (stdNameOf(path) !== undefined) return { path, kind: 'std' };
    const shown = this.#open.get(path) ?? path;
    const state = this.state(path);
    const isContainer = state?.kind === 'loaded' && state.container !== undefined;
    return { path: shown, kind: isContainer && shown === path ? 'container' : 'text' };
  }

  state(path: ProjectPath): ModuleState | undefined {
    this.#states ??= new Map(this.project.loaded.map(state => [state.path, state]));
    return this.#states.get(path);
  }

  /** The module of a document, or a module of the language. */
  module(shown: ProjectPath): LoadedModule | undefined {
    const state = this.state(this.modulePath(shown)) ?? this.#source.embedded(shown);
    return state?.kind === 'loaded' ? state : undefined;
  }

  /** Every readable module; those of the language last. */
  *all(): Iterable<LoadedModule> {
    yield* this.#source.modules();
    for (const path of [PRELUDE_PATH, ...stdNames.map(stdPath)]) {
      const module = this.#source.embedded(path);
      if (module !== undefined) yield module;
    }
  }

  async #readAgain(paths: readonly ProjectPath[]): Promise<void> {
    this.project.hold([], new Map(paths.map(path => [path, undefined])));
    // A file that cannot be read is read again with the next request, which reports the failure.
    this.#showContainers(await Promise.all(paths.map(path => this.project.load(path).catch(() => undefined))));
  }

  #showContainers(states: readonly (ModuleState | undefined)[]): void {
    this.#states = undefined;
    const shown: LoadedModule[] = [];
    for (const state of states)
      if (state?.kind === 'loaded' && state.container !== undefined && !this.project.isHeld(state.path))
        shown.push(this.#identified(state.path, writeView(state.module), state));
    if (shown.length > 0) this.project.hold(shown);
  }

  #identified(path: ProjectPath, text: string, before: LoadedModule | undefined): LoadedModule {
    const module = parseModule(text);
    const makeId = derivedIds(this.#hasher, path);
    carryIds({ before: before?.module, after: module, makeId, hints: hintsOf(module) });
    return { kind: 'loaded', path, module, container: before?.container, gitBlob: before?.gitBlob ?? '' };
  }
}
