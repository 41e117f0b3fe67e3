import type { ProjectPath } from '../../../../base/brand.ts';
import { stemOf } from '../../modules/folder-index.ts';
import type { LoadedModule } from '../../modules/load-module.ts';
import type { ResolvedImport } from '../../modules/pluto-project.ts';
import type { Decl, TestDecl } from '../../syntax/ast/decl.ts';
import type { DeclId } from '../../syntax/ast/node.ts';
import type { DeclSymbol, FileRef, Versioned } from '../types/type.ts';
import type { FolderNames, Tracker } from './names.ts';

/** The module that an import binding names. */
export interface ImportedModule {
  readonly files: readonly ProgramFile[];
  readonly names: FolderNames;
}

/** One module file of the program. The object stays the same when the file changes. */
export class ProgramFile implements FileRef {
  readonly path: ProjectPath;
  readonly isEmbedded: boolean;
  readonly names: FolderNames;
  module: LoadedModule;
  /** By id, in source order. */
  symbols: ReadonlyMap<DeclId, DeclSymbol> = new Map();
  imports: readonly ResolvedImport[] = [];
  bindings: ReadonlyMap<string, ImportedModule> = new Map();
  /** Bindings of unresolved imports. Uses of them are not reported again. */
  unresolved: ReadonlySet<string> = new Set();
  /** First path segments of the imports. A sibling file of this name is a separate module here. */
  importedFirstNames: ReadonlySet<string> = new Set();
  /** Changes with the resolved imports and with `isEntry`. */
  readonly importsVersion: Versioned = { changedAt: 0 };
  /** Whether the file has an entry point. */
  isEntry = false;
  hasSystem = false;
  /** Whether another file imports it, alone or with its folder. Its names are then qualified with the module elsewhere. */
  isImported = false;
  /** Whether another file imports it alone, as a module. */
  isImportedAlone = false;

  /** Dependency tracking and the current revision. */
  readonly program: { readonly tracker: Tracker; readonly revision: number };

  constructor(program: ProgramFile['program'], module: LoadedModule, names: FolderNames, isEmbedded: boolean) {
    this.program = program;
    this.path = module.path;
    this.module = module;
    this.names = names;
    this.isEmbedded = isEmbedded;
  }

  get text(): string {
    return this.module.module.text;
  }

  get items(): readonly Decl[] {
    return this.module.module.tree.items;
  }

  get stem(): string {
    return stemOf(this.path);
  }

  /** Whether both files can be in one program: not if each has an entry point. */
  mayRunWith(other: ProgramFile): boolean {
    return other === this || !(this.isEntry && other.isEntry);
  }

  /** Whether the declarations of `other`, a file of the same folder, are visible here. */
  sees(other: FileRef): boolean {
    return (
      other === this ||
      !(other instanceof ProgramFile) ||
      this.importedFirstNames.size === 0 ||
      !this.importedFirstNames.has(other.stem)
    );
  }
}

/** Declarations that have a symbol: all except imports, with tests listed individually. */
export type SymbolDecl = DeclSymbol['decl'];

export function symbolDecls(items: readonly Decl[]): readonly SymbolDecl[] {
  const decls: SymbolDecl[] = [];
  for (const item of items) {
    if (item.kind === 'TestsDecl') decls.push(...item.tests);
    else if (item.kind !== 'ImportDecl' && item.kind !== 'BrokenDecl') decls.push(item);
  }
  return decls;
}

export const nameOfDecl = (decl: SymbolDecl): string => (isTest(decl) ? decl.title.value : decl.name.text);

const isTest = (decl: SymbolDecl): decl is TestDecl => decl.kind === 'TestDecl';
