import * as vscode from 'vscode';
import { plural } from '../../base/plural.ts';
import { DisposableStore } from '../../base/disposable-store.ts';
import type { Finding, Fix, SetUpFacts } from '../findings.ts';
import { commandIds } from '../../vscode/command-ids.ts';
import { openMachineSettings } from '../../vscode/open-settings.ts';
import { addDisposable } from '../../vscode/add-disposable.ts';
import { findingText, fixText } from './finding-text.ts';
import { collectSetUpFacts, type SetUpFactsDeps } from './set-up-facts.ts';

/** A finding as the command answers it. */
export interface DoctorFinding extends Pick<Finding, 'id' | 'state' | 'fix'> {
  readonly text: string;
}

const icons = { ok: 'pass', todo: 'circle-large-outline', broken: 'error' } as const;

/** What each fix does. */
const fixes: Readonly<Record<Fix, () => Thenable<unknown>>> = {
  trust: () => vscode.commands.executeCommand('workbench.trust.manage'),
  openFolder: () => vscode.commands.executeCommand('workbench.action.files.openFolder'),
  createProject: () => vscode.commands.executeCommand(commandIds.createProject),
  showProblems: () => vscode.commands.executeCommand('workbench.actions.view.problems'),
  showLog: () => vscode.commands.executeCommand(commandIds.showLog),
  installPlugin: () => vscode.commands.executeCommand(commandIds.installPlugin),
  // The same command: it knows which machine it is on.
  savePlugin: () => vscode.commands.executeCommand(commandIds.installPlugin),
  connectAgent: () => vscode.commands.executeCommand(commandIds.connectAgent),
  openPortSetting: () => openMachineSettings('atlas.port'),
  showPorts: () => vscode.commands.executeCommand('~remote.forwardedPorts.focus'),
  openRipgrepSetting: () => openMachineSettings('atlas.docs.ripgrepPath'),
};

export interface DoctorDeps extends SetUpFactsDeps {
  /** `findings` of the core. */
  readonly findings: (facts: SetUpFacts) => readonly Finding[];
}

/** `Atlas Bridge: Run Doctor`: says what is well and what is not, and puts right what a person presses. Answers the findings. */
export function registerDoctor(deps: DoctorDeps): Disposable {
  const store = new DisposableStore();
  const look = async (): Promise<readonly DoctorFinding[]> =>
    deps.findings(await collectSetUpFacts(deps)).map(finding => ({
      id: finding.id,
      state: finding.state,
      fix: finding.fix,
      text: findingText(finding, vscode.l10n),
    }));

  addDisposable(
    store,
    vscode.commands.registerCommand(commandIds.doctor, async (how?: { readonly quiet?: boolean }) => {
      const found = await look();
      if (how?.quiet === true) return found;
      // Not waited for: a list that nobody closes must not hold the command.
      void show(found);
      return found;
    }),
  );
  return store;
}

async function show(found: readonly DoctorFinding[]): Promise<void> {
  const items = found.map(finding => {
    // A line of the list is cut off at its end, so what to do stands on its own.
    const [, said = finding.text, next = ''] = /^(.*?[.!?])\s+(.*)$/s.exec(finding.text) ?? [];
    const fix = finding.fix === undefined ? [] : [`$(wrench) ${fixText(finding.fix, vscode.l10n)}`];
    return {
      finding,
      label: `$(${icons[finding.state]}) ${said}`,
      detail: [...(next === '' ? [] : [next]), ...fix].join(' '),
    };
  });
  const wrong = found.filter(({ state }) => state !== 'ok').length;
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Atlas Bridge: Doctor'),
    placeHolder:
      wrong === 0
        ? vscode.l10n.t('No problems found.')
        : plural(
            wrong,
            vscode.l10n.t('1 of {0} checks needs attention. Select it to fix it.', found.length),
            vscode.l10n.t('{0} of {1} checks need attention. Select one to fix it.', wrong, found.length),
          ),
  });
  if (picked?.finding.fix === undefined) return;
  await fixes[picked.finding.fix]();
}
