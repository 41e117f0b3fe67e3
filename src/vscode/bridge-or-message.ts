import * as vscode from 'vscode';
import type { BridgeLifecycle } from './bridge-lifecycle.ts';
import { safeWindow } from './safe-window.ts';
import type { ServedBridge } from './served-bridge.ts';
import { showFailure } from './show-with-log.ts';

/** Starts the bridge for a command of the user. Resolves with `undefined` if none runs; a message to the user explains why. */
export async function bridgeOrMessage(
  lifecycle: Pick<BridgeLifecycle, 'begin'>,
  showLog: () => void,
): Promise<ServedBridge | undefined> {
  const state = await lifecycle.begin();
  switch (state.kind) {
    case 'running':
      return state.bridge;
    case 'failed':
      showFailure(state.error, showLog);
      return undefined;
    case 'idle':
      void safeWindow.showWarningMessage(
        state.why === 'restricted'
          ? vscode.l10n.t('Atlas Bridge is disabled in Restricted Mode. Trust this workspace to use it.')
          : vscode.l10n.t('Open a folder with a project file first.'),
      );
      return undefined;
    case 'starting':
      return undefined;
  }
}
