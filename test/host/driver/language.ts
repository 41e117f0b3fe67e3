import * as vscode from 'vscode';
import type { DriverCommands } from './commands.ts';

type LanguageCommand = 'places' | 'outline' | 'hovers' | 'rename' | 'symbols' | 'show' | 'edit' | 'save' | 'front';

/** Calls the language features of VS Code like a user in an editor. */
export const languageHandlers: {
  readonly [C in LanguageCommand]: (args: DriverCommands[C]['args']) => Promise<DriverCommands[C]['answer']>;
} = {
  async places({ uri, line, character, of }) {
    const found = await ask<readonly (vscode.Location | vscode.LocationLink)[]>(
      `vscode.execute${of}Provider`,
      uri,
      line,
      character,
    );
    return found.map(one => {
      const [at, range] = 'targetUri' in one ? [one.targetUri, one.targetRange] : [one.uri, one.range];
      return `${at.scheme}:${at.path}:${range.start.line + 1}:${range.start.character + 1}`;
    });
  },
  async outline({ uri }) {
    const outlineOf = (symbols: readonly vscode.DocumentSymbol[], indent: string): readonly string[] =>
      symbols.flatMap(({ name, kind, detail, children }) => [
        `${indent}${vscode.SymbolKind[kind]} ${name} ${detail}`.trimEnd(),
        ...outlineOf(children, `${indent}  `),
      ]);
    const found = await vscode.commands.executeCommand<vscode.DocumentSymbol[] | undefined>(
      'vscode.executeDocumentSymbolProvider',
      vscode.Uri.parse(uri),
    );
    return outlineOf(found ?? [], '');
  },
  async hovers({ uri, line, character }) {
    const found = await ask<readonly vscode.Hover[]>('vscode.executeHoverProvider', uri, line, character);
    return found.flatMap(({ contents }) =>
      contents.map(content => (typeof content === 'string' ? content : content.value)),
    );
  },
  async rename({ uri, line, character, name }) {
    const edit = await ask<vscode.WorkspaceEdit>('vscode.executeDocumentRenameProvider', uri, line, character, name);
    await vscode.workspace.applyEdit(edit);
    return vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty).map(document => document.uri.toString());
  },
  async symbols({ query }) {
    const found = await vscode.commands.executeCommand<readonly vscode.SymbolInformation[]>(
      'vscode.executeWorkspaceSymbolProvider',
      query,
    );
    return found.map(({ name, kind, location }) => `${vscode.SymbolKind[kind]} ${name} ${location.uri.path}`);
  },
  async show({ uri }) {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
    await vscode.window.showTextDocument(document, { preview: false });
    return document.getText();
  },
  async edit({ before, after }) {
    const editor = inFront();
    const start = editor.document.getText().indexOf(before);
    if (start < 0) throw new Error(`There is no ${before} in ${editor.document.uri.toString()}.`);
    const { document } = editor;
    const range = new vscode.Range(document.positionAt(start), document.positionAt(start + before.length));
    await editor.edit(builder => builder.replace(range, after));
    return document.getText();
  },
  save: async () => inFront().document.save(),
  async front() {
    const editor = vscode.window.activeTextEditor;
    return (
      editor && {
        uri: editor.document.uri.toString(),
        language: editor.document.languageId,
        text: editor.document.getText(),
        isDirty: editor.document.isDirty,
        line: editor.selection.active.line + 1,
      }
    );
  },
};

const ask = async <T>(command: string, uri: string, line: number, character: number, ...more: readonly unknown[]) =>
  vscode.commands.executeCommand<T>(command, vscode.Uri.parse(uri), new vscode.Position(line, character), ...more);

function inFront(): vscode.TextEditor {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) throw new Error('No editor is in front.');
  return editor;
}
