import type { ProjectPath } from '../../base/brand.ts';
import { loadOnce } from '../../base/load-once.ts';
import { err, type Result } from '../../base/result.ts';
import type { FileSystem } from '../../ports/file-system.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { Random } from '../../ports/random.ts';
import type { LoadedModule } from '../language/modules/load-module.ts';
import { printModule } from '../language/print/print-declaration.ts';
import { stdText } from '../language/std/std-modules.ts';
import { stdNameOf } from '../language/std/std-path.ts';
import { parseModule } from '../language/syntax/parse.ts';
import type * as answers from './answers.ts';
import { completionsAt } from './completion.ts';
import { saveView, type SavedView, type SaveView, viewOfContainer } from './container-document.ts';
import { EditorModules } from './editor-modules.ts';
import { Findings } from './findings.ts';
import { hoverAt } from './hover.ts';
import { definitionAt, findSymbols, findTests, implementationsAt, referencesAt } from './navigate.ts';
import { outlineOfModule } from './outline.ts';
import { offsetOf } from './places.ts';
import { renameAt, renameTargetAt } from './rename.ts';

/** A position in a document, by the path under which the editor shows it. */
export interface DocumentPlace {
  readonly path: ProjectPath;
  readonly at: answers.TextPosition;
}

/**
 * The language features for an editor. Arguments and answers are plain data, so that the implementation can run in another thread; requests
 * are answered in order. A document outside the project's modules has no answers.
 */
export interface PlutoLanguage {
  /** Sets the text of an open document, at first and after every edit. */
  setDocument(document: { readonly path: ProjectPath; readonly text: string }): Promise<void>;
  closeDocument(document: { readonly path: ProjectPath }): Promise<void>;
  filesChanged(files: { readonly paths: readonly ProjectPath[] }): Promise<void>;
  /** The findings of every file whose findings have changed since the last call. */
  changedFindings(nothing: object): Promise<readonly answers.FileFindings[]>;
  outline(document: { readonly path: ProjectPath }): Promise<readonly answers.OutlineSymbol[]>;
  hover(place: DocumentPlace): Promise<answers.HoverAnswer | undefined>;
  definition(place: DocumentPlace): Promise<readonly answers.FileRange[]>;
  implementations(place: DocumentPlace): Promise<readonly answers.FileRange[]>;
  references(place: DocumentPlace & { readonly withDeclaration: boolean }): Promise<readonly answers.FileRange[]>;
  renameTarget(place: DocumentPlace): Promise<answers.RenameTarget | undefined>;
  rename(place: DocumentPlace & { readonly name: string }): Promise<answers.RenameAnswer>;
  completions(place: DocumentPlace): Promise<readonly answers.CompletionAnswer[]>;
  /** At most 500. */
  symbols(query: { readonly query: string }): Promise<readonly answers.FoundSymbol[]>;
  /** At most 10,000. */
  tests(nothing: object): Promise<readonly answers.FoundSymbol[]>;
  /** The canonical text; undefined if the text does not parse. */
  format(document: { readonly text: string }): Promise<string | undefined>;
  /** The text of a module of the language. */
  stdText(module: { readonly path: ProjectPath }): Promise<string | undefined>;
  viewOfContainer(container: { readonly bytes: Uint8Array }): Promise<Result<string, string>>;
  saveView(request: SaveView): Promise<Result<SavedView, string>>;
}

export interface LanguagePorts {
  /** Undefined for documents outside of projects: then only requests about a single text are answered. */
  readonly files: FileSystem | undefined;
  readonly hasher: Hasher;
  readonly random: Pick<Random, 'uuid'>;
}

const MAX_TESTS = 10_000;
const MAX_SYMBOLS = 500;

/** Returns at once; the modules are read when the first request needs them. */
export function createPlutoLanguage({ files, hasher, random }: LanguagePorts, signal: AbortSignal): PlutoLanguage {
  // The next request tries an unreadable folder again.
  const open = loadOnce(async () => {
    if (files === undefined) return undefined;
    const modules = await EditorModules.open(files, hasher, signal);
    return { modules, findings: new Findings(modules) };
  });
  const about = async <T>(
    { path, at }: DocumentPlace,
    none: T,
    ask: (modules: EditorModules, module: LoadedModule, offset: number) => T,
  ): Promise<T> => {
    const modules = (await open())?.modules;
    const module = modules?.module(path);
    return modules === undefined || module === undefined ? none : ask(modules, module, offsetOf(module.module, at));
  };
  return {
    setDocument: async ({ path, text }) => (await open())?.modules.setDocument(path, text),
    closeDocument: async ({ path }) => (await open())?.modules.closeDocument(path),
    filesChanged: async ({ paths }) => (await open())?.modules.filesChanged(paths, signal),
    changedFindings: async () => (await open())?.findings.changed() ?? [],
    async outline({ path }) {
      const module = (await open())?.modules.module(path);
      return module === undefined ? [] : outlineOfModule(module.module);
    },
    hover: place => about(place, undefined, hoverAt),
    definition: place => about(place, [], definitionAt),
    implementations: place => about(place, [], implementationsAt),
    references: place =>
      about(place, [], (modules, module, offset) => referencesAt(modules, module, offset, place.withDeclaration)),
    renameTarget: place => about(place, undefined, renameTargetAt),
    rename: place =>
      about<answers.RenameAnswer>(
        place,
        { ok: false, reason: 'the document is not a module of the project' },
        (modules, module, offset) => renameAt(modules, module, offset, place.name),
      ),
    completions: place => about(place, [], completionsAt),
    async symbols({ query }) {
      const modules = (await open())?.modules;
      return modules === undefined ? [] : findSymbols(modules, query, MAX_SYMBOLS);
    },
    async tests() {
      const modules = (await open())?.modules;
      return modules === undefined ? [] : findTests(modules, MAX_TESTS);
    },
    async format({ text }) {
      const module = parseModule(text);
      return module.diagnostics.some(({ severity }) => severity === 'error') ? undefined : printModule(module);
    },
    async stdText({ path }) {
      const name = stdNameOf(path);
      return name === undefined ? undefined : stdText(name);
    },
    async viewOfContainer({ bytes }) {
      return viewOfContainer(bytes, hasher);
    },
    async saveView(request) {
      try {
        return saveView(request, { hasher, random });
      } catch (error) {
        return err(error instanceof Error ? error.message : String(error));
      }
    },
  };
}
