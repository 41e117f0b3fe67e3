import * as vscode from 'vscode';
import type { ProjectPath, Ref } from '../../base/brand.ts';
import { AppError } from '../../base/errors.ts';
import type { Instance } from '../../roblox/instances/instance.ts';
import { type CommandRefused, failedWith, type WithOutcome } from '../../vscode/command-outcome.ts';
import { activeFile } from '../../vscode/active-file.ts';
import { projectPathOf } from '../../vscode/project-path-of.ts';
import { personSentence } from '../../vscode/localization/person-sentence.ts';
import { safeWindow } from '../../vscode/safe-window.ts';
import { rowsOf } from '../../vscode/command-rows.ts';
import type { InstanceNode } from '../game-node.ts';
import type { SearchHit } from '../game-tree.ts';
import type { GameView } from './game-view.ts';
import { namesOf } from './game-rows.ts';
import { pickInstance } from './search-game.ts';
import type { PlaceFollower } from './shown-place.ts';

export interface GameCommandsDeps {
  readonly place: PlaceFollower;
  readonly view: GameView;
  /** The root folder of the project's paths. */
  readonly folder: () => vscode.Uri | undefined;
}

type Answer = WithOutcome<{ readonly path?: string; readonly hits?: readonly string[] }> | CommandRefused;

/**
 * The commands of the Game view. Each reports a failure to the person, and returns what it did as plain data. `search` takes a text, `reveal` a
 * file, and `revealFile` and `select` the pressed row; without it, they ask, or take what is active or selected.
 */
export type GameCommands = Readonly<
  Record<'search' | 'refresh' | 'revealFile' | 'reveal' | 'select', (...args: readonly unknown[]) => Promise<Answer>>
>;

const isNode = (value: unknown): value is InstanceNode =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'instance';

/** Requests that were sent and not confirmed. */
const unconfirmed: ReadonlySet<string> = new Set(['STUDIO_BUSY', 'STUDIO_DISCONNECTED', 'STUDIO_NOT_RESPONDING']);

/** The path of the file that describes an instance of the project: its own, or that of the model or project file that contains it. */
export function fileOf(place: PlaceFollower, { ref }: Pick<InstanceNode, 'ref'>): ProjectPath | undefined {
  const session = place.session();
  if (session === undefined || ref === undefined) return undefined;
  for (let at: Instance | undefined = session.get(ref as Ref); at !== undefined; at = session.get(at.parent)) {
    const path = session.fsPathOf(at.id);
    if (path !== null) return path;
    const { source } = at.metadata;
    if (source?.kind === 'projectNode') return source.file;
  }
  return undefined;
}

export function createGameCommands({ place, view, folder }: GameCommandsDeps): GameCommands {
  const refused = (message: string): Answer => {
    void safeWindow.showInformationMessage(message);
    return { outcome: 'refused' };
  };
  const nothingSelected = (): Answer => refused(vscode.l10n.t('Select an instance in the Game view first.'));
  const selectedNodes = (): readonly InstanceNode[] => {
    const selected = view.selected();
    return selected === undefined ? [] : [selected];
  };
  const revealNode = async (node: InstanceNode): Promise<Answer> => {
    await view.reveal(node);
    return { outcome: 'done', path: namesOf(node) };
  };

  const search = async ([text]: readonly unknown[]): Promise<Answer> => {
    const shown = place.current();
    if (shown.kind === 'nothing') return refused(vscode.l10n.t('There is no project and no Studio to search.'));
    if (typeof text === 'string') {
      const { hits } = await shown.tree.find(text, new AbortController().signal);
      return { outcome: 'done', hits: hits.map(({ names }) => names.join('/')) };
    }
    const hit: SearchHit | undefined = await pickInstance(shown.tree);
    if (hit === undefined) return { outcome: 'refused' };
    const node = await shown.tree.nodeOfHit(hit);
    return node === undefined
      ? refused(vscode.l10n.t('{0} is no longer in the place.', hit.names.join('/')))
      : await revealNode(node);
  };
  const revealFile = async (args: readonly unknown[]): Promise<Answer> => {
    const nodes = rowsOf(args, isNode, selectedNodes);
    if (nodes === undefined) return { outcome: 'refused' };
    const [node] = nodes;
    if (node === undefined) return nothingSelected();
    const path = fileOf(place, node);
    const root = folder();
    if (path === undefined || root === undefined)
      return refused(vscode.l10n.t('No file describes {0}.', namesOf(node)));
    const uri = vscode.Uri.joinPath(root, path);
    await vscode.commands.executeCommand('revealInExplorer', uri);
    if (isText(path)) await vscode.window.showTextDocument(uri, { preview: true });
    return { outcome: 'done', path };
  };
  const reveal = async ([given]: readonly unknown[]): Promise<Answer> => {
    const uri = typeof given === 'string' ? vscode.Uri.file(given) : given instanceof vscode.Uri ? given : activeFile();
    const [shown, root, session] = [place.current(), folder(), place.session()];
    if (uri === undefined || root === undefined || session === undefined || shown.kind === 'nothing')
      return refused(vscode.l10n.t('Open a file of the project first.'));
    const path = projectPathOf(root, uri);
    const ids = path === undefined ? [] : [...session.idsAtPath(path), ...session.idsTouchedBy(path)];
    const [id] = ids;
    if (path === undefined || id === undefined)
      return refused(vscode.l10n.t('The project does not use {0}.', vscode.workspace.asRelativePath(uri)));
    if (id === session.rootId && session.get(id)?.className === 'DataModel')
      return refused(vscode.l10n.t('{0} describes the whole place, not one instance.', path));
    const node = await shown.tree.nodeOf(id);
    return node === undefined
      ? refused(vscode.l10n.t('The place does not have the instance of {0}. Compare with Studio first.', path))
      : await revealNode(node);
  };
  const select = async (args: readonly unknown[]): Promise<Answer> => {
    const nodes = rowsOf(args, isNode, selectedNodes);
    if (nodes === undefined) return { outcome: 'refused' };
    const [node] = nodes;
    if (node === undefined) return nothingSelected();
    const shown = place.current();
    if (shown.kind === 'disk' && shown.unsupported !== undefined)
      throw new AppError('STUDIO_UNSUPPORTED', { missing: ['explorer'] });
    if (shown.kind !== 'studio' || shown.link.explorer === undefined)
      return refused(vscode.l10n.t('Studio is not connected, so nothing can be selected there.'));
    if (node.side === 'disk') return refused(vscode.l10n.t('{0} is only on disk.', namesOf(node)));
    const { names } = await shown.link.explorer.select(node.id, new AbortController().signal);
    const path = names.join('/');
    void safeWindow.setStatusBarMessage(vscode.l10n.t('Selected {0} in Studio', path), 5_000);
    return { outcome: 'done', path };
  };

  const guarded =
    (run: (args: readonly unknown[]) => Promise<Answer>) =>
    async (...args: readonly unknown[]): Promise<Answer> => {
      try {
        return await run(args);
      } catch (error) {
        const failure = AppError.from(error);
        void safeWindow.showWarningMessage(personSentence(failure, vscode.l10n));
        const answer = failedWith(failure);
        return unconfirmed.has(failure.code) ? { ...answer, outcome: 'unknown' } : answer;
      }
    };
  return {
    search: guarded(search),
    refresh: guarded(() => {
      place.reload();
      return Promise.resolve({ outcome: 'done' });
    }),
    revealFile: guarded(revealFile),
    reveal: guarded(reveal),
    select: guarded(select),
  };
}

const isText = (path: string): boolean => /\.(?:luau?|json[5c]?|txt|md|csv|toml|ya?ml|rbxmx)$/.test(path);
