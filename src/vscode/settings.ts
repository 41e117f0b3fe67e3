import * as vscode from 'vscode';
import type { Settings } from '../ports/settings.ts';

export interface EditorSettings extends Settings {
  /** The port to listen on, 0 to 65535; 0 takes any. */
  port(): number;
  /** The port for Rojo's plugin; `undefined`: none. */
  rojoPort(): number | undefined;
  /** Whether what differs is found out without being asked for. */
  changesAutoRefresh(): boolean;
  /** Whether files that differ from Studio are marked in the Explorer. */
  explorerBadges(): boolean;
  /** Whether a `.pt` that is saved is brought into its `.pluto`. */
  plutoSyncOnSave(): boolean;
  /** Whether `sourcemap.json` is kept fresh. */
  sourcemapAutoWrite(): boolean;
  /** Variables for the roots; null takes one away. */
  docsEnvironment(): Readonly<Record<string, string | null>>;
  /** The ripgrep to use; `undefined`: whichever is found. */
  ripgrepPath(): string | undefined;
}

/** Reads the settings of `folder` at every use. A value that does not fit counts as not set: the file may be written by hand. */
export function createSettings(folder: vscode.Uri | undefined): EditorSettings {
  const read = (name: string): unknown => vscode.workspace.getConfiguration('atlas', folder).get<unknown>(name);
  // Only what the user set counts: a workspace must not name folders of this machine, urls or programs.
  const ofUser = {
    read: (name: string): unknown => vscode.workspace.getConfiguration('atlas').inspect<unknown>(name)?.globalValue,
  };
  const whole = (name: string, least: number, most: number, fallback: number): number => {
    const value = read(name);
    return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most ? value : fallback;
  };
  return {
    port: () => whole('port', 0, 65_535, 34_873),
    rojoPort() {
      const value = read('rojoPort');
      if (value === null) return undefined;
      return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 65_535 ? value : 34_872;
    },
    atlasPluginVersion() {
      const value = read('atlasPluginVersion');
      return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
    },
    live() {
      const value = read('live');
      return value === 'diskToStudio' || value === 'twoWay' ? value : 'off';
    },
    reviewTimeoutMinutes: () => whole('review.timeoutMinutes', 1, 1440, 30),
    overridesApproval() {
      const value = read('overrides.approval');
      // Not understood means that a person meant something: ask, rather than let agents decide.
      return value === undefined || value === 'auto' ? 'auto' : value === 'never' ? 'never' : 'ask';
    },
    overridesRequirePrecondition: () => read('overrides.requirePrecondition') === true,
    budgetScale() {
      const value = read('budgetScale');
      return typeof value === 'number' && value >= 1 && value <= 4 ? value : 1;
    },
    changesAutoRefresh: () => read('changes.autoRefresh') !== false,
    explorerBadges: () => read('explorer.badges') !== false,
    plutoSyncOnSave: () => read('pluto.syncOnSave') !== false,
    sourcemapAutoWrite: () => read('sourcemap.autoWrite') === true,
    docsEnvironment() {
      const value = ofUser.read('docs.environment');
      if (typeof value !== 'object' || value === null) return {};
      return Object.fromEntries(
        Object.entries(value).flatMap(([name, text]: [string, unknown]) =>
          typeof text === 'string' || text === null ? [[name, text]] : [],
        ),
      );
    },
    ripgrepPath() {
      const value = ofUser.read('docs.ripgrepPath');
      return typeof value === 'string' && value !== '' ? value : undefined;
    },
    journalMaxMegabytes: () => whole('journal.maxMegabytes', 10, 100_000, 500),
    journalMaxDays: () => whole('journal.maxDays', 1, 3650, 30),
  };
}
