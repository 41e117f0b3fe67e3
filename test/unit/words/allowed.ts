/** One use that is right although a rule matches it. An entry that matches nothing any more fails the test. */
export interface Allowed {
  readonly file: string;
  /** Part of the line in which the words are. */
  readonly line: string;
  readonly reason: string;
}

export const allowed: readonly Allowed[] = [];

/** Files and folders that quote the words because they are about them. */
export const quoting: readonly string[] = ['test/unit/words/', 'test/unit/words.test.ts'];

/** Folders and files that the test covers; everything else that is tracked is still to be cleaned. */
export const covered: readonly string[] = [
  'src/base/pluto-errors.ts',
  'src/pluto/cli/',
  'src/pluto/ports/',
  'src/pluto/review/',
  'src/pluto/session/',
  'src/pluto/tools/',
  'src/pluto/vscode/',
  'src/pluto/workers/',
  'test/host/pluto',
  'test/integration/cli/pluto',
  'test/integration/pluto/',
  'test/unit/pluto/',
  'src/cli.ts',
  'test/old-nodes/',
  'test/requirements.ts',
  'test/spec-lines.ts',
  'test/unit/requirements.test.ts',
  'README.md',
  'CONTRIBUTING.md',
  'docs/README.md',
  'docs/agents.md',
  'docs/teams.md',
  'docs/remote.md',
  'docs/tutorial.md',
  'docs/ci.md',
  'src/README.md',
  'src/cli/args.ts',
  'src/cli/usage.ts',
  'test/unit/cli/',
  'test/unit/guides/',
];
