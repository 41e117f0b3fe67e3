import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable-store.ts';
import type { Json5Kind, Json5Language, Json5ThreadOptions } from '../../roblox/formats/json5-language.ts';
import type { SchemaFinding } from '../../roblox/formats/schema-check.ts';
import type { Logger } from '../../ports/logger.ts';
import { type WorkerRpcClient, startWorkerRpcClient } from '../../vscode/worker-rpc-client.ts';
import type { ProjectFileFindings } from './file-findings.ts';
import { addDisposable } from '../../vscode/add-disposable.ts';
import { createDiagnostic } from '../../vscode/safe-diagnostics.ts';

/** Time without an edit before a document is checked. */
const QUIET_MS = 200;

export interface Json5DocumentsDeps extends Json5ThreadOptions {
  /** The script of the worker thread that reads the documents. */
  readonly worker: URL;
  readonly findings: ProjectFileFindings<vscode.Diagnostic>;
  readonly log: Logger;
}

/**
 * Completes and checks project, meta and model files in JSON5 while the user types. VS Code's own service supports only JSON and JSON with
 * comments. The worker thread runs while at least one such document is open.
 */
export function registerJson5Documents({ worker, schemas, findings, log }: Json5DocumentsDeps): Disposable {
  const store = new DisposableStore();
  const open = new Map<string, { timer: NodeJS.Timeout | undefined }>();
  let thread: WorkerRpcClient<Json5Language> | undefined;
  const languageThread = (): WorkerRpcClient<Json5Language> =>
    (thread ??= startWorkerRpcClient(worker, { name: 'JSON5', workerData: { schemas } }, () => (thread = undefined)));

  const check = async (document: vscode.TextDocument, kind: Json5Kind): Promise<void> => {
    const { version } = document;
    const found = await languageThread().ask('check', { kind, text: document.getText() });
    // A later edit starts another check.
    if (document.version !== version || !open.has(document.uri.toString())) return;
    findings.setText(document.uri.toString(), { isDirty: document.isDirty, findings: found.map(toDiagnostic) });
  };
  const checkSoon = (document: vscode.TextDocument): void => {
    const kind = kindOf(document);
    if (kind === undefined) return;
    const key = document.uri.toString();
    clearTimeout(open.get(key)?.timer);
    const failed = (error: unknown): void => {
      // Closing the last document ends the thread, so a pending check may fail.
      if (open.has(key)) log.error('a JSON5 document was not checked', error);
    };
    open.set(key, { timer: setTimeout(() => void check(document, kind).catch(failed), QUIET_MS) });
  };
  const close = ({ uri }: vscode.TextDocument): void => {
    const known = open.get(uri.toString());
    if (known === undefined) return;
    clearTimeout(known.timer);
    open.delete(uri.toString());
    findings.setText(uri.toString(), undefined);
    if (open.size > 0) return;
    thread?.[Symbol.dispose]();
    thread = undefined;
  };
  addDisposable(store, vscode.workspace.onDidOpenTextDocument(checkSoon));
  addDisposable(
    store,
    // Also fires when a document is saved or reverted.
    vscode.workspace.onDidChangeTextDocument(({ document }) => checkSoon(document)),
  );
  addDisposable(store, vscode.workspace.onDidSaveTextDocument(checkSoon));
  addDisposable(store, vscode.workspace.onDidCloseTextDocument(close));
  for (const document of vscode.workspace.textDocuments) checkSoon(document);

  const provider: vscode.CompletionItemProvider = {
    async provideCompletionItems(document, position) {
      const kind = kindOf(document);
      if (kind === undefined) return [];
      const place = { kind, text: document.getText(), offset: document.offsetAt(position) };
      const found = await languageThread().ask('complete', place);
      return found.map(each => {
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
  addDisposable(store, vscode.languages.registerCompletionItemProvider(files, provider, '"', "'", ':', '$', '{', ','));
  store.defer(() => {
    for (const { timer } of open.values()) clearTimeout(timer);
    thread?.[Symbol.dispose]();
  });
  return store;
}

/** Returns `undefined` for files that the user has associated with JSON, which VS Code's own service checks. */
function kindOf({ uri, languageId }: vscode.TextDocument): Json5Kind | undefined {
  if (uri.scheme !== 'file' || languageId === 'json' || languageId === 'jsonc') return undefined;
  return /\.(project|meta|model)\.json5$/.exec(uri.path)?.[1] as Json5Kind | undefined;
}

function toDiagnostic({ line, column, length, severity, expected }: SchemaFinding): vscode.Diagnostic {
  const start = new vscode.Position(line - 1, column - 1);
  return createDiagnostic(
    new vscode.Range(start, start.translate(0, length)),
    vscode.l10n.t('Expected {0}.', expected),
    severity === 'error' ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning,
    'Atlas Bridge',
  );
}
