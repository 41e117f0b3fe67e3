import type { Translate } from '../../base/sentence.ts';

/** The part of `vscode.l10n` that texts need, so that tests can run without VS Code. */
export interface Localize {
  /** Translates a message and replaces `{0}`, `{1}` by the values. */
  readonly t: Translate;
}
