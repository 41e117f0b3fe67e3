import * as vscode from 'vscode';
import type { ActivationTime } from '../vscode/activation-parts.ts';
import type { BridgeLifecycle } from '../vscode/bridge-lifecycle.ts';
import type { WindowPendingChanges } from '../vscode/pending-changes.ts';
import { comparedChangeCount } from '../vscode/status-bar.ts';
import { statusLine } from '../vscode/status.ts';

/** The exports of the extension, for other extensions and tests. Every property is plain data. */
export interface AtlasExports {
  readonly activation: ActivationTime;
  readonly state: string;
  /** The text of the status bar item, without its icon. */
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
      const { text, changeCount } = statusLine(lifecycle.state(), vscode.l10n, comparedChangeCount(pending));
      return changeCount === undefined ? text : `${text} ${changeCount}`;
    },
    get studioUrl() {
      return bridge()?.studioUrl;
    },
    get mcpUrl() {
      return bridge()?.mcpUrl;
    },
  };
}
