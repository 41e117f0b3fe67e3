import * as vscode from 'vscode';
import type { ActivationTime } from '../vscode/activation-parts.ts';
import type { BridgeLifecycle } from '../vscode/bridge-lifecycle.ts';
import type { WindowPendingChanges } from '../vscode/pending-changes.ts';
import { comparedChangeCount } from '../vscode/status-bar.ts';
import { activeProject, projectLabel } from '../vscode/project-label.ts';
import { otherProblems } from '../vscode/other-problems.ts';
import { statusLine } from '../vscode/status.ts';
import type { UnservedProjects } from '../vscode/unserved-projects.ts';

/** The exports of the extension, for other extensions and tests. Every property is plain data. */
export interface AtlasExports {
  readonly activation: ActivationTime;
  readonly state: string;
  /** The text of the status bar item, without its icon. */
  readonly status: string;
  readonly studioUrl: string | undefined;
  readonly mcpUrl: string | undefined;
  /** All served projects; `studioUrl` and `mcpUrl` belong to the active one. */
  readonly projects: readonly { readonly project: string; readonly file: string; readonly studioUrl: string }[];
}

export function createExports(
  lifecycle: BridgeLifecycle,
  unserved: UnservedProjects,
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
      const { text, changeCount } = statusLine(
        lifecycle.state(),
        vscode.l10n,
        comparedChangeCount(pending),
        activeProject(lifecycle),
        otherProblems(lifecycle, unserved.all(), vscode.l10n),
      );
      return changeCount === undefined ? text : `${text} ${changeCount}`;
    },
    get studioUrl() {
      return bridge()?.studioUrl;
    },
    get mcpUrl() {
      return bridge()?.mcpUrl;
    },
    get projects() {
      const bridges = lifecycle.bridges();
      return bridges.map(one => ({
        project: projectLabel(bridges, one),
        file: one.location.label,
        studioUrl: one.studioUrl,
      }));
    },
  };
}
