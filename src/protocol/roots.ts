/** A configured folder that the docs tools may read. The id is stable because the configuration sets it. */
export interface RootDefinition {
  /** Lower case letters, digits and single dashes; at most 64. */
  readonly id: string;
  readonly namespace: Namespace;
  readonly title: string | undefined;
  readonly source: LocalSource | GitSource;
  /** A relative path with `/` between names; `''`: the whole root. */
  readonly subdir: string;
  /** Folders of this root that are also separate roots. If such a root is searched too, only that root returns their files. */
  readonly inner?: readonly { readonly path: string; readonly root: string }[];
}
export interface LocalSource {
  readonly kind: 'local';
  /** Absolute. */
  readonly path: string;
  /** The environment variable that sets the path, for messages. */
  readonly variable: string;
}
export interface GitSource {
  readonly kind: 'git';
  /** Validated: uses an allowed protocol, has no credentials, and cannot be read as a git option. */
  readonly url: string;
  /** A validated branch, tag, `refs/…`, or 40 or 64 hex digits; `undefined`: the default branch of the remote. */
  readonly ref: string | undefined;
  readonly variable: string;
}

/** In the order of search results. */
export const namespaces = ['docs', 'code', 'harness'] as const;
export type Namespace = (typeof namespaces)[number];

/** The variables that list the ids of the roots of each namespace. */
export const rootListVariables = {
  docs: 'DOCS_ROOTS',
  code: 'CODE_ROOTS',
  harness: 'HARNESS_ROOTS',
} as const satisfies Readonly<Record<Namespace, string>>;
const rootParts = ['PATH', 'GIT_URL', 'GIT_REF', 'SUBDIR', 'TITLE'] as const;

/** Returns `ROOT_<ID>_<part>`. Ids contain no underscore, so two roots never share a variable. */
export const rootVariable = (id: string, part: (typeof rootParts)[number]): string =>
  `ROOT_${id.toUpperCase().replaceAll('-', '_')}_${part}`;

/** Matches the variables of roots; group 1 is the id in upper case, with `_` for `-`. */
export const rootVariablePattern = new RegExp(`^ROOT_([A-Z0-9_]+?)_(?:${rootParts.join('|')})$`);

const MAX_ROOT_ID_LENGTH = 64;

export const isRootId = (id: string): boolean =>
  /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(id) && id.length <= MAX_ROOT_ID_LENGTH;

/** Ids that no root of a list may have: words of `scope`, and the ids of the roots of `DOCS_ROOT` and `CODE_ROOT`. */
export const reservedRootIds: ReadonlySet<string> = new Set([
  'all',
  'both',
  'none',
  ...namespaces,
  'docs-default',
  'code-default',
]);

/** Derives an id that is neither reserved nor taken from the name of a folder: `My Game (2)` becomes `my-game-2`. */
export function freeRootId(name: string, fallback: string, taken: ReadonlySet<unknown>): string {
  const id =
    name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .slice(0, MAX_ROOT_ID_LENGTH - 10)
      .replaceAll(/^-+|-+$/g, '') || fallback;
  let free = id;
  for (let count = 2; reservedRootIds.has(free) || taken.has(free); count += 1) free = `${id}-${count}`;
  return free;
}

export const gitProtocols = ['https', 'ssh', 'file', 'http'] as const;
export type GitProtocol = (typeof gitProtocols)[number];

/** Limits of `repo_sync`, from the environment variables `WORKSPACE_DOCS_…`. */
export interface GitPolicy {
  /** The absolute path of the cache; `undefined` if there is no git root. */
  readonly cache: string | undefined;
  readonly offline: boolean;
  readonly protocols: readonly GitProtocol[];
  readonly timeoutMs: number;
  readonly maxMb: number;
}
