export interface VsCodeOptions {
  /** The workspace, absolute: a folder, or a file that names several. */
  readonly folder: string;
  /** Whether VS Code asks for trust; without it every folder is trusted. Not on a desktop. */
  readonly asksForTrust?: boolean;
  /** On top of the quiet ones. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Variables that VS Code and its extensions see. */
  readonly env?: Readonly<Record<string, string>>;
}
