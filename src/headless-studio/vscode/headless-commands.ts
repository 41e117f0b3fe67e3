import { basename } from 'node:path';
import * as vscode from 'vscode';
import { plural } from '../../base/plural.ts';
import { DisposableStore } from '../../base/disposable-store.ts';
import { AppError } from '../../base/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { KeptPlace, KeptPlaces } from '../../ports/kept-places.ts';
import type { Logger } from '../../ports/logger.ts';
import type { BridgeLifecycle } from '../../vscode/bridge-lifecycle.ts';
import { commandIds, contextKeys } from '../../vscode/command-ids.ts';
import { failedWith, type CommandRefused, type WithOutcome } from '../../vscode/command-outcome.ts';
import { awaitFirstConnection } from './await-first-connection.ts';
import { createHeadlessSlot, type HeadlessSlot, type OpenPlace } from './headless-slot.ts';
import { addDisposable } from '../../vscode/add-disposable.ts';
import { withCancel } from '../../vscode/with-cancel.ts';
import type { HeadlessCommands } from './register-headless-commands.ts';
import type { PlaceStudio } from './place-studio.ts';
import { type ChunkSurface, runsToCompletion } from './running-chunk.ts';
import { personSentence } from '../../vscode/localization/person-sentence.ts';
import { createContextSetter } from '../../vscode/context-keys.ts';
import { showOpenDialog, showSaveDialog } from '../../vscode/file-dialogs.ts';
import { createSafeOutput, type SafeOutput } from '../../vscode/safe-output.ts';
import { safeWindow, setStatusText } from '../../vscode/safe-window.ts';

export interface HeadlessCommandsDeps {
  readonly lifecycle: BridgeLifecycle;
  /** Opens a place with the content of a file, usually its own. */
  readonly start: (place: string, content: string) => Promise<PlaceStudio>;
  /** Writes a place file completely or not at all. Resolves with whether it recorded the content that it replaced. @throws AppError FS_WRITE_FAILED */
  readonly savePlace: (file: string, bytes: Uint8Array) => Promise<boolean>;
  readonly kept: KeptPlaces;
  readonly clock: Clock;
  readonly log: Logger;
}

type OpenOutcome = WithOutcome<{ readonly place: string; readonly instances: number }> | CommandRefused | undefined;

/** The output of a chunk. `said`: its return values, or its error message. */
interface LuauOutput {
  readonly said: readonly string[];
  readonly printed: readonly string[];
}

const PLACE = /\.rbx[lm]x?$/i;

/**
 * Creates the commands of headless Studio. Each command returns its result for other extensions and tests, or `undefined` if the user
 * cancelled. `Open Place` returns `accepted` while the place is not connected yet.
 */
export function createHeadlessCommands(deps: HeadlessCommandsDeps): HeadlessCommands {
  const { lifecycle, start, savePlace, kept, clock, log } = deps;
  const store = new DisposableStore();
  let channel: SafeOutput | undefined;
  // Created with the first line, because most windows never open a place.
  const output = (): SafeOutput => (channel ??= store.add(createSafeOutput('Atlas Bridge Headless Studio')));
  const slot = store.add(createHeadlessSlot(lifecycle, start));
  store.add(createStatusItem(slot));
  store.add(slot.onDidFail(reason => showFailure(vscode.l10n.t('Headless Studio ended: {0}', reason), output())));

  const saveAs = async (current: OpenPlace, file: string): Promise<void> => {
    const isRecorded = await savePlace(file, await current.studio.format(file));
    output().addLine(vscode.l10n.t('Saved {0}.', file));
    const name = basename(file);
    void safeWindow.showInformationMessage(
      isRecorded
        ? vscode.l10n.t('{0} was saved. The previous version is in History.', name)
        : vscode.l10n.t('{0} was saved.', name),
    );
  };
  /** Asks whether to save and close the open place, which exists only in memory until it is saved. */
  const confirmClose = async (): Promise<boolean> => {
    const current = slot.current();
    if (current === undefined) return true;
    const saving = vscode.l10n.t('Save and Close');
    const discard = vscode.l10n.t('Close Without Saving');
    const pressed = await safeWindow.showWarningMessage(
      vscode.l10n.t('Close {0} in headless Studio?', basename(current.place)),
      {
        modal: true,
        detail: vscode.l10n.t('The place is only in memory. Close Without Saving discards its unsaved changes.'),
      },
      saving,
      discard,
    );
    if (pressed === saving) await saveAs(current, current.place);
    return pressed !== undefined;
  };
  const hasBridge = async (): Promise<boolean> => {
    if ((await lifecycle.begin()).kind === 'running') return true;
    void safeWindow.showWarningMessage(
      vscode.l10n.t(
        'Open a folder with a project file and trust it first. Headless Studio connects to the bridge of that folder.',
      ),
    );
    return false;
  };
  const open = async (argument: unknown): Promise<OpenOutcome> => {
    if (!(await hasBridge())) return { outcome: 'refused' };
    const place = await choosePlace(argument);
    return place === undefined ? undefined : openPlace(place, place);
  };
  const openPlace = async (place: string, content: string): Promise<OpenOutcome> => {
    if (!(await confirmClose())) return undefined;
    const title = vscode.l10n.t('Opening {0} in headless Studio', basename(place));
    const options = { location: vscode.ProgressLocation.Notification, title };
    const { studio, isConnected } = await safeWindow.withProgress(options, async () => {
      const opened = await slot.open(place, content);
      return { ...opened, isConnected: await awaitFirstConnection(opened.studio, clock) };
    });
    output().addLine(
      plural(
        studio.instances,
        vscode.l10n.t('Opened {0}: 1 instance.', place),
        vscode.l10n.t('Opened {0}: {1} instances.', place, studio.instances),
      ),
    );
    studio.onLog(({ level, message }) =>
      level === 'output' ? output().addLines(message) : output().addLine(`${level}: ${message}`),
    );
    studio.onStatus(status => output().addLine(`(${status})`));
    return { outcome: isConnected ? 'done' : 'accepted', place, instances: studio.instances };
  };
  const save = async (
    argument: unknown,
  ): Promise<WithOutcome<{ readonly file: string }> | CommandRefused | undefined> => {
    const current = slot.current();
    if (current === undefined) return showNothingOpen('refused');
    const file = readPath(argument) ?? (await chooseTarget(current.place));
    if (file === undefined) return undefined;
    await saveAs(current, file);
    return { outcome: 'done', file };
  };
  const close = async (): Promise<WithOutcome | undefined> => {
    if (slot.current() === undefined) return showNothingOpen('already');
    if (!(await confirmClose())) return undefined;
    await slot.close();
    return { outcome: 'done' };
  };
  const runLuau = async (argument: unknown): Promise<WithOutcome<LuauOutput> | CommandRefused | undefined> => {
    const current = slot.current();
    if (current === undefined) return showNothingOpen('refused');
    const luau = typeof argument === 'string' ? argument : await askForLuau();
    if (luau === undefined || luau.trim() === '') return undefined;
    output().addLines(`> ${luau}`);
    const running = current.studio.run(luau);
    if (!(await runsToCompletion(running, chunkSurface(basename(current.place)), clock))) {
      // Closing Studio is the only way to stop the chunk; its promise is abandoned.
      await slot.close();
      const text = vscode.l10n.t('Cancelled: {0} was closed without saving.', basename(current.place));
      output().addLine(text);
      void safeWindow.showInformationMessage(text);
      return failedWith(new AppError('CANCELLED', { phase: 'running a chunk' }));
    }
    const result = await running;
    // Printed lines arrive through `onLog`, as in Studio's output window.
    const said = result.ok ? result.values.map(({ text }) => text) : [result.error.message];
    for (const lines of said) output().addLines(lines);
    output().show(true);
    return { outcome: result.ok ? 'done' : 'failed', said, printed: result.printed };
  };
  const showOutput = async (): Promise<void> => output().show(true);

  const offer = async (one: KeptPlace): Promise<void> => {
    const again = vscode.l10n.t('Open Again');
    const discard = vscode.l10n.t('Discard');
    const name = basename(one.place);
    const pressed = await safeWindow.showInformationMessage(
      vscode.l10n.t('{0} was open in headless Studio when this window closed. Its content was kept.', name),
      again,
      discard,
    );
    const opened = pressed === again && (await hasBridge()) ? await openPlace(one.place, one.file) : undefined;
    if (opened !== undefined || pressed === discard) await kept.remove(one);
  };

  const handlers = { openPlace: open, savePlace: save, closePlace: close, runLuau, showHeadlessOutput: showOutput };
  return {
    async run(name, argument) {
      try {
        return await handlers[name](argument);
      } catch (error) {
        log.error(`${commandIds[name]} failed`, error);
        const failure = AppError.from(error);
        showFailure(personSentence(failure, vscode.l10n), output());
        return failedWith(failure);
      }
    },
    async offerKept() {
      for (const one of await kept.list())
        offer(one).catch((error: unknown) => {
          log.error('a kept place was not opened', error, { file: one.file });
          showFailure(personSentence(AppError.from(error), vscode.l10n), output());
        });
    },
    async keepOpenPlace() {
      const current = slot.release();
      if (current === undefined) return;
      try {
        await kept.keep(current.place, await current.studio.format(current.place));
        log.info('kept the open place', { place: current.place });
      } catch (error) {
        log.error('the open place was not kept', error, { place: current.place });
      }
      await current.studio[Symbol.asyncDispose]();
    },
    [Symbol.dispose]: () => store[Symbol.dispose](),
  };
}

function showFailure(text: string, output: SafeOutput): void {
  const button = vscode.l10n.t('Show Output');
  // Not awaited: an open notification must not block the command.
  void safeWindow.showErrorMessage(text, button).then(pressed => (pressed === button ? output.show() : undefined));
}

function showNothingOpen(outcome: 'refused' | 'already'): WithOutcome {
  void safeWindow.showInformationMessage(vscode.l10n.t('No place is open in headless Studio.'));
  return { outcome };
}

/** Reads the argument of a command: a URI from the Explorer, or a path from other extensions and tests. */
function readPath(argument: unknown): string | undefined {
  if (argument instanceof vscode.Uri) return argument.scheme === 'file' ? argument.fsPath : undefined;
  return typeof argument === 'string' ? argument : undefined;
}

const askForLuau = async (): Promise<string | undefined> =>
  vscode.window.showInputBox({
    title: vscode.l10n.t('Atlas Bridge: Run Luau in Headless Studio'),
    prompt: vscode.l10n.t("Enter Luau, as in Studio's command bar. The output shows what it prints and returns."),
    placeHolder: 'workspace.Baseplate.Transparency = 0.5',
    ignoreFocusOut: true,
  });

/** @param place name of the open place file */
const chunkSurface = (place: string): ChunkSurface => ({
  show: over =>
    withCancel(vscode.l10n.t('Luau is running in {0}', place), signal =>
      Promise.race([over, new Promise(resolve => signal.addEventListener('abort', resolve))]),
    ),
  confirmEnd: async () => {
    const end = vscode.l10n.t('Close Without Saving');
    const pressed = await safeWindow.showWarningMessage(
      vscode.l10n.t('Close {0} in headless Studio?', place),
      {
        modal: true,
        detail: vscode.l10n.t(
          'Running code can only be stopped by closing headless Studio. Unsaved changes will be lost.',
        ),
      },
      end,
    );
    return pressed === end;
  },
});

async function choosePlace(argument: unknown): Promise<string | undefined> {
  const named = readPath(argument);
  if (named !== undefined && PLACE.test(named)) return named;
  const filters = { [vscode.l10n.t('Place or model')]: ['rbxl', 'rbxlx', 'rbxm', 'rbxmx'] };
  const chosen = await showOpenDialog({
    title: vscode.l10n.t('Atlas Bridge: Open Place File in Headless Studio'),
    button: vscode.l10n.t('Open Place'),
    filters,
  });
  return chosen?.[0]?.fsPath;
}

async function chooseTarget(place: string): Promise<string | undefined> {
  const filters = { [vscode.l10n.t('Place or model')]: ['rbxl', 'rbxlx', 'rbxm', 'rbxmx'] };
  const chosen = await showSaveDialog({
    title: vscode.l10n.t('Atlas Bridge: Save Headless Place As'),
    button: vscode.l10n.t('Save Place'),
    defaultUri: vscode.Uri.file(place),
    filters,
  });
  return chosen?.fsPath;
}

/** Creates the status bar item with the open place and its connection; hidden while no place is open. */
function createStatusItem(slot: HeadlessSlot): Disposable {
  const store = new DisposableStore();
  const item = addDisposable(
    store,
    vscode.window.createStatusBarItem('atlas.headless', vscode.StatusBarAlignment.Left, 9),
  );
  item.name = vscode.l10n.t('Atlas Bridge Headless Studio');
  item.command = commandIds.showHeadlessOutput;
  const setContext = createContextSetter();
  const draw = (): void => {
    const current = slot.current();
    setContext(contextKeys.headlessOpen, current !== undefined);
    if (current === undefined) return item.hide();
    const status = current.studio.status();
    const name = basename(current.place);
    setStatusText(item, {
      icon: status === 'connected' ? 'vm-active' : 'vm',
      text: name,
      tooltip: [
        vscode.l10n.t('Headless Studio: {0}', current.place),
        statusText(status),
        vscode.l10n.t('The place is in memory until you save it.'),
      ],
      spoken: vscode.l10n.t('Headless Studio, {0}: {1}', name, statusText(status)),
    });
    item.show();
  };
  store.add(slot.onDidChange(draw));
  return store;
}

function statusText(status: string): string {
  const reason = /^rejected: (.*)$/.exec(status)?.[1];
  if (reason !== undefined) return vscode.l10n.t('The bridge refused the connection: {0}', reason);
  return status === 'connected' ? vscode.l10n.t('Connected to the bridge.') : vscode.l10n.t('Not connected.');
}
