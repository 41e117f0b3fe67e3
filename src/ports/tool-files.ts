/** The files of other tools in the folder of a project. */
export interface ToolFiles {
  /** The names of their files, such as `wally.toml`. */
  readonly files: readonly string[];
  /** Whether `wally.toml` exists and no folder with packages does. */
  readonly lacksPackages: boolean;
}
