import type { ProjectPath } from '../../../../base/brand.ts';
import type { PausableWork } from '../../../../base/time-slice.ts';
import { folderOf } from '../../../../base/project-path.ts';
import type { LoadedModule } from '../../modules/load-module.ts';
import type { ResolvedImport } from '../../modules/pluto-project.ts';
import { PRELUDE_PATH } from '../../std/std-path.ts';
import type { Decl } from '../../syntax/ast/decl.ts';
import type { DeclId } from '../../syntax/ast/node.ts';
import type { CheckSource } from '../report/answers.ts';
import type { AppSymbol, DeclSymbol, StageSymbol, Versioned } from '../types/type.ts';
import { FolderNames, Tracker } from './names.ts';
import { type ImportedModule, nameOfDecl, ProgramFile, type SymbolDecl, symbolDecls } from './program-file.ts';
import { surfaceOf } from './surface.ts';

type Kind = DeclSymbol['kind'];

const IMPORT_BATCH_SIZE = 50;
export type SymbolOfKind<K extends Kind> = Extract<DeclSymbol, { readonly kind: K }>;

/** Changes of the files since the last update. */
export interface ProgramChange {
  readonly changed: readonly ProgramFile[];
  readonly removed: readonly ProgramFile[];
  /** Whether anything outside of bodies changed. */
  readonly isSurface: boolean;
}

/** The declarations and name tables of all files, updated incrementally. */
export class Program {
  readonly tracker = new Tracker();
  readonly files = new Map<ProjectPath, ProgramFile>();
  readonly symbols = new Map<DeclId, DeclSymbol>();
  /** Changes when an app or stage of the program changes. */
  readonly entriesVersion: Versioned = { changedAt: 0 };
  /** Increases when anything outside of bodies changes. */
  revision = 0;
  readonly #source: CheckSource;
  readonly #folders = new Map<ProjectPath, FolderNames>();
  #prelude: FolderNames | undefined;
  #entries: readonly (AppSymbol | StageSymbol)[] | undefined;

  constructor(source: CheckSource) {
    this.#source = source;
  }

  get folders(): Iterable<FolderNames> {
    return this.#folders.values();
  }

  /** All apps and stages. */
  get entries(): readonly (AppSymbol | StageSymbol)[] {
    this.tracker.see(this.entriesVersion);
    this.#entries ??= Array.from(this.symbols.values()).filter(
      symbol => symbol.kind === 'AppDecl' || symbol.kind === 'StageDecl',
    );
    return this.#entries;
  }

  /** Reads changed files in steps of a few milliseconds. */
  *update(): PausableWork<ProgramChange> {
    const revision = this.revision + 1;
    const changed: ProgramFile[] = [];
    let isSurface = false;
    const seen = new Set<ProjectPath>();
    for (const module of this.#source.modules()) {
      seen.add(module.path);
      const known = this.files.get(module.path);
      if (known?.module === module) continue;
      const file = known ?? this.#add(module, false);
      file.module = module;
      changed.push(file);
      if (this.#readDeclarations(file, revision)) isSurface = true;
      yield;
    }
    const removed = this.#dropAllBut(seen, revision);
    isSurface ||= removed.length > 0;
    this.#prelude ??= this.#embedded(PRELUDE_PATH, revision, changed)?.names;
    const waiting = Array.from(this.files.values());
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      const known = changed.length;
      if (this.#readImports(file, revision, changed)) isSurface = true;
      if (waiting.length % IMPORT_BATCH_SIZE === 0) yield;
      waiting.push(...changed.slice(known));
    }
    if (isSurface) {
      this.revision = revision;
      this.#markImported(revision);
    }
    return { changed, removed, isSurface };
  }

  /** Resolves a name in a file: to a declaration of the file itself, of the other files of its module, or of the prelude. */
  find<K extends Kind>(file: ProgramFile, name: string, ...kinds: readonly K[]): SymbolOfKind<K> | undefined {
    const slot = file.names.slot(name);
    this.tracker.see(slot);
    let found: SymbolOfKind<K> | undefined;
    for (const symbol of slot.symbols) {
      if (!isOneOf(symbol, kinds)) continue;
      if (symbol.file === file) return symbol;
      // The imports decide which sibling files are visible.
      this.tracker.see(file.importsVersion);
      if (found === undefined && file.sees(symbol.file)) found = symbol;
    }
    if (found !== undefined) return found;
    return this.#prelude?.slot(name).symbols.find(symbol => isOneOf(symbol, kinds)) as SymbolOfKind<K> | undefined;
  }

  /** The module that an import of a file binds to a name. */
  module(file: ProgramFile, binding: string): ImportedModule | undefined {
    this.tracker.see(file.importsVersion);
    return file.bindings.get(binding);
  }

  /** Whether a name is the binding of an unresolved import. */
  isUnresolved(file: ProgramFile, binding: string): boolean {
    this.tracker.see(file.importsVersion);
    return file.unresolved.has(binding);
  }

  /** Resolves a name in an imported module. */
  findIn<K extends Kind>(module: ImportedModule, name: string, ...kinds: readonly K[]): SymbolOfKind<K> | undefined {
    const slot = module.names.slot(name);
    this.tracker.see(slot);
    for (const symbol of slot.symbols)
      if (isOneOf(symbol, kinds) && module.files.some(file => file === symbol.file)) return symbol;
    return undefined;
  }

  /** All declarations of this name in the folder of a file. */
  all(file: ProgramFile, name: string): readonly DeclSymbol[] {
    const slot = file.names.slot(name);
    this.tracker.see(slot);
    return slot.symbols;
  }

  isPreludeType(name: string): boolean {
    const symbols = this.#prelude?.slot(name).symbols ?? [];
    return symbols.some(({ kind }) => kind === 'ClassDecl' || kind === 'EnumDecl' || kind === 'TraitDecl');
  }

  /** The file of a declaration. */
  fileOf(symbol: DeclSymbol): ProgramFile {
    // Symbols exist for program files only.
    return symbol.file as ProgramFile;
  }

  #folder(path: ProjectPath): FolderNames {
    let folder = this.#folders.get(path);
    if (folder === undefined) this.#folders.set(path, (folder = new FolderNames(path)));
    return folder;
  }

  #add(module: LoadedModule, isEmbedded: boolean): ProgramFile {
    const file = new ProgramFile(this, module, this.#folder(folderOf(module.path)), isEmbedded);
    this.files.set(module.path, file);
    return file;
  }

  #embedded(path: ProjectPath, revision: number, changed: ProgramFile[]): ProgramFile | undefined {
    const known = this.files.get(path);
    if (known !== undefined) return known;
    const module = this.#source.embedded(path);
    if (module === undefined) return undefined;
    const file = this.#add(module, true);
    this.#readDeclarations(file, revision);
    changed.push(file);
    return file;
  }

  #dropAllBut(seen: ReadonlySet<ProjectPath>, revision: number): readonly ProgramFile[] {
    const removed: ProgramFile[] = [];
    for (const [path, file] of this.files) {
      if (file.isEmbedded || seen.has(path)) continue;
      for (const symbol of file.symbols.values()) this.#drop(file, symbol, revision);
      this.files.delete(path);
      removed.push(file);
    }
    return removed;
  }

  /** Whether anything outside of bodies changed. */
  #readDeclarations(file: ProgramFile, revision: number): boolean {
    const before = file.symbols;
    const after = new Map<DeclId, DeclSymbol>();
    let isChanged = false;
    for (const decl of symbolDecls(file.items)) {
      const id = decl.id;
      if (id === undefined || after.has(id)) continue;
      const surface = surfaceOf(file.text, decl);
      const known = before.get(id);
      const name = nameOfDecl(decl);
      if (known !== undefined && known.name === name && isSameHead(known.decl, decl)) {
        // The node has the same kind as the previous one.
        (known as { decl: SymbolDecl }).decl = decl;
        after.set(id, known);
        if (known.surface === surface) continue;
        known.surface = surface;
        known.verifiedAt = -1;
        this.#touchEntries(known, revision);
        isChanged = true;
        continue;
      }
      const symbol = makeSymbol(file, decl, id, name, surface, revision);
      after.set(id, symbol);
      this.symbols.set(id, symbol);
      this.#put(file, symbol, revision);
      this.#touchEntries(symbol, revision);
      isChanged = true;
    }
    for (const [id, symbol] of before) {
      if (after.get(id) === symbol) continue;
      this.#drop(file, symbol, revision);
      isChanged = true;
    }
    file.symbols = after;
    if (file.isEntry !== file.items.some(isEntry)) {
      file.isEntry = !file.isEntry;
      file.importsVersion.changedAt = revision;
    }
    file.hasSystem = file.items.some(({ kind }) => kind === 'SystemDecl');
    return isChanged;
  }

  #touchEntries({ kind }: DeclSymbol, revision: number): void {
    if (kind !== 'AppDecl' && kind !== 'StageDecl') return;
    this.entriesVersion.changedAt = revision;
    this.#entries = undefined;
  }

  #put(file: ProgramFile, symbol: DeclSymbol, revision: number): void {
    if (symbol.kind === 'TestDecl' || symbol.name === '') return;
    const slot = file.names.slot(symbol.name);
    slot.symbols =
      slot.symbols.length === 0
        ? [symbol]
        : [...slot.symbols, symbol].toSorted((a, b) =>
            a.file.path < b.file.path ? -1 : a.file.path > b.file.path ? 1 : a.decl.start - b.decl.start,
          );
    slot.changedAt = revision;
  }

  #drop(file: ProgramFile, symbol: DeclSymbol, revision: number): void {
    if (this.symbols.get(symbol.id) === symbol) this.symbols.delete(symbol.id);
    symbol.changedAt = revision;
    this.#touchEntries(symbol, revision);
    if (symbol.kind === 'TestDecl' || symbol.name === '') return;
    const slot = file.names.slot(symbol.name);
    slot.symbols = slot.symbols.filter(one => one !== symbol);
    slot.changedAt = revision;
  }

  /** @returns whether the resolved imports have changed */
  #readImports(file: ProgramFile, revision: number, changed: ProgramFile[]): boolean {
    const imports = this.#source.importsOf(file.module);
    if (imports === file.imports) return false;
    const was = file.imports;
    file.imports = imports;
    const bindings = new Map<string, ImportedModule>();
    for (const { binding, target } of imports) {
      if (target === undefined || binding === '' || bindings.has(binding)) continue;
      const files = target.files.flatMap(path => this.files.get(path) ?? this.#embedded(path, revision, changed) ?? []);
      const [first] = files;
      if (first !== undefined) bindings.set(binding, { files, names: first.names });
    }
    const isSame =
      was.length === imports.length &&
      imports.every((one, index) => isSameImport(one, was[index])) &&
      Array.from(bindings).every(([binding, { files }]) => {
        const old = file.bindings.get(binding)?.files ?? [];
        return old.length === files.length && old.every((one, index) => one === files[index]);
      });
    file.bindings = bindings;
    file.unresolved = new Set(imports.map(({ binding }) => binding).filter(binding => !bindings.has(binding)));
    file.importedFirstNames = new Set(imports.map(({ decl }) => decl.path[0]?.text ?? ''));
    if (isSame && was.length > 0) return false;
    if (was.length === 0 && imports.length === 0) return false;
    file.importsVersion.changedAt = revision;
    return true;
  }

  #markImported(revision: number): void {
    const alone = new Set<ProgramFile>();
    const imported = new Set<ProgramFile>();
    for (const file of this.files.values())
      for (const { target } of file.imports)
        for (const path of target?.files ?? []) {
          const other = this.files.get(path);
          if (other === undefined) continue;
          imported.add(other);
          if (target?.kind === 'file') alone.add(other);
        }
    for (const file of this.files.values()) {
      file.isImportedAlone = alone.has(file);
      if (file.isImported === imported.has(file)) continue;
      file.isImported = imported.has(file);
      file.importsVersion.changedAt = revision;
    }
  }
}

/** Whether two declarations of the same name and id have equal properties outside of their signatures. */
const isSameHead = (a: SymbolDecl, b: SymbolDecl): boolean =>
  a.kind === b.kind && ('isPub' in a && a.isPub) === ('isPub' in b && b.isPub) && arityOf(a) === arityOf(b);

const arityOf = (decl: SymbolDecl): number => ('typeParams' in decl ? decl.typeParams.length : 0);

const isEntry = (decl: Decl): boolean =>
  decl.kind === 'AppDecl' ||
  decl.kind === 'StageDecl' ||
  decl.kind === 'SystemDecl' ||
  (decl.kind === 'FunctionDecl' && decl.name.text === 'main');

const isOneOf = <K extends Kind>(symbol: DeclSymbol, kinds: readonly K[]): symbol is SymbolOfKind<K> =>
  (kinds as readonly Kind[]).includes(symbol.kind);

const isSameImport = (a: ResolvedImport, b: ResolvedImport | undefined): boolean =>
  b !== undefined &&
  a.binding === b.binding &&
  a.target?.path === b.target?.path &&
  a.target?.kind === b.target?.kind &&
  a.target?.files.length === b.target?.files.length &&
  a.problem?.message === b.problem?.message;

let lastSerial = 0;

function makeSymbol(
  file: ProgramFile,
  decl: SymbolDecl,
  id: DeclId,
  name: string,
  surface: string,
  revision: number,
): DeclSymbol {
  const symbol = {
    id,
    serial: (lastSerial += 1),
    kind: decl.kind,
    name,
    file,
    decl,
    surface,
    signature: undefined,
    dependsOn: [],
    changedAt: revision,
    verifiedAt: -1,
  };
  // `kind` is the kind of `decl`; TypeScript does not correlate the two unions.
  return symbol as unknown as DeclSymbol;
}
