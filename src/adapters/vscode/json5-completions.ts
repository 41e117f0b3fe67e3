import * as vscode from 'vscode';
import type { completeJson5, JsonSchema } from '../../core/formats/schema-completion.ts';
import type { Logger } from '../../ports/logger.ts';

export interface Json5CompletionsDeps {
  /** The folder that holds the schemas, each as `<kind>.schema.json`. */
  readonly schemas: vscode.Uri;
  readonly complete: typeof completeJson5;
  readonly log: Logger;
}

/** Completes project, meta and model files in JSON5: VS Code's own service does it for JSON and JSON with comments alone. */
export function registerJson5Completions({ schemas, complete, log }: Json5CompletionsDeps): Disposable {
  let loading: Promise<ReadonlyMap<string, JsonSchema>> | undefined;
  const load = async (): Promise<ReadonlyMap<string, JsonSchema>> => {
    const names = ['project', 'meta', 'model', 'values'].map(kind => `${kind}.schema.json`);
    const read = async (name: string): Promise<readonly [string, JsonSchema]> => {
      const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(schemas, name));
      // Ours, written by our own script.
      return [name, JSON.parse(new TextDecoder().decode(bytes)) as JsonSchema];
    };
    return new Map(await Promise.all(names.map(read)));
  };
  const provider: vscode.CompletionItemProvider = {
    async provideCompletionItems(document, position) {
      const kind = /\.(project|meta|model)\.json5$/.exec(document.uri.path)?.[1];
      const known = await (loading ??= load()).catch((error: unknown) => {
        log.error('the schemas of project files could not be read', error);
        return new Map<string, JsonSchema>();
      });
      const schema = known.get(`${kind}.schema.json`);
      if (schema === undefined) return [];
      return complete(document.getText(), document.offsetAt(position), schema, name => known.get(name)).map(each => {
        const range = new vscode.Range(document.positionAt(each.start), document.positionAt(each.end));
        const quote = /^["']/.exec(document.getText(range))?.[0];
        const text = quote === undefined ? each.text : `${quote}${each.label}${quote}`;
        const isKey = each.kind === 'key';
        const item = new vscode.CompletionItem(
          each.label,
          isKey ? vscode.CompletionItemKind.Property : vscode.CompletionItemKind.EnumMember,
        );
        return Object.assign(item, { range, insertText: text, filterText: text });
      });
    },
  };
  const files = { scheme: 'file', pattern: '**/*.{project,meta,model}.json5' };
  const registered = vscode.languages.registerCompletionItemProvider(files, provider, '"', "'", ':', '$', '{', ',');
  return { [Symbol.dispose]: () => registered.dispose() };
}
