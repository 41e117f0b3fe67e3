import * as vscode from 'vscode';
import type { ActivationTime } from '../vscode/activation-parts.ts';
import type { BridgeLifecycle } from '../vscode/bridge-lifecycle.ts';
import type { WindowPendingChanges } from '../vscode/pending-changes.ts';
import { comparedChangeCount } from '../vscode/status-bar.ts';
import { statusLine } from '../vscode/status.ts';

/** What other extensions and tests may look at; plain data at every look. */
export interface AtlasExports {
  readonly activation: ActivationTime;
  readonly state: string;
  /** What the status bar says, without its icon. */
  readonly status: string;
  readonly studioUrl: string | undefined;
  readonly mcpUrl: string | undefined;
}

export function createExports(
  lifecycle: BridgeLifecycle,
  pending: WindowPendingChanges,
  activation: ActivationTime,
): AtlasExports {
  const bridge = () => {
    const state = lifecycle.state();
    return state.kind === 'running' ? state.bridge : undefined;
  };
  return {
    activation,
    get state() {
      return lifecycle.state().kind;
    },
    get status() {
      return statusLine(lifecycle.state(), vscode.l10n, comparedChangeCount(pending)).text.replaceAll(
        /\$\([^)]*\) /g,
        '',
      );
    },
    get studioUrl() {
      return bridge()?.studioUrl;
    },
    get mcpUrl() {
      return bridge()?.mcpUrl;
    },
  };
}
