/** The part of `vscode.l10n` that texts need; also given by tests, which have no editor. */
export interface Localize {
  /** `{0}`, `{1}` in `message` become `values`. */
  readonly t: (message: string, ...values: (string | number | boolean)[]) => string;
}
