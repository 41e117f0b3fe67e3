import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { AppError } from '../../base/errors.ts';
import { plural } from '../../base/plural.ts';
import type { Git } from '../../ports/git.ts';
import type { UploadAnswer } from '../../protocol/upload-answer.ts';
import type { BridgeLifecycle } from '../../vscode/bridge-lifecycle.ts';
import type { WithOutcome } from '../../vscode/command-outcome.ts';
import { openCloudKey } from '../../vscode/open-cloud-key.ts';
import { personSentence } from '../../vscode/localization/person-sentence.ts';
import type { WindowPendingChanges } from '../../vscode/pending-changes.ts';
import { showFailure } from '../../vscode/show-with-log.ts';
import { saveFiles } from '../../vscode/save-documents.ts';
import { safeWindow } from '../../vscode/safe-window.ts';
import type { ServedBridge } from '../../vscode/served-bridge.ts';
import { withCancel } from '../../vscode/with-cancel.ts';
import {
  chooseProject,
  folderOrMessage,
  type ProjectCommandArguments,
  type ProjectCommandsDeps,
} from './project-commands.ts';

export interface PublishDeps extends Omit<ProjectCommandsDeps, 'run'> {
  readonly lifecycle: Pick<BridgeLifecycle, 'state' | 'bridges'>;
  readonly pending: Pick<WindowPendingChanges, 'state' | 'isConnected'>;
  readonly secrets: Pick<vscode.SecretStorage, 'get' | 'store' | 'delete'>;
  /** Keeps a value out of the log. */
  readonly hide: (secret: string) => void;
  /** Opens git for a folder. */
  readonly git: (folder: string) => Pick<Git, 'status'>;
  /** Runs `atlas-bridge upload`. @param apiKey `undefined` for a dry run */
  readonly upload: (args: readonly string[], apiKey: string | undefined, signal: AbortSignal) => Promise<UploadAnswer>;
}

type PublishAnswer = WithOutcome<{ readonly versionNumber?: number | null }>;

/**
 * `Atlas Bridge: Publish Place…`: builds the place, says how the files differ from the last commit and from Studio, and uploads it after
 * confirmation. Nothing is sent before. Returns `undefined` when the user cancels.
 */
export async function publishPlace(
  deps: PublishDeps,
  choice: ProjectCommandArguments,
): Promise<PublishAnswer | undefined> {
  const folder = await folderOrMessage(deps);
  const project = folder && (choice.project ?? (await chooseProject(folder)));
  // Before ids are entered that would be lost.
  if (!project || !(await saveFiles())) return undefined;
  const served = servedProject(deps, project);
  const ids = await chooseIds(served, choice);
  if (!ids) return undefined;
  const name = served?.session()?.info.name ?? basename(project);
  const args = [project, '--asset-id', ids.placeId, '--universe-id', ids.universeId];
  const title = vscode.l10n.t('Building {0}', basename(project));
  for (let hasChanged = false; ; hasChanged = true) {
    // The build reads the files on disk, and a person can edit them while a question is open.
    if (!(await saveFiles())) return undefined;
    const dryRun = await withCancel(title, signal => deps.upload(args, undefined, signal));
    if (!dryRun.ok) return failed(deps, dryRun.error, error => showFailure(error, deps.showLog));
    const drift = await driftOf(deps, folder, served);
    const versionType = await confirm({ name, placeId: ids.placeId, bytes: dryRun.bytes, drift, hasChanged });
    const key = versionType && (await readKey(deps));
    if (!key) return undefined;
    if ((await driftOf(deps, folder, served)).join('\n') !== drift.join('\n')) continue;
    const publishing = vscode.l10n.t('Publishing place {0}', ids.placeId);
    const sent = await withCancel(publishing, signal =>
      deps.upload([...args, '--version-type', versionType], key, signal),
    );
    if (!sent.ok)
      return failed(deps, sent.error, error =>
        error.code === 'UPLOAD_FAILED' ? showRefusal(deps, error) : showFailure(error, deps.showLog),
      );
    const version = sent.versionNumber ?? vscode.l10n.t('unknown');
    void safeWindow.showInformationMessage(
      versionType === 'published'
        ? vscode.l10n.t('Published version {0} of place {1}.', version, ids.placeId)
        : vscode.l10n.t(
            'Saved version {0} of place {1}. Players still get the published version.',
            version,
            ids.placeId,
          ),
    );
    return { outcome: 'done', versionNumber: sent.versionNumber ?? null };
  }
}

interface PlaceIds {
  readonly placeId: string;
  readonly universeId: string;
}

/** The bridge of a project file, or of the default file of a folder; it need not be the active one. */
const servedProject = ({ lifecycle }: PublishDeps, project: string): ServedBridge | undefined =>
  lifecycle.bridges().find(bridge => {
    const file = bridge.session()?.info.projectFile;
    if (file === undefined) return false;
    const path = join(bridge.location.root.fsPath, file);
    return path === project || (dirname(path) === project && basename(path).startsWith('default.project.'));
  });

/** Takes the ids from the arguments or from the chosen project, and asks for missing ones. */
async function chooseIds(
  served: ServedBridge | undefined,
  choice: ProjectCommandArguments,
): Promise<PlaceIds | undefined> {
  const info = served?.session()?.info;
  const placeId =
    choice.placeId ?? info?.placeId?.toString() ?? (await askId(vscode.l10n.t('Publish Place: Id of the Place')));
  if (placeId === undefined) return undefined;
  const universeId =
    choice.universeId ?? info?.gameId?.toString() ?? (await askId(vscode.l10n.t('Publish Place: Id of the Universe')));
  return universeId === undefined ? undefined : { placeId, universeId };
}

const askId = (title: string): Thenable<string | undefined> =>
  vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t('Set placeId and gameId in the project file to skip this question.'),
    ignoreFocusOut: true,
    validateInput: text => (/^[1-9]\d{0,18}$/.test(text) ? undefined : vscode.l10n.t('Enter a positive integer.')),
  });

/** The differences of the files from the last commit and from Studio, as sentences; empty if there are none. */
async function driftOf(
  { git, lifecycle, pending }: PublishDeps,
  folder: vscode.Uri,
  served: ServedBridge | undefined,
): Promise<readonly string[]> {
  const status = await git(folder.fsPath).status(AbortSignal.timeout(30_000));
  const changed = status === undefined ? [] : [...status.changed].toSorted();
  const state = lifecycle.state();
  const isActive = state.kind === 'running' && state.bridge === served;
  // Only the active project is compared.
  const { kind, changes } = isActive ? pending.state() : ({ kind: 'unknown', changes: [] } as const);
  const count = changes.length;
  const sentences = [
    status === undefined && vscode.l10n.t('The folder is not in a git repository.'),
    changed.length > 0 &&
      plural(
        changed.length,
        vscode.l10n.t('1 file differs from the last commit: {0}', changed[0] ?? ''),
        vscode.l10n.t(
          '{0} files differ from the last commit: {1}',
          changed.length,
          changed.slice(0, 5).join(', ') + (changed.length > 5 ? ', …' : ''),
        ),
      ),
    kind === 'unknown' && vscode.l10n.t('The current files have not been compared with Studio.'),
    kind === 'reviewing' && vscode.l10n.t('A review is open.'),
    kind === 'compared' &&
      count > 0 &&
      plural(
        count,
        vscode.l10n.t('1 instance differs from Studio.'),
        vscode.l10n.t('{0} instances differ from Studio.', count),
      ),
    kind === 'compared' && !pending.isConnected() && vscode.l10n.t('Studio disconnected after the last comparison.'),
  ];
  return sentences.filter(sentence => sentence !== false);
}

async function confirm(about: {
  readonly name: string;
  readonly placeId: string;
  readonly bytes: number;
  readonly drift: readonly string[];
  /** Whether the differences changed while the same question was open before. */
  readonly hasChanged: boolean;
}): Promise<'published' | 'saved' | undefined> {
  const { name, placeId, bytes, drift, hasChanged } = about;
  const isClean = drift.length === 0;
  const publish = isClean ? vscode.l10n.t('Publish') : vscode.l10n.t('Publish Anyway');
  const save = vscode.l10n.t('Save Version');
  const size = vscode.l10n.t(
    'The place is {0} kB. Save Version uploads it without changing what players get.',
    Math.ceil(bytes / 1000),
  );
  const changed = hasChanged ? [vscode.l10n.t('Files or Studio changed while this question was open.')] : [];
  const differences = isClean ? [vscode.l10n.t('The files and Studio match the last commit.')] : drift;
  const chosen = await safeWindow.showWarningMessage(
    vscode.l10n.t('Publish {0} to the players of place {1}?', name, placeId),
    { modal: true, detail: [...changed, ...differences, size].join('\n') },
    // The first button has the focus: Enter must not give players what differs.
    ...(isClean ? [publish, save] : [save, publish]),
  );
  if (chosen === publish) return 'published';
  return chosen === save ? 'saved' : undefined;
}

/** The stored API key, or one that the user enters. */
async function readKey({ secrets, hide }: PublishDeps): Promise<string | undefined> {
  const known = await openCloudKey.read(secrets);
  const key =
    known ??
    (await vscode.window.showInputBox({
      title: vscode.l10n.t('Publish Place: API Key of Open Cloud'),
      prompt: vscode.l10n.t(
        'Create a key with write access to the place at create.roblox.com. VS Code stores it encrypted.',
      ),
      password: true,
      ignoreFocusOut: true,
    }));
  if (key === undefined || key.trim() === '') return undefined;
  hide(key.trim());
  if (known === undefined) await openCloudKey.store(secrets, key.trim());
  return key.trim();
}

/** `Atlas Bridge: Forget API Key`: removes the stored key, so that *Publish Place…* asks for another one. */
export async function forgetApiKey(secrets: Pick<vscode.SecretStorage, 'get' | 'delete'>): Promise<WithOutcome> {
  const isStored = (await openCloudKey.read(secrets)) !== undefined;
  if (isStored) await openCloudKey.forget(secrets);
  void safeWindow.showInformationMessage(
    isStored
      ? vscode.l10n.t('The API key was removed. Publish Place asks for another one.')
      : vscode.l10n.t('No API key is stored. Publish Place asks for one.'),
  );
  return { outcome: isStored ? 'done' : 'already' };
}

type UploadFailure = (UploadAnswer & { readonly ok: false })['error'];

function failed({ log }: PublishDeps, error: UploadFailure, show: (error: UploadFailure) => void): PublishAnswer {
  if (error.code === 'CANCELLED') return { outcome: 'refused' };
  log.error('failed to publish', error);
  show(error);
  return { outcome: error.code === 'UPLOAD_UNCONFIRMED' ? 'unknown' : 'failed' };
}

/** Shows why Open Cloud refused the place, and offers to forget the key. Does not wait, because an open notification must not block the command. */
function showRefusal({ log, secrets, showLog }: PublishDeps, error: UploadFailure): void {
  const newKey = vscode.l10n.t('Forget API Key');
  const openLog = vscode.l10n.t('Show Log');
  const offer = async (): Promise<void> => {
    const chosen = await safeWindow.showErrorMessage(personSentence(error, vscode.l10n), newKey, openLog);
    if (chosen === openLog) showLog();
    if (chosen === newKey) await forgetApiKey(secrets);
  };
  offer().catch((failure: unknown) => {
    log.error('failed to forget the API key', failure);
    showFailure(AppError.from(failure), showLog);
  });
}
