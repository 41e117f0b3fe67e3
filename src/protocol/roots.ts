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
