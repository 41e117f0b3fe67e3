/** Digits that git shows of a commit in a large repository. */
const SHORT_DIGITS = 8;

/** The commit as a person reads it, like `git log --oneline`. Other text, such as the name of a branch, stays whole. */
export const shortCommit = (commit: string): string =>
  /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit) ? commit.slice(0, SHORT_DIGITS) : commit;
