import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable-store.ts';
import { AppError } from '../../base/errors.ts';
import type { Logger } from '../../ports/logger.ts';
import { personSentence } from '../../vscode/localization/person-sentence.ts';
import { safeWindow } from '../../vscode/safe-window.ts';
import type { SetUpFacts } from '../findings.ts';
import type { FormattedFinding } from './finding-text.ts';
import { commandIds } from '../../vscode/command-ids.ts';
import { addDisposable } from '../../vscode/add-disposable.ts';
import { collectSetUpFacts, type SetUpFactsDeps } from './set-up-facts.ts';

/** A finding as returned by the command. */
export type DoctorFinding = Pick<FormattedFinding, 'id' | 'state' | 'fix' | 'text' | 'fixText'>;

export interface DoctorDeps extends SetUpFactsDeps {
  /** Runs the checks and formats the findings. Loaded on demand. */
  readonly findings: (facts: SetUpFacts) => Promise<readonly FormattedFinding[]>;
  readonly log: Logger;
}

interface DoctorList {
  /** Shows the findings, and runs the fix that the user selects. */
  readonly showFindings: (found: readonly DoctorFinding[]) => Promise<void>;
}

/** `Atlas Bridge: Run Doctor`: shows the findings and runs the fix that the user selects. Returns the findings. */
export function registerDoctor(deps: DoctorDeps & DoctorList): Disposable {
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
      deps.showFindings(found).catch((error: unknown) => {
        deps.log.error('failed to fix a finding of Doctor', error);
        void safeWindow.showErrorMessage(personSentence(AppError.from(error), vscode.l10n));
      });
      return found;
    }),
  );
  return store;
}
