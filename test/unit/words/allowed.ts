/** One use that is right although a rule matches it. An entry that matches nothing any more fails the test. */
export interface Allowed {
  readonly file: string;
  /** Part of the line in which the words are. */
  readonly line: string;
  readonly reason: string;
}

export const allowed: readonly Allowed[] = [
  {
    file: 'test/host/renamed-settings.test.ts',
    line: 'atlas.docs.environment',
    reason: 'tests that the old names of the settings are still read',
  },
  {
    file: 'test/host/renamed-settings.test.ts',
    line: 'atlas.changes.autoRefresh',
    reason: 'tests that the old names of the settings are still read',
  },
];

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
  'src/extension.ts',
  'src/extension/',
  'src/vscode/',
  'src/sync/vscode/',
  'src/review/vscode/',
  'src/setup/',
  'src/headless-studio/vscode/',
  'src/webview/',
  'src/protocol/review',
  'media/walkthrough/',
  'package.nls.json',
  'test/host/driver/',
  'test/host/harness/',
  'test/webview/',
  'test/unit/vscode/',
  'test/unit/webview/',
  'test/unit/setup/',
  'test/unit/headless-studio/vscode/',
  'test/unit/review/vscode/',
  'test/unit/sync/vscode/',
  'test/host/cancel.test.ts',
  'test/host/crash.test.ts',
  'test/host/daily-use.test.ts',
  'test/host/extension.test.ts',
  'test/host/folders.test.ts',
  'test/host/offline.test.ts',
  'test/host/project-files.test.ts',
  'test/host/remote.test.ts',
  'test/host/renamed-settings.test.ts',
  'test/host/review-editors.test.ts',
  'test/host/review.test.ts',
  'test/host/roots.test.ts',
  'test/host/schemas.test.ts',
  'test/host/set-up.test.ts',
  'test/host/settings.test.ts',
  'test/host/start.test.ts',
  'test/host/story.test.ts',
  'test/host/studio.test.ts',
  'test/host/tools.test.ts',
  'test/host/tutorial.test.ts',
  'test/host/two-windows.test.ts',
];
