import type { Clock } from '../ports/clock.ts';
import type { RootHost } from './ports/root-host.ts';
import { createRetrieval, type Retrieval } from './retrieval.ts';
import { createWalkerSearch } from './search/walker-search.ts';
import { configurationOf } from './roots/workspace-roots.ts';

/** Retrieval over what the host says at each call: a changed variable or folder counts from the next call on. */
export function retrievalOfHost(host: RootHost, clock: Clock): Retrieval {
  return createRetrieval({
    configuration: () => configurationOf(host.environment(), host.folders(), host.defaultCache),
    checkouts: host.checkouts,
    files: host.files,
    search: host.ripgrep ?? createWalkerSearch(host.files, clock),
    clock,
  });
}
