import type { Localize } from '../../src/vscode/localization/localize.ts';

/** `vscode.l10n` for English: the texts in the code, with `{0}` filled in. */
export const plainL10n: Localize = {
  t: (message, ...values) => message.replaceAll(/\{(\d)\}/g, (_, index: string) => String(values[Number(index)])),
};
