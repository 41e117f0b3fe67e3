import type { ProjectPath } from '../../../../base/brand.ts';
import { nameOf } from '../../../../base/project-path.ts';
import type { LoadedModule } from '../../modules/load-module.ts';
import type { ResolvedImport } from '../../modules/pluto-project.ts';
import type { Decl, TestDecl } from '../../syntax/ast/decl.ts';
import type { DeclId } from '../../syntax/ast/node.ts';
import type { DeclSymbol, FileRef, Versioned } from '../types/type.ts';
import type { FolderNames, Tracker } from './names.ts';

/** What a binding of an import stands for. */
export interface ImportedModule {
  readonly files: readonly ProgramFile[];
  readonly names: FolderNames;
}

/** One module file of the program, through all its states. */
export class ProgramFile implements FileRef {
  readonly path: ProjectPath;
  readonly isEmbedded: boolean;
  readonly names: FolderNames;
  module: LoadedModule;
  /** By id, in the order of the text. */
  symbols: ReadonlyMap<DeclId, DeclSymbol> = new Map();
  imports: readonly ResolvedImport[] = [];
  bindings: ReadonlyMap<string, ImportedModule> = new Map();
  /** Bindings of imports that name nothing: what is behind them is not known, and is nobody's mistake. */
  unresolved: ReadonlySet<string> = new Set();
  /** First names of the imports: siblings that are called so are modules of their own here. */
  importedFirstNames: ReadonlySet<string> = new Set();
  /** Changes with the meaning of the imports, and with `isEntry`. */
  readonly importsVersion: Versioned = { changedAt: 0 };
  /** Whether a program can start here. */
  isEntry = false;
  hasSystem = false;
  /** Whether another file imports it, by itself or with its folder: then its names have the module in front of them elsewhere. */
  isImported = false;
  /** Whether another file imports it by itself. */
  isImportedAlone = false;

  /** What notes who looks at what, and the revision. */
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
    return nameOf(this.path).replace(/\.(?:pluto|pt)$/, '');
  }

  /** Whether both can be files of one program: not when one starts in each of them. */
  mayRunWith(other: ProgramFile): boolean {
    return other === this || !(this.isEntry && other.isEntry);
  }

  /** Whether names that `other`, of the same folder, declares mean the same here. */
  sees(other: FileRef): boolean {
    return (
      other === this ||
      !(other instanceof ProgramFile) ||
      this.importedFirstNames.size === 0 ||
      !this.importedFirstNames.has(other.stem)
    );
  }
}

/** What can be named or checked by itself: declarations but imports, with the tests in their block. */
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
