import { nodeHasher as hasher } from '../../../../src/adapters/node/hasher.ts';
import type { ProjectPath } from '../../../../src/base/brand.ts';
import { Checker } from '../../../../src/pluto/language/check/checker.ts';
import { projectSource } from '../../../../src/pluto/language/check/project-source.ts';
import type { FileDiagnostic } from '../../../../src/pluto/language/check/report/answers.ts';
import { derivedIds } from '../../../../src/pluto/language/identity/ids.ts';
import { PlutoProject } from '../../../../src/pluto/language/modules/pluto-project.ts';
import type { DeclId } from '../../../../src/pluto/language/syntax/ast/node.ts';
import { LineMap } from '../../../../src/pluto/language/syntax/line-map.ts';
import { eachItem, nameOfItem } from '../../../../src/pluto/language/syntax/parts.ts';
import { MemoryFileSystem } from '../../../harness/memory-file-system.ts';

const { signal } = new AbortController();

/** A project in memory with a checker. */
export class CheckWorld {
  readonly disk: MemoryFileSystem;
  readonly project: PlutoProject;
  readonly checker: Checker;

  private constructor(disk: MemoryFileSystem, project: PlutoProject) {
    this.disk = disk;
    this.project = project;
    this.checker = new Checker(projectSource(project, module => derivedIds(hasher, module)));
  }

  static async of(files: Readonly<Record<string, string>>): Promise<CheckWorld> {
    const disk = new MemoryFileSystem(files);
    const project = await PlutoProject.open({ files: disk, hasher }, signal);
    await project.loadAll(signal);
    return new CheckWorld(disk, project);
  }

  /** Changes and creates files; `undefined` deletes a file. */
  async write(files: Readonly<Record<string, string | undefined>>): Promise<void> {
    for (const [path, text] of Object.entries(files))
      if (text === undefined) this.disk.delete(path);
      else this.disk.set(path, text);
    await this.project.refresh(signal);
    await this.project.loadAll(signal);
  }

  /** `file:line:column: code` of every finding. */
  findings(): readonly string[] {
    return this.checker.check().map(found => `${this.placeOf(found)}: ${found.code}`);
  }

  placeOf({ file, span }: Pick<FileDiagnostic, 'file' | 'span'>): string {
    const { line, column } = new LineMap(this.textOf(file)).position(span.start);
    return `${file}:${line}:${column}`;
  }

  textOf(file: string): string {
    for (const state of this.project.loaded)
      if (state.kind === 'loaded' && state.path === file) return state.module.text;
    return '';
  }

  /** The id of the item with this qualified name: `Point.scale`. */
  idOf(wanted: string, file?: string): DeclId {
    let found: DeclId | undefined;
    for (const state of this.project.loaded)
      if (state.kind === 'loaded' && (file === undefined || state.path === file))
        eachItem(state.module.tree.items, (item, owners) => {
          if ([...owners, item].map(nameOfItem).join('.') === wanted) found ??= item.id;
        });
    if (found === undefined) throw new Error(`there is no ${wanted}`);
    return found;
  }

  /** `file:name` of the item with this id; the id if no loaded module has it. */
  nameOf(wanted: DeclId | undefined): string | undefined {
    let found: string | undefined;
    for (const state of this.project.loaded)
      if (state.kind === 'loaded')
        eachItem(state.module.tree.items, (item, owners) => {
          if (item.id === wanted) found ??= `${state.path}:${[...owners, item].map(nameOfItem).join('.')}`;
        });
    return found ?? wanted;
  }

  /** `file:kind:site` of every use. */
  usesOf(wanted: string, file?: string): readonly string[] {
    return this.checker.usesOf(this.idOf(wanted, file)).map(({ file: at, use }) => {
      const site = this.textOf(at).slice(use.site.start, use.site.end).replaceAll(/\s+/g, ' ');
      return `${at}:${use.kind}:${site}`;
    });
  }

  /** The type at the first occurrence of `marked`; `^` marks the offset. */
  typeAt(file: string, marked: string): string | undefined {
    const offset = this.textOf(file).indexOf(marked.replace('^', '')) + marked.indexOf('^');
    return this.checker.typeAt(file as ProjectPath, offset)?.type;
  }

  errorsOf(wanted: string, file?: string): readonly string[] | undefined {
    return this.checker.errorSetOf(this.idOf(wanted, file))?.errors.map(({ name }) => name);
  }
}
