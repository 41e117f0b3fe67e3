export interface VsCodeOptions {
  /** The workspace, absolute. */
  readonly folder: string;
  /** On top of the quiet ones. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Variables that VS Code and its extensions see. */
  readonly env?: Readonly<Record<string, string>>;
}
