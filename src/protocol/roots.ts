/** A folder that retrieval may read, as it is configured. The id is stable because whoever runs us writes it. */
export interface RootDefinition {
  /** Lower case letters, digits and single dashes; at most 64. */
  readonly id: string;
  readonly namespace: Namespace;
  readonly title: string | undefined;
  readonly source: LocalSource | GitSource;
  /** Relative, `/` between names; `''`: all of it. */
  readonly subdir: string;
  /** Folders of this root that are roots of their own: where such a one is searched too, it alone answers for them. */
  readonly inner?: readonly { readonly path: string; readonly root: string }[];
}
export interface LocalSource {
  readonly kind: 'local';
  /** Absolute. */
  readonly path: string;
  /** The variable that names it, for messages. */
  readonly variable: string;
}
export interface GitSource {
  readonly kind: 'git';
  /** Checked: of an allowed protocol, without credentials, no option in disguise. */
  readonly url: string;
  /** Checked likewise. Branch, tag, `refs/…`, or 40 or 64 hex digits; `undefined`: the remote's own default branch. */
  readonly ref: string | undefined;
  readonly variable: string;
}

/** In the order in which results come. */
export const namespaces = ['docs', 'code', 'harness'] as const;
export type Namespace = (typeof namespaces)[number];

export const gitProtocols = ['https', 'ssh', 'file', 'http'] as const;
export type GitProtocol = (typeof gitProtocols)[number];

/** What `repo_sync` may do, from the variables `WORKSPACE_DOCS_…`. */
export interface GitPolicy {
  /** The cache root, absolute; `undefined` while there is no git root. */
  readonly cache: string | undefined;
  readonly offline: boolean;
  readonly protocols: readonly GitProtocol[];
  readonly timeoutMs: number;
  readonly maxMb: number;
}
