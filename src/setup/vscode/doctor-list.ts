import * as vscode from 'vscode';
import { plural } from '../../base/plural.ts';
import type { Fix } from '../findings.ts';
import { commandIds } from '../../vscode/command-ids.ts';
import { openMachineSettings } from '../../vscode/open-settings.ts';
import { createSafeQuickPick, safeWindow } from '../../vscode/safe-window.ts';
import type { DoctorFinding } from './doctor.ts';

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
  showPorts: () => vscode.commands.executeCommand('~remote.forwardedPorts.focus'),
  openRipgrepSetting: () => openMachineSettings('atlas.docs.ripgrepPath'),
  createRepository: () => vscode.commands.executeCommand('git.init'),
};

/** How long a status bar message is shown. */
const STATUS_MESSAGE_MS = 5000;

interface Row extends vscode.QuickPickItem {
  readonly finding: DoctorFinding;
}

/** Shows the findings of Doctor with their fixes. The text of each can be copied, and that of all together. */
export async function showFindings(found: readonly DoctorFinding[]): Promise<void> {
  const chosen = await choose(found);
  if (chosen === undefined) return;
  if (chosen.fix === undefined) await copy(textOf(chosen));
  else await fixes[chosen.fix]();
}

function choose(found: readonly DoctorFinding[]): Promise<DoctorFinding | undefined> {
  const { pick, setItems } = createSafeQuickPick<Row>();
  const copyOne = { iconPath: new vscode.ThemeIcon('copy'), tooltip: vscode.l10n.t('Copy') };
  const copyAll = { iconPath: new vscode.ThemeIcon('copy'), tooltip: vscode.l10n.t('Copy All') };
  const failedCount = found.filter(({ state }) => state !== 'ok').length;
  pick.title = vscode.l10n.t('Atlas Bridge: Doctor');
  pick.placeholder =
    failedCount === 0
      ? vscode.l10n.t('No problems found.')
      : plural(
          failedCount,
          vscode.l10n.t('1 of {0} checks needs attention. Select it to fix it.', found.length),
          vscode.l10n.t('{0} of {1} checks need attention. Select one to fix it.', failedCount, found.length),
        );
  pick.matchOnDetail = true;
  pick.buttons = [copyAll];
  setItems(
    found.map(finding => {
      // VS Code truncates a long line at its end, so the fix begins the second one.
      const [, first = finding.text, next = ''] = /^(.*?[.!?])\s+(.*)$/s.exec(finding.text) ?? [];
      return {
        finding,
        label: first,
        iconPath: new vscode.ThemeIcon(icons[finding.state]),
        detail: [finding.fixText ?? '', next].filter(text => text !== '').join(' · '),
        buttons: [copyOne],
      };
    }),
  );
  return new Promise(resolve => {
    pick.onDidTriggerButton(() => void copy(found.map(textOf).join('\n')));
    pick.onDidTriggerItemButton(({ item }) => void copy(textOf(item.finding)));
    pick.onDidAccept(() => {
      resolve(pick.selectedItems[0]?.finding);
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

const marks = { ok: '✓', todo: '○', broken: '✗' } as const;
const textOf = ({ state, text }: DoctorFinding): string => `${marks[state]} ${text}`;

async function copy(text: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  safeWindow.setStatusBarMessage(vscode.l10n.t('Copied.'), STATUS_MESSAGE_MS);
}
