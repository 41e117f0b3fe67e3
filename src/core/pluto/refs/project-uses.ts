import type { ProjectPath } from '../../../base/brand.ts';
import { folderOf } from '../../../base/project-path.ts';
import { stemOf } from '../project/folder-index.ts';
import type { LoadedModule } from '../project/load-module.ts';
import type { PlutoProject } from '../project/pluto-project.ts';
import { eachItem, nameOfItem } from '../syntax/parts.ts';
import { collectUses } from './collect-uses.ts';
import { type FileScope, type ModuleNames, namesOf } from './scope.ts';
import { UseTable } from './use-table.ts';

/**
 * The table of all uses in a project, kept up to date on demand: a file is walked again only when its text changed, or when the names
 * and ids of what it can see did. A change of a body elsewhere costs nothing here.
 */
export class ProjectUses {
  readonly #project: PlutoProject;
  readonly #table = new UseTable();
  readonly #outlines = new WeakMap<LoadedModule, string>();
  /** What the uses of a file were collected from: its state, then the outlines that it saw. */
  readonly #seen = new Map<ProjectPath, { readonly state: LoadedModule; readonly outlines: readonly string[] }>();

  constructor(project: PlutoProject) {
    this.#project = project;
  }

  /** Loads what was not loaded yet. */
  async table(signal: AbortSignal): Promise<UseTable> {
    const states = new Map<ProjectPath, LoadedModule>();
    for (const state of await this.#project.loadAll(signal)) if (state.kind === 'loaded') states.set(state.path, state);
    for (const file of this.#table.files) if (!states.has(file)) this.#forget(file);
    const byFolder = Map.groupBy(states.values(), ({ path }) => folderOf(path));
    const names = new Map<string, ModuleNames>();
    const namesOfFiles = (files: readonly LoadedModule[]): ModuleNames => {
      const key = files.map(({ path }) => path).join('\n');
      const known = names.get(key);
      if (known !== undefined) return known;
      const made = namesOf(files.map(({ module }) => module.tree.items));
      names.set(key, made);
      return made;
    };
    for (const state of states.values()) {
      signal.throwIfAborted();
      const { own, imports } = this.#visible(state, states, byFolder.get(folderOf(state.path)) ?? []);
      const outlines = [own, ...imports.values()].flatMap(files => files.map(file => this.#outlineOf(file)));
      const bindings = Array.from(imports.keys());
      if (this.#isCurrent(state, [...bindings, ...outlines])) continue;
      const scope: FileScope = {
        own: namesOfFiles(own),
        imports: new Map(Array.from(imports, ([binding, files]) => [binding, namesOfFiles(files)])),
      };
      this.#table.put(state.path, collectUses(state.module.tree, scope));
      this.#seen.set(state.path, { state, outlines: [...bindings, ...outlines] });
    }
    return this.#table;
  }

  /** The files of its folder are one module with it, but for those that it imports by name; then what it imports. */
  #visible(state: LoadedModule, states: ReadonlyMap<ProjectPath, LoadedModule>, siblings: readonly LoadedModule[]) {
    const imports = new Map<string, readonly LoadedModule[]>();
    const imported = new Set<string>();
    for (const { decl, binding, target } of this.#project.importsOf(state)) {
      imported.add(decl.path[0]?.text ?? '');
      const files = target?.files.flatMap(file => states.get(file) ?? []) ?? [];
      if (binding !== '' && !imports.has(binding)) imports.set(binding, files);
    }
    const own = siblings.filter(file => file === state || !imported.has(stemOf(file.path)));
    return { own, imports };
  }

  #isCurrent(state: LoadedModule, outlines: readonly string[]): boolean {
    const seen = this.#seen.get(state.path);
    if (seen?.state !== state || seen.outlines.length !== outlines.length) return false;
    return seen.outlines.every((outline, index) => outline === outlines[index]);
  }

  /** Kinds, names and ids of everything in a file: all that other files can depend on here. */
  #outlineOf(state: LoadedModule): string {
    const known = this.#outlines.get(state);
    if (known !== undefined) return known;
    const parts: string[] = [];
    eachItem(state.module.tree.items, (item, owners) =>
      parts.push(`${owners.length} ${item.kind} ${nameOfItem(item)} ${item.id}`),
    );
    const outline = parts.join('\n');
    this.#outlines.set(state, outline);
    return outline;
  }

  #forget(file: ProjectPath): void {
    this.#table.remove(file);
    this.#seen.delete(file);
  }
}
