import type { Translate } from '../../base/sentence.ts';

/** The part of `vscode.l10n` that texts need; also given by tests, which have no editor. */
export interface Localize {
  /** `{0}`, `{1}` in the message become the values. */
  readonly t: Translate;
}
