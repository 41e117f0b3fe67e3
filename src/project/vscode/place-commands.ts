import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { OpenRequest, PlaceOpener } from '../../ports/place-opener.ts';
import type { CommandAnswer } from '../../protocol/command-answer.ts';
import type { BridgeLifecycle } from '../../vscode/bridge-lifecycle.ts';
import { followStudio } from '../../vscode/follow-studio.ts';
import { showOpenDialog } from '../../vscode/file-dialogs.ts';
import { safeWindow } from '../../vscode/safe-window.ts';
import { showFailure } from '../../vscode/show-with-log.ts';
import { warnInSlices } from '../../vscode/warn-in-slices.ts';
import { windowPlace } from '../../vscode/window-place.ts';
import type { WithOutcome } from '../../vscode/command-outcome.ts';
import {
  chooseOutput,
  chooseProject,
  folderOrMessage,
  problemLine,
  type ProjectCommandArguments,
  type ProjectCommandsDeps,
  runOnSaved,
} from './project-commands.ts';

export interface PlaceCommandsDeps extends ProjectCommandsDeps {
  readonly lifecycle: BridgeLifecycle;
  readonly opener: PlaceOpener;
}

/** `accepted`: the system was asked. Only a connecting Studio shows that it opened something. */
type OpenAnswer = WithOutcome<{ readonly file?: string; readonly placeId?: number }>;

const placeFilters = (): Record<string, string[]> => ({ [vscode.l10n.t('Place')]: ['rbxl', 'rbxlx'] });

/** `Atlas Bridge: Build and Open in Studio…`. Returns `undefined` when the user cancels or a file cannot be saved. */
export async function buildAndOpen(
  deps: PlaceCommandsDeps,
  choice: ProjectCommandArguments,
): Promise<OpenAnswer | undefined> {
  const folder = await folderOrMessage(deps);
  const project = folder && (choice.project ?? (await chooseProject(folder)));
  const file =
    folder &&
    project &&
    (choice.file ??
      (await chooseOutput(folder, project, vscode.l10n.t('Atlas Bridge: Build and Open in Studio'), placeFilters())));
  if (!file || !project) return undefined;
  const title = vscode.l10n.t('Building {0}', basename(file));
  const built = await runOnSaved(deps, title, ['build', project, '-o', file]);
  if (built === undefined) return undefined;
  if (!built.ok) {
    await showBuildProblem(deps, built);
    return { outcome: built.error.code === 'CANCELLED' ? 'refused' : 'failed' };
  }
  return { ...(await openFile(deps, file)), file };
}

/** `Atlas Bridge: Open Place in Studio…`: the published place of the project, or a place file. */
export async function openInStudio(
  deps: PlaceCommandsDeps,
  choice: ProjectCommandArguments,
): Promise<OpenAnswer | undefined> {
  const folder = await folderOrMessage(deps);
  if (folder === undefined) return undefined;
  const published = choice.file === undefined ? publishedPlace(deps) : undefined;
  if (published !== undefined) {
    const ofRoblox = { label: vscode.l10n.t('Published place {0}', published.placeId), ids: published };
    const ofFile = { label: vscode.l10n.t('Place file…'), ids: undefined };
    const picked = await safeWindow.showQuickPick([ofRoblox, ofFile], {
      title: vscode.l10n.t('Atlas Bridge: Open Place in Studio'),
      placeHolder: vscode.l10n.t('Choose what to open'),
    });
    if (picked === undefined) return undefined;
    if (picked.ids !== undefined) {
      const name = vscode.l10n.t('place {0}', picked.ids.placeId);
      const outcome = await report(deps, () => deps.opener.openPublished(published), name);
      return { outcome, placeId: picked.ids.placeId };
    }
  }
  const file = choice.file ?? (await chooseFile(folder));
  return file === undefined ? undefined : { ...(await openFile(deps, file)), file };
}

const openFile = async (deps: PlaceCommandsDeps, file: string): Promise<OpenAnswer> => ({
  outcome: await report(deps, () => deps.opener.openFile(file), basename(file)),
});

/** The ids of the project, if it has both. */
function publishedPlace({ lifecycle }: PlaceCommandsDeps): { placeId: number; universeId: number } | undefined {
  const state = lifecycle.state();
  const info = state.kind === 'running' ? state.bridge.session()?.info : undefined;
  return info?.placeId === undefined || info.gameId === undefined
    ? undefined
    : { placeId: info.placeId, universeId: info.gameId };
}

async function chooseFile(folder: vscode.Uri): Promise<string | undefined> {
  const [file] =
    (await showOpenDialog({
      title: vscode.l10n.t('Atlas Bridge: Open Place in Studio'),
      button: vscode.l10n.t('Open in Studio'),
      defaultUri: folder,
      filters: placeFilters(),
    })) ?? [];
  return file?.fsPath;
}

/** Asks the system and shows the outcome. A later message says which Studio connected. */
async function report(
  { lifecycle, log }: PlaceCommandsDeps,
  ask: () => Promise<OpenRequest>,
  name: string,
): Promise<OpenAnswer['outcome']> {
  const place = windowPlace(vscode.env, vscode.env.uiKind === vscode.UIKind.Web);
  if (place.kind === 'remote') {
    void safeWindow.showWarningMessage(
      vscode.l10n.t(
        'This window is connected to {0}, and Roblox Studio runs on your own computer. Open {1} there.',
        place.name,
        name,
      ),
    );
    return 'refused';
  }
  const request = await ask();
  log.info('asked the system to open a place', { name, request });
  switch (request) {
    case 'asked':
      followStudio(lifecycle, studio =>
        safeWindow.showInformationMessage(vscode.l10n.t('Studio connected: {0}.', studio)),
      );
      void safeWindow.showInformationMessage(
        vscode.l10n.t('Asked the system to open {0} in Roblox Studio. Wait until Studio connects.', name),
      );
      return 'accepted';
    case 'noStudio':
      void safeWindow.showWarningMessage(
        vscode.l10n.t(
          'No program on this computer can open Roblox places. Install Studio with Vinegar, or open {0} on Windows or macOS.',
          name,
        ),
      );
      return 'refused';
    case 'failed':
      void safeWindow.showErrorMessage(
        vscode.l10n.t('The system could not start a program to open {0}. Open it in Roblox Studio.', name),
      );
      return 'failed';
  }
}

async function showBuildProblem(
  { showLog, log, clock }: PlaceCommandsDeps,
  { error, problems }: CommandAnswer & { readonly ok: false },
): Promise<void> {
  await warnInSlices(log, clock, problems.map(problemLine));
  if (error.code !== 'CANCELLED') showFailure(error, showLog);
}
