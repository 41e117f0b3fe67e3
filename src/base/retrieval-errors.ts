import type { CatalogRow } from './error-row.ts';
import { joinWithSemicolons, say, type Sentence } from './sentence.ts';
import { shortCommit } from './short-commit.ts';

/** One problem in the configuration of the roots. `variable` is the environment variable to correct. */
export interface RootProblem {
  readonly reason: RootProblemReason;
  readonly variable: string;
  /** The problem, without the name of the variable. */
  readonly message: string;
  readonly root?: string;
  readonly path?: string;
}
export type RootProblemReason =
  | 'MISSING_ROOT'
  | 'ROOT_NOT_FOUND'
  | 'ROOT_NOT_DIRECTORY'
  | 'ROOT_NOT_READABLE'
  | 'EMPTY_ENTRY'
  | 'ROOT_ID_INVALID'
  | 'ROOT_ID_RESERVED'
  | 'ROOT_ID_DUPLICATE'
  | 'ROOT_SOURCE_MISSING'
  | 'ROOT_SOURCE_CONFLICT'
  | 'ROOT_PATH_RELATIVE'
  | 'ROOT_PATH_DUPLICATE'
  | 'SUBDIR_INVALID'
  | 'GIT_URL_INVALID'
  | 'GIT_PROTOCOL_FORBIDDEN'
  | 'GIT_REF_INVALID'
  | 'GIT_URL_HAS_CREDENTIALS'
  | 'CACHE_MISSING'
  | 'CACHE_UNSAFE'
  | 'VALUE_INVALID';

interface InRoot {
  readonly root: string;
  readonly path: string;
}

/** Failures of the docs toolset; part of the catalog in `errors.ts`. `path` is relative to its root, never absolute. */
export interface RetrievalErrorDetails {
  /** `reason`, `repo` and `path` belong to the first problem. */
  CONFIG_INVALID: { reason: string; repo?: string; path?: string; problems: readonly RootProblem[] };
  SCOPE_INVALID: { reason: string };
  ROOT_UNKNOWN: { root: string; known: readonly string[] };
  LEGACY_INPUT: { field: string; scope: readonly string[] };
  ARGUMENT_UNKNOWN: { arguments: readonly string[]; known: readonly string[] };
  ROOT_NOT_SYNCED: { root: string };
  ROOT_UNAVAILABLE: { root: string; reason: string };
  ROOT_CACHE_MISMATCH: { root: string };
  REPO_INVALID: { repo: string };
  QUERY_EMPTY: { query: string };
  LIMIT_INVALID: { limit: string };
  FILE_GLOB_INVALID: { file_glob: string };
  GLOB_INVALID: { glob: string; reason: string };
  PATH_EMPTY: { path: string };
  PATH_OUT_OF_ROOT: { path: string; repo?: string };
  PATH_AMBIGUOUS: { path: string; roots: readonly string[]; repos?: readonly string[] };
  PATH_LINK_ESCAPE: InRoot;
  FILE_NOT_FOUND: { path: string; root?: string; repo?: string };
  FILE_UNREADABLE: { path: string; root?: string; repo?: string; reason: string };
  NOT_A_REGULAR_FILE: InRoot;
  /** `size` and `limit` in bytes. With `isAnswer`, the answer is too large, not the file. */
  FILE_TOO_LARGE: InRoot & { size?: number; limit: number; isAnswer?: true };
  /** `size` in bytes; `head`: the first bytes in hex. */
  FILE_BINARY: InRoot & { size: number; head: string };
  RANGE_INVALID: { start_line: string; end_line: string };
  DIR_NOT_FOUND: { path: string; root?: string; repo?: string };
  DIR_UNREADABLE: { path: string; root?: string; repo?: string; reason: string };
  REGEX_INVALID: { reason: string };
  REGEX_TOO_COMPLEX: { reason: string };
  SEARCH_TIMEOUT: { budgetMs: number };
  SEARCH_CANCELLED: { phase: string };
  CURSOR_STALE: { reason: string };
  GIT_NOT_FOUND: { reason: string };
  GIT_TOO_OLD: { version: string; needed: string };
  OFFLINE: { root: string; cause: string };
  AUTH_FAILED: { root: string };
  HOST_KEY_UNKNOWN: { root: string };
  REMOTE_NOT_FOUND: { root: string };
  /** `isFetched`: the ref was searched in the local repository, not at the remote. */
  REF_NOT_FOUND: { root: string; ref: string; isFetched?: true };
  DIVERGED: { root: string; before: string; remote: string };
  EXPECTED_COMMIT_MISMATCH: { root: string; expected: string; actual: string };
  SYNC_LOCKED: { root: string; holder: string };
  SYNC_TIMEOUT: { root: string; budgetMs: number };
  SYNC_TOO_LARGE: { root: string; limitMb: number };
  TREE_UNSAFE: { root: string; path: string; reason: string };
  CACHE_CORRUPT: { root: string; reason: string };
  GIT_FAILED: { root: string; reason: string };
}

const where = (d: { path: string; root?: string; repo?: string }): string | Sentence =>
  d.root === undefined ? d.path : say`${d.path} in root ${d.root}`;

export const retrievalErrors: {
  readonly [C in keyof RetrievalErrorDetails]: CatalogRow<RetrievalErrorDetails[C]>;
} = {
  CONFIG_INVALID: {
    message: d =>
      say`The roots are not configured correctly: ${joinWithSemicolons(d.problems.map(p => say`${p.variable} ${p.message}`))}.`,
    hint: 'Correct the named environment variables (in VS Code the setting atlas.docs.roots) and start again.',
    retry: 'no',
  },
  SCOPE_INVALID: {
    message: d => say`Invalid scope: ${d.reason}.`,
    hint: 'Pass "all", a namespace (docs, code, harness), a root id, or a list of these. Omit it to search all roots.',
    retry: 'no',
  },
  ROOT_UNKNOWN: {
    message: d => say`Unknown root ${d.root}. Known roots: ${d.known.join(', ') || say`none`}.`,
    hint: 'Use an id from roots_list.',
    personHint: 'Choose a root of the Roots view.',
    retry: 'no',
  },
  LEGACY_INPUT: {
    message: d => say`'${d.field}' is no longer supported. Use 'scope': ${JSON.stringify(d.scope)}.`,
    hint: 'Call again with that scope. WORKSPACE_DOCS_API=compat enables the old arguments temporarily.',
    retry: 'no',
  },
  ARGUMENT_UNKNOWN: {
    message: d => say`Unknown argument: ${d.arguments.join(', ')}. Known arguments: ${d.known.join(', ')}.`,
    hint: 'Remove the argument or correct its name.',
    retry: 'no',
  },
  ROOT_NOT_SYNCED: {
    message: d => say`Git root ${d.root} was never synced.`,
    hint: 'Call repo_sync with that root. Searching and reading never use the network.',
    personHint: 'Run "Atlas Bridge: Sync Git Roots…". Searching never uses the network.',
    retry: 'reread',
  },
  ROOT_UNAVAILABLE: {
    message: d => say`Root ${d.root} cannot be read: ${d.reason}.`,
    hint: 'Restore the folder, or correct its environment variable. roots_list shows both.',
    personHint: 'Restore the folder, or correct the root in the setting atlas.docs.roots.',
    retry: 'reread',
  },
  ROOT_CACHE_MISMATCH: {
    message: d => say`The URL of root ${d.root} changed since the last sync.`,
    hint: 'Call repo_sync with that root.',
    personHint: 'Run "Atlas Bridge: Sync Git Roots…".',
    retry: 'reread',
  },
  REPO_INVALID: {
    message: d => say`Invalid repo ${d.repo}`,
    hint: 'Use docs or code; searches also accept both.',
    retry: 'no',
  },
  QUERY_EMPTY: { message: () => say`Query is empty`, hint: 'Pass the text to search for.', retry: 'no' },
  LIMIT_INVALID: {
    message: d => say`Invalid limit ${d.limit}`,
    hint: 'Pass a whole number of at least 1, or omit the limit.',
    retry: 'no',
  },
  FILE_GLOB_INVALID: {
    message: d => say`Invalid file glob ${d.file_glob}`,
    hint: 'Pass a glob that matches paths in the root, such as **/*.md.',
    retry: 'no',
  },
  GLOB_INVALID: {
    message: d => say`The glob ${d.glob} is invalid: expected ${d.reason}.`,
    hint: 'Use *, ?, **, [abc] and {a,b}; a backslash makes the next character literal.',
    retry: 'no',
  },
  PATH_EMPTY: { message: () => say`Path is empty`, hint: 'Pass a path relative to the root.', retry: 'no' },
  PATH_OUT_OF_ROOT: {
    message: d => say`Path ${d.path} leaves the root`,
    hint: 'Pass a path relative to the root, with / between names.',
    retry: 'no',
  },
  PATH_AMBIGUOUS: {
    message: d => say`Path ${d.path} exists in several roots: ${d.roots.join(', ')}`,
    hint: 'Pass "scope" to choose one.',
    retry: 'no',
  },
  PATH_LINK_ESCAPE: {
    message: d => say`Path ${where(d)} follows a link to a target outside the root`,
    hint: 'Links are followed only if their target is in the same root.',
    retry: 'no',
  },
  FILE_NOT_FOUND: {
    message: () => say`File not found`,
    hint: 'List the folder with list_dir, or search.',
    retry: 'reread',
  },
  FILE_UNREADABLE: {
    message: d => say`File ${where(d)} cannot be read: ${d.reason}`,
    hint: 'Read another file. Hidden and ignored files are excluded deliberately.',
    retry: 'no',
  },
  NOT_A_REGULAR_FILE: {
    message: d => say`${where(d)} is not a regular file`,
    hint: 'Only regular files can be read. For a folder, call list_dir.',
    retry: 'no',
  },
  FILE_TOO_LARGE: {
    message: d =>
      d.isAnswer === true
        ? say`The answer for ${where(d)} would be larger than ${d.limit} bytes`
        : say`${where(d)} has ${d.size ?? 0} bytes; the limit for reading a whole file is ${d.limit}`,
    hint: 'Read a part of it with get_snippet.',
    retry: 'no',
  },
  FILE_BINARY: {
    message: d => say`${where(d)} is not text (${d.size} bytes)`,
    hint: 'Only text can be read.',
    retry: 'no',
  },
  RANGE_INVALID: {
    message: d => say`Invalid range: lines ${d.start_line} to ${d.end_line}`,
    hint: 'Pass whole numbers of at least 1, with start_line not greater than end_line.',
    retry: 'no',
  },
  DIR_NOT_FOUND: {
    message: () => say`Directory not found`,
    hint: 'Call list_dir for the parent folder.',
    retry: 'reread',
  },
  DIR_UNREADABLE: {
    message: d => say`Directory ${where(d)} cannot be read: ${d.reason}`,
    hint: 'List another folder.',
    retry: 'no',
  },
  REGEX_INVALID: {
    message: d => say`Invalid regular expression: ${d.reason}`,
    hint: 'Correct the expression, or search for the literal text without regex.',
    retry: 'no',
  },
  REGEX_TOO_COMPLEX: {
    message: d => say`The regular expression is too large: ${d.reason}`,
    hint: 'Use smaller repetitions, or several searches.',
    retry: 'no',
  },
  SEARCH_TIMEOUT: {
    message: d => say`The search timed out after ${d.budgetMs} ms.`,
    hint: 'Narrow the search with scope, include or a longer query.',
    personHint: 'Search for something longer, or in fewer roots.',
    retry: 'same',
  },
  SEARCH_CANCELLED: {
    message: d => say`Cancelled while ${d.phase}.`,
    hint: 'Call again to restart it.',
    personHint: 'Start the search again when you are ready.',
    retry: 'same',
  },
  CURSOR_STALE: {
    message: d => say`The cursor cannot be used: ${d.reason}.`,
    hint: 'Call again without the cursor, with the same other arguments.',
    retry: 'reread',
  },
  GIT_NOT_FOUND: {
    message: d => say`Cannot run git: ${d.reason}`,
    hint: 'Install git and make sure it is on the PATH.',
    retry: 'no',
  },
  GIT_TOO_OLD: {
    message: d => say`git ${d.version} is too old; version ${d.needed} or newer is required.`,
    hint: 'Install a newer git.',
    retry: 'no',
  },
  OFFLINE: {
    message: d => say`Cannot sync root ${d.root}: its remote cannot be reached (${d.cause}).`,
    hint: 'Nothing was changed. Sync again when the network is available. WORKSPACE_DOCS_OFFLINE=1 disables syncing.',
    personHint: 'Nothing was changed. Sync again when the network is available.',
    retry: 'wait',
  },
  AUTH_FAILED: {
    message: d => say`Authentication failed for the remote of root ${d.root}.`,
    hint: 'Sign in with a git credential helper, or use a URL that requires no credentials.',
    retry: 'no',
  },
  HOST_KEY_UNKNOWN: {
    message: d => say`The host key of the remote of root ${d.root} is unknown.`,
    hint: 'Connect once with ssh in a terminal and accept the key.',
    retry: 'no',
  },
  REMOTE_NOT_FOUND: {
    message: d => say`No repository found at the URL of root ${d.root}, or access is denied.`,
    hint: 'Correct ROOT_<ID>_GIT_URL.',
    personHint: 'Correct gitUrl of the root in the setting atlas.docs.roots.',
    retry: 'no',
  },
  REF_NOT_FOUND: {
    message: d =>
      d.isFetched === true
        ? say`Commit ${shortCommit(d.ref)} of root ${d.root} has not been fetched.`
        : say`The remote of root ${d.root} has no ${d.ref}.`,
    hint: 'Correct ROOT_<ID>_GIT_REF (for mode checkout: the commit). Mode fetch downloads new commits.',
    personHint: 'Correct gitRef of the root in the setting atlas.docs.roots.',
    retry: 'no',
  },
  DIVERGED: {
    message: d =>
      say`The history of root ${d.root} was rewritten: ${shortCommit(d.remote)} is not a descendant of ${shortCommit(d.before)}.`,
    hint: 'To accept the new history, call repo_sync with mode "reset" and expected_commit.',
    personHint: 'Nothing was changed. Choose Move to the Rewritten History to accept it.',
    retry: 'no',
  },
  EXPECTED_COMMIT_MISMATCH: {
    message: d => say`Root ${d.root} is at ${shortCommit(d.actual)}, not at ${shortCommit(d.expected)}.`,
    hint: 'Call repo_status, then decide again.',
    personHint: 'Nothing was changed. Sync the root again.',
    retry: 'reread',
  },
  SYNC_LOCKED: {
    message: d => say`Root ${d.root} is being synced by ${d.holder}.`,
    hint: 'Wait until that sync finishes, then call again.',
    personHint: 'Wait until that sync finishes, then sync the root again.',
    retry: 'wait',
  },
  SYNC_TIMEOUT: {
    message: d => say`The sync of root ${d.root} timed out after ${d.budgetMs} ms.`,
    hint: 'Nothing was changed. Call again, or raise WORKSPACE_DOCS_GIT_TIMEOUT_MS.',
    personHint:
      'Nothing was changed. Sync the root again, or raise the environment variable WORKSPACE_DOCS_GIT_TIMEOUT_MS.',
    retry: 'same',
  },
  SYNC_TOO_LARGE: {
    message: d => say`Root ${d.root} is larger than ${d.limitMb} MB.`,
    hint: 'Nothing was changed. Raise WORKSPACE_DOCS_GIT_MAX_MB.',
    retry: 'no',
  },
  TREE_UNSAFE: {
    message: d => say`The files of root ${d.root} are not safe to serve: ${d.path} ${d.reason}.`,
    hint: 'Nothing was changed. Correct the repository or ROOT_<ID>_SUBDIR.',
    personHint: 'Nothing was changed. Correct the repository, or the root in the setting atlas.docs.roots.',
    retry: 'no',
  },
  CACHE_CORRUPT: {
    message: d => say`The cache of root ${d.root} is damaged: ${d.reason}.`,
    hint: 'Call repo_sync with that root to rebuild the damaged part.',
    personHint: 'Run "Atlas Bridge: Sync Git Roots…" to rebuild the damaged part.',
    retry: 'reread',
  },
  GIT_FAILED: {
    message: d => say`git failed for root ${d.root}: ${d.reason}`,
    hint: 'Fix the problem that git reports, then call again.',
    personHint: 'Fix the problem that git reports, then sync the root again.',
    retry: 'same',
  },
};
