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
export const quoting: readonly string[] = ['test/unit/words/', 'test/unit/words.slow.test.ts'];
