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
  {
    file: 'src/pluto/language/syntax/lex-number.ts',
    line: "'_' stands between digits",
    reason: 'a compiler message that the corpus of programs compares word for word',
  },
  {
    file: 'src/pluto/language/syntax/parse-statement.ts',
    line: 'stands outside of functions',
    reason: 'a compiler message that the corpus of programs compares word for word',
  },
  {
    file: 'src/pluto/language/syntax/string-text.ts',
    line: 'is no hex digit',
    reason: 'a compiler message that the corpus of programs compares word for word',
  },
  {
    file: 'src/pluto/language/syntax/string-text.ts',
    line: 'a surrogate is no character',
    reason: 'a compiler message that the corpus of programs compares word for word',
  },
  {
    file: 'src/pluto/language/modules/manifest.ts',
    line: "goes only with 'git'",
    reason: 'a compiler message that the corpus of programs compares word for word',
  },
];

/** Files and folders that quote the words because they are about them. */
export const quoting: readonly string[] = ['test/unit/words/', 'test/unit/words.slow.test.ts'];
