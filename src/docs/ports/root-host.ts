import type { Event } from '../../base/emitter.ts';
import type { GitRoots } from './git-roots.ts';
import type { RootCheckouts } from './root-checkouts.ts';
import type { RootFiles } from './root-files.ts';
import type { SearchBackend } from './search-backend.ts';

/** The interface of retrieval to the program that runs it: the editor, the bridge or the standalone server. */
export interface RootHost {
  /** Returns the variables that configure the roots; in VS Code, the setting `atlas.docs.roots` overrides those of the process. */
  environment(): Readonly<Record<string, string | undefined>>;
  /**
   * Returns the folders that are served if no variable defines a root. `path` is absolute; `hasDocs`: contains a folder `docs` that is not
   * a link.
   */
  folders(): Promise<readonly { readonly name: string; readonly path: string; readonly hasDocs: boolean }[]>;
  /** The cache for git roots if `WORKSPACE_DOCS_CACHE` is not set; absolute. */
  readonly defaultCache: string | undefined;
  readonly checkouts: RootCheckouts;
  readonly files: RootFiles;
  /** Only for `repo_status` and `repo_sync`; retrieval never gets it. */
  readonly gitRoots: GitRoots;
  /** Fires after a git root was synced; `undefined` if syncs are not observed. */
  readonly onDidSync?: Event<void> | undefined;
  /** `undefined` without ripgrep; the built-in search is used then. */
  readonly ripgrep: SearchBackend | undefined;
}
