import * as vscode from 'vscode';
import type { StudioPrompts, UnpairedStudio } from '../ports/studio-prompts.ts';
import { safeName } from '../base/safe-text.ts';
import { safeWindow } from './safe-window.ts';

/** The places whose Studios may connect without a key, in the state of the workspace. */
const ALWAYS_KEY = 'studio.allowedUnpaired';

/** Asks in a dialog, which cannot hide. A Studio without a known place is remembered for its kind of plugin. */
export function createStudioPrompts(memory: vscode.Memento): StudioPrompts {
  const allowed = (): readonly string[] => memory.get<readonly string[]>(ALWAYS_KEY, []);
  return {
    isAlwaysAllowed: studio => allowed().includes(keyOf(studio)),
    async allowUnpaired(studio) {
      const once = vscode.l10n.t('Allow Once');
      const always =
        studio.place === undefined ? vscode.l10n.t('Always for This Project') : vscode.l10n.t('Always for This Place');
      const block = vscode.l10n.t('Block');
      const question = vscode.l10n.t(
        'A Studio without pairing wants to connect: {0}.',
        safeName(
          studio.place ??
            (studio.dialect === 'rojo'
              ? vscode.l10n.t('Rojo plugin, unknown place')
              : vscode.l10n.t('Atlas plugin, unknown place')),
        ),
      );
      const detail = vscode.l10n.t(
        'Any program on this computer could pretend to be this Studio. It can read the project and change files.',
      );
      // The first button has the focus, and the dialog may open while a person types: Enter must not let a Studio in.
      const pressed = await safeWindow.showWarningMessage(question, { modal: true, detail }, block, once, always);
      if (pressed === always) await memory.update(ALWAYS_KEY, [...allowed(), keyOf(studio)]);
      if (pressed === undefined) return undefined;
      return pressed === always ? 'always' : pressed === once ? 'once' : 'block';
    },
  };
}

const keyOf = ({ dialect, place }: UnpairedStudio): string => `${dialect} ${place ?? ''}`;
