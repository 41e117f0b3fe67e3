import * as vscode from 'vscode';
import { plural } from '../../base/plural.ts';
import { DisposableStore } from '../../base/disposable-store.ts';
import type { Fix, SetUpFacts } from '../findings.ts';
import type { WordedFinding } from './finding-text.ts';
import { commandIds } from '../../vscode/command-ids.ts';
import { openMachineSettings } from '../../vscode/open-settings.ts';
import { addDisposable } from '../../vscode/add-disposable.ts';
import { collectSetUpFacts, type SetUpFactsDeps } from './set-up-facts.ts';
import { safeWindow } from '../../vscode/safe-window.ts';

/** A finding as returned by the command. */
export type DoctorFinding = Pick<WordedFinding, 'id' | 'state' | 'fix' | 'text' | 'fixText'>;

const icons = { ok: 'pass', todo: 'circle-large-outline', broken: 'error' } as const;

/** The action of each fix. */
const fixes: Readonly<Record<Fix, () => Thenable<unknown>>> = {
  trust: () => vscode.commands.executeCommand('workbench.trust.manage'),
  openFolder: () => vscode.commands.executeCommand('workbench.action.files.openFolder'),
  createProject: () => vscode.commands.executeCommand(commandIds.createProject),
  showProblems: () => vscode.commands.executeCommand('workbench.actions.view.problems'),
  showLog: () => vscode.commands.executeCommand(commandIds.showLog),
  installPlugin: () => vscode.commands.executeCommand(commandIds.installPlugin),
  // The same command; it detects a remote window.
  savePlugin: () => vscode.commands.executeCommand(commandIds.installPlugin),
  connectAgent: () => vscode.commands.executeCommand(commandIds.connectAgent),
  openPortSetting: () => openMachineSettings('atlas.port'),
  showPorts: () => vscode.commands.executeCommand('~remote.forwardedPorts.focus'),
  openRipgrepSetting: () => openMachineSettings('atlas.docs.ripgrepPath'),
};

export interface DoctorDeps extends SetUpFactsDeps {
  /** Runs the checks, and puts the findings in words. Loaded on demand. */
  readonly findings: (facts: SetUpFacts) => Promise<readonly WordedFinding[]>;
}

/** `Atlas Bridge: Run Doctor`: shows the findings and runs the fix that the user selects. Returns the findings. */
export function registerDoctor(deps: DoctorDeps): Disposable {
  const store = new DisposableStore();
  const runChecks = async (): Promise<readonly DoctorFinding[]> =>
    (await deps.findings(await collectSetUpFacts(deps))).map(finding => ({
      id: finding.id,
      state: finding.state,
      fix: finding.fix,
      text: finding.text,
      fixText: finding.fixText,
    }));

  addDisposable(
    store,
    vscode.commands.registerCommand(commandIds.doctor, async (how?: { readonly quiet?: boolean }) => {
      const found = await runChecks();
      if (how?.quiet === true) return found;
      // Not awaited: an open list must not block the command.
      void show(found);
      return found;
    }),
  );
  return store;
}

async function show(found: readonly DoctorFinding[]): Promise<void> {
  const items = found.map(finding => {
    // VS Code truncates long labels, so show the second sentence in the detail line.
    const [, first = finding.text, next = ''] = /^(.*?[.!?])\s+(.*)$/s.exec(finding.text) ?? [];
    const fix = finding.fix === undefined ? [] : [finding.fixText ?? ''];
    return {
      finding,
      label: first,
      iconPath: new vscode.ThemeIcon(icons[finding.state]),
      detail: [...(next === '' ? [] : [next]), ...fix].join(' '),
    };
  });
  const failedCount = found.filter(({ state }) => state !== 'ok').length;
  const picked = await safeWindow.showQuickPick(items, {
    title: vscode.l10n.t('Atlas Bridge: Doctor'),
    placeHolder:
      failedCount === 0
        ? vscode.l10n.t('No problems found.')
        : plural(
            failedCount,
            vscode.l10n.t('1 of {0} checks needs attention. Select it to fix it.', found.length),
            vscode.l10n.t('{0} of {1} checks need attention. Select one to fix it.', failedCount, found.length),
          ),
  });
  if (picked?.finding.fix === undefined) return;
  await fixes[picked.finding.fix]();
}
