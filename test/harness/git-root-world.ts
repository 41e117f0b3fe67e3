import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { docsClient } from './docs-client.ts';
import type { GitRemote } from './git-remote.ts';
import { tempFolder } from './temp-folder.ts';

/** The answer of `repo_sync` and `repo_status` for one root. */
export type RepoRow = Readonly<Record<string, unknown>> & {
  readonly status: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly warnings: readonly { code: string; message: string }[];
  readonly error: { code: string } | null;
};
/** A commit id that exists in no repository. */
export const noCommit = '0'.repeat(40);

/** One git root named `kept` that tracks `remote`, with a private cache; `more` overrides its variables. */
export async function gitRootWorld(remote: GitRemote, more: Readonly<Record<string, string | undefined>> = {}) {
  const home = await tempFolder();
  const cache = join(home.path, 'cache');
  const environment = {
    DOCS_ROOTS: 'kept',
    ROOT_KEPT_GIT_URL: remote.url,
    ROOT_KEPT_GIT_REF: 'main',
    WORKSPACE_DOCS_CACHE: cache,
    WORKSPACE_DOCS_GIT_PROTOCOLS: 'https,ssh,file,http',
    ...more,
  };
  const docs = docsClient(environment);
  const rowOf = async (name: string, args: Readonly<Record<string, unknown>>): Promise<RepoRow> => {
    const answer = await docs.call(name, args);
    assert.ok(Array.isArray(answer.result), JSON.stringify(answer.body));
    return answer.result[0] as RepoRow;
  };
  return {
    home,
    cache,
    environment,
    docs,
    sync: (mode = 'update', more: object = {}) => rowOf('repo_sync', { root: 'kept', mode, ...more }),
    status: () => rowOf('repo_status', { root: 'kept' }),
    read: async (path = 'a.md') => {
      const answer = await docs.call('open_file', { path });
      const { lines } = (answer.result ?? {}) as { lines?: readonly { text: string }[] };
      return lines
        ?.map(line => line.text)
        .join('\n')
        .trimEnd();
    },
    ofUrl: async () => {
      const [key = ''] = await readdir(join(cache, 'r-kept'));
      return join(cache, 'r-kept', key);
    },
    [Symbol.asyncDispose]: () => home[Symbol.asyncDispose](),
  };
}

/** Hashes the names and contents of everything below a folder. */
export async function folderHash(folder: string): Promise<string> {
  const hash = createHash('sha256');
  const names = (await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])).map(entry => ({
    entry,
    path: join(entry.parentPath, entry.name),
  }));
  for (const { entry, path } of names.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    hash.update(path);
    if (entry.isFile()) hash.update(await readFile(path));
    if (entry.isSymbolicLink()) hash.update(await readlink(path));
  }
  return hash.digest('hex');
}
