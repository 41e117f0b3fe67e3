import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable-store.ts';
import type { CompletionAnswer, OutlineSymbol } from '../editor/answers.ts';
import type { DocumentPlace } from '../editor/pluto-language.ts';
import { addDisposable } from '../../vscode/add-disposable.ts';
import { type FolderLanguage, type FolderLanguages, toPlace, toRange } from './folder-languages.ts';
import { CONTAINER_SCHEME, LANGUAGE_ID, STD_SCHEME } from './schemes.ts';
import { completionKinds, symbolKinds } from './symbol-kinds.ts';
import { safeMarkdown } from '../../base/safe-text.ts';

const documents: vscode.DocumentSelector = ['file', CONTAINER_SCHEME, STD_SCHEME].map(scheme => ({
  language: LANGUAGE_ID,
  scheme,
}));

/** Registers the language providers. Each passes its request to the language of the document's folder. */
export function registerLanguageFeatures(languages: FolderLanguages): Disposable {
  const store = new DisposableStore();
  const about = async <T>(
    { uri }: vscode.TextDocument,
    position: vscode.Position,
    none: T,
    ask: (language: FolderLanguage, place: DocumentPlace) => Promise<T>,
  ): Promise<T> => {
    const known = languages.of(uri);
    return known === undefined ? none : ask(known.language, { path: known.path, at: toPlace(position) });
  };
  const { languages: editor } = vscode;

  addDisposable(
    store,
    editor.registerDocumentSymbolProvider(documents, {
      async provideDocumentSymbols({ uri }) {
        const known = languages.of(uri);
        return known === undefined ? [] : (await known.language.ask('outline', { path: known.path })).map(toSymbol);
      },
    }),
  );
  addDisposable(
    store,
    editor.registerHoverProvider(documents, {
      provideHover: (document, position) =>
        about<vscode.Hover | undefined>(document, position, undefined, async (language, place) => {
          const found = await language.ask('hover', place);
          if (found === undefined) return undefined;
          const text = new vscode.MarkdownString();
          if (found.code !== '') text.appendCodeblock(found.code, LANGUAGE_ID);
          for (const line of found.lines) text.appendMarkdown(`${safeMarkdown(line)}\n\n`);
          return new vscode.Hover(text, toRange(found.range));
        }),
    }),
  );
  addDisposable(
    store,
    editor.registerDefinitionProvider(documents, {
      provideDefinition: (document, position) =>
        about<vscode.Location[]>(document, position, [], async (language, place) =>
          (await language.ask('definition', place)).map(found => language.locationOf(found)),
        ),
    }),
  );
  addDisposable(
    store,
    editor.registerImplementationProvider(documents, {
      provideImplementation: (document, position) =>
        about<vscode.Location[]>(document, position, [], async (language, place) =>
          (await language.ask('implementations', place)).map(found => language.locationOf(found)),
        ),
    }),
  );
  addDisposable(
    store,
    editor.registerReferenceProvider(documents, {
      provideReferences: (document, position, { includeDeclaration }) =>
        about<vscode.Location[]>(document, position, [], async (language, place) => {
          const found = await language.ask('references', { ...place, withDeclaration: includeDeclaration });
          return found.map(one => language.locationOf(one));
        }),
    }),
  );
  addDisposable(store, editor.registerRenameProvider(documents, renaming(about)));
  addDisposable(
    store,
    editor.registerDocumentFormattingEditProvider(documents, {
      async provideDocumentFormattingEdits(document) {
        const text = document.getText();
        const formatted = await languages.askWithoutFolder('format', { text });
        if (formatted === undefined || formatted === text) return [];
        const whole = new vscode.Range(document.positionAt(0), document.positionAt(text.length));
        return [vscode.TextEdit.replace(whole, formatted)];
      },
    }),
  );
  addDisposable(
    store,
    editor.registerCompletionItemProvider(
      documents,
      {
        provideCompletionItems: (document, position) =>
          about<vscode.CompletionItem[]>(document, position, [], async (language, place) =>
            (await language.ask('completions', place)).map(toCompletion),
          ),
      },
      '.',
    ),
  );
  addDisposable(
    store,
    editor.registerWorkspaceSymbolProvider({
      async provideWorkspaceSymbols(query) {
        const folders = languages.started;
        const found = folders.map(async language =>
          (await language.ask('symbols', { query })).map(
            symbol =>
              new vscode.SymbolInformation(
                symbol.name,
                symbolKinds[symbol.kind],
                symbol.container,
                language.locationOf(symbol),
              ),
          ),
        );
        return (await Promise.all(found)).flat();
      },
    }),
  );
  addDisposable(
    store,
    vscode.workspace.registerTextDocumentContentProvider(STD_SCHEME, {
      async provideTextDocumentContent(uri) {
        const known = languages.of(uri);
        return known?.language.ask('stdText', { path: known.path });
      },
    }),
  );
  return store;
}

type About = <T>(
  document: vscode.TextDocument,
  position: vscode.Position,
  none: T,
  ask: (language: FolderLanguage, place: DocumentPlace) => Promise<T>,
) => Promise<T>;

/** VS Code shows the message of a thrown error. */
const renaming = (about: About): vscode.RenameProvider => ({
  prepareRename: (document, position) =>
    about(document, position, undefined, async (language, place) => {
      const found = await language.ask('renameTarget', place);
      if (found === undefined) throw new Error(vscode.l10n.t('There is nothing to rename here.'));
      return { range: toRange(found.range), placeholder: found.name };
    }),
  provideRenameEdits: (document, position, name) =>
    about<vscode.WorkspaceEdit | undefined>(document, position, undefined, async (language, place) => {
      const answer = await language.ask('rename', { ...place, name });
      if (!answer.ok) throw new Error(answer.reason);
      const edit = new vscode.WorkspaceEdit();
      for (const { file, edits } of answer.edits)
        edit.set(
          language.uriOf(file),
          edits.map(({ range, text }) => vscode.TextEdit.replace(toRange(range), text)),
        );
      return edit;
    }),
});

function toSymbol({ name, kind, detail, range, selection, children }: OutlineSymbol): vscode.DocumentSymbol {
  const symbol = new vscode.DocumentSymbol(name, detail, symbolKinds[kind], toRange(range), toRange(selection));
  symbol.children = children.map(toSymbol);
  return symbol;
}

const toCompletion = ({ label, kind, detail }: CompletionAnswer): vscode.CompletionItem =>
  new vscode.CompletionItem({ label, description: detail }, completionKinds[kind]);
