import type { Event } from '../../base/emitter.ts';
import type { GitRoots } from './git-roots.ts';
import type { RootCheckouts } from './root-checkouts.ts';
import type { RootFiles } from './root-files.ts';
import type { SearchBackend } from './search-backend.ts';

/** What retrieval needs from whoever runs the bridge. */
export interface RootHost {
  /** The variables that configure the roots; in VS Code the process's, with the setting `atlas.docs.roots` laid over them. */
  environment(): Readonly<Record<string, string | undefined>>;
  /** Served when no variable names a root. `path` is absolute; `hasDocs`: it holds a folder `docs`, which is no link. */
  folders(): Promise<readonly { readonly name: string; readonly path: string; readonly hasDocs: boolean }[]>;
  /** Where git roots are kept unless `WORKSPACE_DOCS_CACHE` says otherwise; absolute. */
  readonly defaultCache: string | undefined;
  readonly checkouts: RootCheckouts;
  readonly files: RootFiles;
  /** For `repo_status` and `repo_sync` alone; retrieval never gets it. */
  readonly gitRoots: GitRoots;
  /** Fires after a git root was synced; `undefined` where nobody says so. */
  readonly onDidSync?: Event<void> | undefined;
  /** `undefined` where there is no ripgrep: then files are walked. */
  readonly ripgrep: SearchBackend | undefined;
}
