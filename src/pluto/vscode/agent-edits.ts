import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { ProjectPath } from '../../base/brand.ts';
import { DisposableStore } from '../../base/disposable-store.ts';
import { AppError } from '../../base/errors.ts';
import { once } from '../../base/once.ts';
import type { UnsavedEdits, UnsavedModule } from '../session/unsaved-edits.ts';
import type { Logger } from '../../ports/logger.ts';
import type { BridgeLifecycle } from '../../vscode/bridge-lifecycle.ts';
import { commandIds, contextKeys } from '../../vscode/command-ids.ts';
import { addDisposable } from '../../vscode/add-disposable.ts';
import { personSentence } from '../../vscode/localization/person-sentence.ts';
import { createVirtualDocuments } from '../../vscode/virtual-documents.ts';
import { CONTAINER_SCHEME } from './schemes.ts';
import { safeWindow, showDiff } from '../../vscode/safe-window.ts';
import { statFile } from '../../vscode/stat-file.ts';

export interface AgentEditsDeps {
  readonly lifecycle: BridgeLifecycle;
  /** The project folder. */
  readonly folder: () => vscode.Uri | undefined;
  readonly log: Logger;
}

/**
 * Marks Pluto modules with unsaved edits of an agent in the Explorer and above the text, shows the edits, and saves them. The editor keeps
 * showing the file on disk. Neither side overwrites the other, because each save requires the file content that it has read.
 */
export function registerAgentEdits({ lifecycle, folder, log }: AgentEditsDeps): Disposable {
  const store = new DisposableStore();
  const lensesChanged = addDisposable(store, new vscode.EventEmitter<void>());
  const decorationsChanged = addDisposable(store, new vscode.EventEmitter<vscode.Uri[]>());
  const texts = store.add(createVirtualDocuments('atlas-pluto-agent'));
  let following: Disposable[] = [];
  let edited: ReadonlySet<ProjectPath> = new Set();
  /** Modules with an open diff, which follows later edits. */
  const shown = new Set<ProjectPath>();

  const edits = (): UnsavedEdits | undefined => {
    const state = lifecycle.state();
    return state.kind === 'running' ? state.bridge.pluto()?.unsaved : undefined;
  };
  const fileOf = (path: ProjectPath): vscode.Uri | undefined => {
    const root = folder();
    return root && vscode.Uri.joinPath(root, path);
  };
  const editedAt = (uri: vscode.Uri): ProjectPath | undefined =>
    uri.scheme === 'file' || uri.scheme === CONTAINER_SCHEME
      ? Array.from(edited).find(path => fileOf(path)?.path === uri.path)
      : undefined;
  const failed = (error: unknown): void => log.error('failed to show or save the edits of an agent', error);
  const textOf = (path: ProjectPath): Promise<UnsavedModule | undefined> =>
    (edits()?.module(path) ?? Promise.resolve(undefined)).then(module => {
      if (module !== undefined) texts.put(path, module.text);
      return module;
    });
  const refresh = (): void => {
    const before = edited;
    edited = new Set(edits()?.paths());
    const touched = new Set([...before, ...edited]);
    if (touched.size === 0) return;
    registerProviders();
    decorationsChanged.fire(Array.from(touched).flatMap(path => fileOf(path) ?? []));
    lensesChanged.fire();
    for (const path of edited) if (shown.has(path)) textOf(path).catch(failed);
    void vscode.commands.executeCommand('setContext', contextKeys.agentEdits, edited.size > 0);
  };
  const follow = (): void => {
    for (const one of following) one[Symbol.dispose]();
    const state = lifecycle.state();
    following = state.kind === 'running' ? [state.bridge.onDidOpenPluto(follow)] : [];
    const unsaved = edits();
    if (unsaved !== undefined) following.push(unsaved.onDidChange(refresh));
    refresh();
  };

  const show = async (path: ProjectPath): Promise<void> => {
    const module = await textOf(path);
    const file = fileOf(path);
    if (module === undefined || file === undefined) return;
    const stat = await statFile(file);
    const saved =
      stat === undefined
        ? texts.put(`none/${path}`, '')
        : file.with({ scheme: module.isContainer ? CONTAINER_SCHEME : 'file' });
    const title = vscode.l10n.t("{0}: on disk ↔ the agent's edits", basename(path));
    await showDiff(saved, texts.put(path, module.text), title);
    shown.add(path);
  };
  const save = async (paths: readonly ProjectPath[]): Promise<readonly string[]> => {
    const results = (await edits()?.save(paths, new AbortController().signal)) ?? [];
    const failed = results.flatMap(one => (one.kind === 'failed' ? [one] : []));
    for (const { path, error } of failed)
      void safeWindow.showErrorMessage(`${path}: ${personSentence(error, vscode.l10n)}`);
    const saved = results.filter(({ kind }) => kind === 'saved').map(({ path }) => path);
    if (saved.length > 0 && failed.length === 0)
      safeWindow.setStatusBarMessage(vscode.l10n.t("Saved the agent's edits: {0}", saved.join(', ')));
    return saved;
  };
  /** The module of a CodeLens, or one that the person picks. */
  const pickModule = async (argument: unknown, title: string): Promise<ProjectPath | undefined> => {
    if (argument instanceof vscode.Uri) return editedAt(argument);
    const [only, ...others] = edited;
    if (others.length === 0) return only;
    const picked = await safeWindow.showQuickPick(
      Array.from(edited, path => ({ label: path, path })),
      { title },
    );
    return picked?.path;
  };
  const handlers = {
    async [commandIds.showAgentEdits](argument?: unknown) {
      const path = await pickModule(argument, vscode.l10n.t("Show the Agent's Unsaved Edits"));
      if (path !== undefined) await show(path);
    },
    async [commandIds.saveAgentEdits](argument?: unknown) {
      const path = argument instanceof vscode.Uri ? editedAt(argument) : undefined;
      return save(path === undefined ? Array.from(edited) : [path]);
    },
  };
  for (const [id, run] of Object.entries(handlers)) {
    const guarded = (argument?: unknown) =>
      run(argument).catch((error: unknown) => {
        failed(error);
        void safeWindow.showErrorMessage(personSentence(AppError.from(error), vscode.l10n));
      });
    addDisposable(store, vscode.commands.registerCommand(id, guarded));
  }
  const lenses: vscode.CodeLensProvider = {
    onDidChangeCodeLenses: lensesChanged.event,
    provideCodeLenses({ uri }) {
      if (editedAt(uri) === undefined) return [];
      const top = new vscode.Range(0, 0, 0, 0);
      const lens = (title: string, command: string) => new vscode.CodeLens(top, { title, command, arguments: [uri] });
      return [
        lens(vscode.l10n.t('$(sparkle) Compare Unsaved Edits of an Agent'), commandIds.showAgentEdits),
        lens(vscode.l10n.t('Save Edits'), commandIds.saveAgentEdits),
      ];
    },
  };
  // Registered with the first edit of an agent, because most windows never see one.
  const registerProviders = once(() => {
    addDisposable(
      store,
      vscode.languages.registerCodeLensProvider([{ scheme: 'file' }, { scheme: CONTAINER_SCHEME }], lenses),
    );
    addDisposable(
      store,
      vscode.window.registerFileDecorationProvider({
        onDidChangeFileDecorations: decorationsChanged.event,
        provideFileDecoration: uri =>
          editedAt(uri) === undefined
            ? undefined
            : new vscode.FileDecoration('AI', vscode.l10n.t('Unsaved edits of an agent')),
      }),
    );
  });
  store.add(lifecycle.onDidChange(follow));
  store.defer(() => following.forEach(one => one[Symbol.dispose]()));
  follow();
  return store;
}
