import { realpath } from 'node:fs/promises';
import * as vscode from 'vscode';
import { announcedBridges } from '../adapters/node/announced-bridges.ts';
import { userStateFolder } from '../adapters/node/state-folder.ts';
import { plural } from '../base/plural.ts';
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

/** Finds the projects that other windows of this user serve too. */
export async function projectsInOtherWindows(here: readonly ProjectHere[]): Promise<readonly SharedProject[]> {
  const others = (await announcedBridges(userStateFolder(process.env))).filter(
    ({ program, owner }) => program === 'vscode' && owner.pid !== process.pid,
  );
  if (others.length === 0) return [];
  const shared = await Promise.all(
    here.map(async ({ root, file, project, studioUrl }) => {
      const folder = await realpath(root.fsPath);
      const other = others.find(one => one.folder === folder && one.projectFile === file);
      return other && { project, port: portOf(studioUrl), otherPort: portOf(other.mcpUrl) };
    }),
  );
  return shared.flatMap(one => one ?? []);
}

const portOf = (url: string): number => Number(new URL(url).port);

/** Says that Studio connects to one window only, and how to choose this one. */
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
