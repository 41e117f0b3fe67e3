import { realpath } from 'node:fs/promises';
import * as vscode from 'vscode';
import { announcedBridges } from '../adapters/node/announced-bridges.ts';
import { releaseLostWindows } from '../adapters/node/lost-windows.ts';
import { userStateFolder } from '../adapters/node/state-folder.ts';
import { plural } from '../base/plural.ts';
import type { Logger } from '../ports/logger.ts';
import type { AnnouncedBridge } from '../protocol/announced-bridge.ts';
import { safeWindow } from '../vscode/safe-window.ts';
import type { ProjectLocation } from './served-folder.ts';

/** A project of this window that another window serves too. */
export interface SharedProject {
  /** The name or the file of the project. */
  readonly project: string;
  /** The port in this window. */
  readonly port: number;
  /** The port in the other window. */
  readonly otherPort: number;
}

/** A running project of this window. */
export interface ProjectHere extends Pick<ProjectLocation, 'root' | 'file'> {
  readonly project: string;
  readonly studioUrl: string;
}

/** The bridges of other windows of this user. */
const bridgesOfOtherWindows = async (): Promise<readonly AnnouncedBridge[]> =>
  (await announcedBridges(userStateFolder(process.env))).filter(
    ({ program, owner }) => program === 'vscode' && owner.pid !== process.pid,
  );

/** Waits until the windows that serve the project and do not answer have released it. */
export async function releaseFromLostWindows(
  { root, file }: Pick<ProjectLocation, 'root' | 'file'>,
  log: Logger,
): Promise<void> {
  const others = await bridgesOfOtherWindows();
  if (others.length === 0) return;
  const folder = await realpath(root.fsPath);
  await releaseLostWindows(
    others.filter(one => isFor(one, folder, file)),
    log,
  );
}

const isFor = (bridge: AnnouncedBridge, folder: string, file: string | undefined): boolean =>
  bridge.folder === folder && bridge.projectFile === file;

/** Finds the projects that other windows of this user serve too. */
export async function projectsInOtherWindows(here: readonly ProjectHere[]): Promise<readonly SharedProject[]> {
  const others = await bridgesOfOtherWindows();
  if (others.length === 0) return [];
  const shared = await Promise.all(
    here.map(async ({ root, file, project, studioUrl }) => {
      const folder = await realpath(root.fsPath);
      const other = others.find(one => isFor(one, folder, file));
      return other && { project, port: portOf(studioUrl), otherPort: portOf(other.mcpUrl) };
    }),
  );
  return shared.flatMap(one => one ?? []);
}

const portOf = (url: string): number => Number(new URL(url).port);

/** Informs the user that each Studio connects to one window only, and how to choose this one. */
export function announceSharedProjects(shared: readonly SharedProject[]): void {
  const [first] = shared;
  if (first === undefined) return;
  const all = shared.map(({ project, port }) => vscode.l10n.t('{0} (port {1})', project, port)).join(', ');
  void safeWindow.showInformationMessage(
    plural(
      shared.length,
      vscode.l10n.t(
        '{0} is also open in another window. Each Studio connects to one window; if it asks, choose port {1} for this one.',
        first.project,
        first.port,
      ),
      vscode.l10n.t(
        'These projects are also open in another window: {0}. Each Studio connects to one window; if it asks, choose the port of this one.',
        all,
      ),
    ),
  );
}
