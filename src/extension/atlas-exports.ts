import * as vscode from 'vscode';
import type { ActivationTime } from '../vscode/activation-parts.ts';
import type { BridgeLife } from '../vscode/bridge-life.ts';
import type { Pending } from '../vscode/pending.ts';
import { differingOf } from '../vscode/status-bar.ts';
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

export function exportsOf(life: BridgeLife, pending: Pending, activation: ActivationTime): AtlasExports {
  const bridge = () => {
    const state = life.state();
    return state.kind === 'running' ? state.bridge : undefined;
  };
  return {
    activation,
    get state() {
      return life.state().kind;
    },
    get status() {
      return statusLine(life.state(), vscode.l10n, differingOf(pending)).text.replaceAll(/\$\([^)]*\) /g, '');
    },
    get studioUrl() {
      return bridge()?.studioUrl;
    },
    get mcpUrl() {
      return bridge()?.mcpUrl;
    },
  };
}
