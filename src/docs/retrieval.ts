import type { Answer } from './scope/answer.ts';
import { listDir, type Listing } from './files/list-dir.ts';
import { listRoots, type RootsReport } from './list-roots.ts';
import { type FileText, getSnippet, openFile, type Snippet } from './files/read-file.ts';
import type { RetrievalDeps, Terms } from './scope/retrieval-deps.ts';
import { type Hit, search, type SearchQuery } from './search/search.ts';
import { type RankedHit, smartSearch } from './search/smart-search.ts';
import type { Clock } from '../ports/clock.ts';
import type { RootHost } from './ports/root-host.ts';
import { createWalkerSearch } from './search/walker-search.ts';
import { configurationOf } from './roots/workspace-roots.ts';
import type { RootConfiguration } from './roots/configuration.ts';
import { withDirty } from './with-dirty.ts';
import { RETRIEVAL_LIMITS } from '../protocol/limits.ts';

/** The reading side of the docs toolset, for its tools and the editor's views. Errors are documented at the function of the same name. */
export interface Retrieval {
  configuration(): Promise<RootConfiguration>;
  listRoots(): Promise<RootsReport>;
  listDir(request: Parameters<typeof listDir>[1], terms: Terms, signal: AbortSignal): Promise<Answer<Listing>>;
  openFile(request: Parameters<typeof openFile>[1], terms: Terms, signal: AbortSignal): Promise<Answer<FileText>>;
  getSnippet(request: Parameters<typeof getSnippet>[1], terms: Terms, signal: AbortSignal): Promise<Answer<Snippet>>;
  search(query: SearchQuery, terms: Terms, signal: AbortSignal): Promise<Answer<readonly Hit[]>>;
  smartSearch(
    query: Parameters<typeof smartSearch>[1],
    terms: Terms,
    signal: AbortSignal,
  ): Promise<Answer<readonly RankedHit[]>>;
}

/** Creates the retrieval over several roots. It selects roots by scope only, and reads nothing but the disk. */
export function createRetrieval(deps: RetrievalDeps): Retrieval {
  return {
    configuration: () => deps.configuration(),
    listRoots: () => listRoots(deps),
    listDir: async (request, terms, signal) =>
      withDirty(deps, await listDir(deps, request, terms, signal), ({ entries }) =>
        entries.filter(entry => entry.type === 'file'),
      ),
    openFile: async (request, terms, signal) =>
      withDirty(deps, await openFile(deps, request, terms, signal), file => [file]),
    getSnippet: async (request, terms, signal) =>
      withDirty(deps, await getSnippet(deps, request, terms, signal), file => [file]),
    search: async (query, terms, signal) => withDirty(deps, await search(deps, query, terms, signal), hits => hits),
    smartSearch: async (query, terms, signal) =>
      withDirty(deps, await smartSearch(deps, query, terms, signal), hits => hits),
  };
}

/** Creates a retrieval that reads the host's configuration on each call: a changed variable or folder takes effect with the next call. */
export function retrievalOfHost(host: RootHost, clock: Clock): Retrieval {
  return createRetrieval({
    configuration: async () => configurationOf(host.environment(), await host.folders(), host.defaultCache),
    checkouts: host.checkouts,
    files: host.files,
    search: host.ripgrep ?? createWalkerSearch(host.files, clock),
    clock,
  });
}

/** Limits for agents that pass `scope`. */
export const strictTerms: Terms = {
  openedBytes: RETRIEVAL_LIMITS.openedBytes,
  answerBytes: RETRIEVAL_LIMITS.answerBytes,
  listedEntries: RETRIEVAL_LIMITS.entries,
};
