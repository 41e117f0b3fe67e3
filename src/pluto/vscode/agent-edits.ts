import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { ProjectPath } from '../../base/brand.ts';
import { DisposableStore } from '../../base/disposable-store.ts';
import { AppError } from '../../base/errors.ts';
import { once } from '../../base/once.ts';
import type { UnsavedEdits, UnsavedModule } from '../session/unsaved-edits.ts';
import type { Logger } from '../../ports/logger.ts';
import type { BridgeLife } from '../../vscode/bridge-life.ts';
import { commandIds, contextKeys } from '../../vscode/command-ids.ts';
import { own } from '../../vscode/owned.ts';
import { personSentence } from '../../vscode/localization/person-sentence.ts';
import { createVirtualDocuments } from '../../vscode/virtual-documents.ts';
import { CONTAINER_SCHEME } from './schemes.ts';

export interface AgentEditsDeps {
  readonly life: BridgeLife;
  /** Where the paths of the project begin. */
  readonly folder: () => vscode.Uri | undefined;
  readonly log: Logger;
}

/**
 * Says in the explorer and above the text that an agent has edited a Pluto module and not saved it, shows what it has edited, and saves it. The
 * editor itself goes on with what is on disk: neither side overwrites the other, because each save relies on the file that it has read.
 */
export function registerAgentEdits({ life, folder, log }: AgentEditsDeps): Disposable {
  const store = new DisposableStore();
  const lensesChanged = own(store, new vscode.EventEmitter<void>());
  const marksChanged = own(store, new vscode.EventEmitter<vscode.Uri[]>());
  const texts = store.add(createVirtualDocuments('atlas-pluto-agent'));
  let following: Disposable[] = [];
  let edited: ReadonlySet<ProjectPath> = new Set();
  /** Modules whose edits were shown; what the agent does next is seen there too. */
  const shown = new Set<ProjectPath>();

  const edits = (): UnsavedEdits | undefined => {
    const state = life.state();
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
  const failed = (error: unknown): void => log.error('the edits of agents were not shown or saved', error);
  const textOf = (path: ProjectPath): Promise<UnsavedModule | undefined> =>
    (edits()?.module(path) ?? Promise.resolve(undefined)).then(module => {
      if (module !== undefined) texts.put(path, module.text);
      return module;
    });
  const draw = (): void => {
    const before = edited;
    edited = new Set(edits()?.paths());
    const touched = new Set([...before, ...edited]);
    if (touched.size === 0) return;
    offer();
    marksChanged.fire(Array.from(touched).flatMap(path => fileOf(path) ?? []));
    lensesChanged.fire();
    for (const path of edited) if (shown.has(path)) textOf(path).catch(failed);
    void vscode.commands.executeCommand('setContext', contextKeys.agentEdits, edited.size > 0);
  };
  const follow = (): void => {
    for (const one of following) one[Symbol.dispose]();
    const state = life.state();
    following = state.kind === 'running' ? [state.bridge.onDidOpenPluto(follow)] : [];
    const unsaved = edits();
    if (unsaved !== undefined) following.push(unsaved.onDidChange(draw));
    draw();
  };

  const show = async (path: ProjectPath): Promise<void> => {
    const module = await textOf(path);
    const file = fileOf(path);
    if (module === undefined || file === undefined) return;
    const isThere = await vscode.workspace.fs.stat(file).then(
      () => true,
      () => false,
    );
    const saved = !isThere
      ? texts.put(`none/${path}`, '')
      : file.with({ scheme: module.isContainer ? CONTAINER_SCHEME : 'file' });
    const title = vscode.l10n.t("{0}: on disk ↔ the agent's edits", basename(path));
    await vscode.commands.executeCommand('vscode.diff', saved, texts.put(path, module.text), title);
    shown.add(path);
  };
  const save = async (paths: readonly ProjectPath[]): Promise<readonly string[]> => {
    const results = (await edits()?.save(paths, new AbortController().signal)) ?? [];
    const failed = results.flatMap(one => (one.kind === 'failed' ? [one] : []));
    for (const { path, error } of failed)
      void vscode.window.showErrorMessage(`${path}: ${personSentence(error, vscode.l10n)}`);
    const saved = results.filter(({ kind }) => kind === 'saved').map(({ path }) => path);
    if (saved.length > 0 && failed.length === 0)
      vscode.window.setStatusBarMessage(vscode.l10n.t("The agent's edits are saved: {0}", saved.join(', ')), STATUS_MS);
    return saved;
  };
  /** The module that a lens stands above, or one that the person picks. */
  const meant = async (asked: unknown, title: string): Promise<ProjectPath | undefined> => {
    if (asked instanceof vscode.Uri) return editedAt(asked);
    const [only, ...others] = edited;
    if (others.length === 0) return only;
    const picked = await vscode.window.showQuickPick(
      Array.from(edited, path => ({ label: path, path })),
      { title },
    );
    return picked?.path;
  };
  const handlers = {
    async [commandIds.showAgentEdits](asked?: unknown) {
      const path = await meant(asked, vscode.l10n.t("Show the Agent's Unsaved Edits"));
      if (path !== undefined) await show(path);
    },
    async [commandIds.saveAgentEdits](asked?: unknown) {
      const path = asked instanceof vscode.Uri ? editedAt(asked) : undefined;
      return save(path === undefined ? Array.from(edited) : [path]);
    },
  };
  for (const [id, run] of Object.entries(handlers)) {
    const guarded = (asked?: unknown) =>
      run(asked).catch((error: unknown) => {
        failed(error);
        void vscode.window.showErrorMessage(personSentence(AppError.from(error), vscode.l10n));
      });
    own(store, vscode.commands.registerCommand(id, guarded));
  }
  const lenses: vscode.CodeLensProvider = {
    onDidChangeCodeLenses: lensesChanged.event,
    provideCodeLenses({ uri }) {
      if (editedAt(uri) === undefined) return [];
      const top = new vscode.Range(0, 0, 0, 0);
      const lens = (title: string, command: string) => new vscode.CodeLens(top, { title, command, arguments: [uri] });
      return [
        lens(
          vscode.l10n.t('$(sparkle) An agent has edits here that are not saved: compare'),
          commandIds.showAgentEdits,
        ),
        lens(vscode.l10n.t('Save them'), commandIds.saveAgentEdits),
      ];
    },
  };
  // With the first edit of an agent: most windows never see one.
  const offer = once(() => {
    own(store, vscode.languages.registerCodeLensProvider([{ scheme: 'file' }, { scheme: CONTAINER_SCHEME }], lenses));
    own(
      store,
      vscode.window.registerFileDecorationProvider({
        onDidChangeFileDecorations: marksChanged.event,
        provideFileDecoration: uri =>
          editedAt(uri) === undefined
            ? undefined
            : new vscode.FileDecoration('AI', vscode.l10n.t('An agent has edits here that are not saved')),
      }),
    );
  });
  store.add(life.onDidChange(follow));
  store.defer(() => following.forEach(one => one[Symbol.dispose]()));
  follow();
  return store;
}

const STATUS_MS = 10_000;
