/** What the folder of a project says about other tools. */
export interface ToolFiles {
  /** Their files, as `wally.toml`. */
  readonly files: readonly string[];
  /** Whether `wally.toml` is there and no folder with packages is. */
  readonly lacksPackages: boolean;
}
