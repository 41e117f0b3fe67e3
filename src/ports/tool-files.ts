/** The files of other tools in the folder of a project. */
export interface ToolFiles {
  /** Their files, as `wally.toml`. */
  readonly files: readonly string[];
  /** Whether `wally.toml` exists and no folder with packages does. */
  readonly lacksPackages: boolean;
}
