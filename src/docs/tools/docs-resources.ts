import { Emitter, type Event } from '../../base/emitter.ts';
import { withoutSecrets } from '../../base/url-secrets.ts';
import type { Retrieval } from '../retrieval.ts';
import type { ResourceSource } from '../../mcp/resource.ts';

/** The listed resources. */
export const docsResources: Pick<ResourceSource, 'listings' | 'templates'> = {
  listings: [
    {
      uri: 'atlas://roots',
      name: 'roots',
      title: 'Roots',
      description: 'The docs, code and harness folders that the docs toolset reads, and the state of each.',
      mimeType: 'application/json',
    },
  ],
  templates: [],
};

/**
 * Creates the resource `atlas://roots`: the roots that the docs toolset reads. Dispose it, because the git roots outlive a bridge.
 *
 * @param onDidSync fires after a git root was synced; `undefined` if syncs are not observed
 */
export function createDocsResources(
  retrieval: Retrieval,
  onDidSync: Event<void> | undefined,
): ResourceSource & Disposable {
  const changed = new Emitter<string>();
  const listening = onDidSync?.(() => changed.fire('atlas://roots'));
  return {
    onDidChange: changed.event,
    ...docsResources,
    [Symbol.dispose]: () => listening?.[Symbol.dispose](),
    async read(uri) {
      if (uri !== 'atlas://roots') return undefined;
      const { roots, problems, warnings } = await retrieval.listRoots();
      const listed = roots.map(({ definition, checkout }) => {
        const { source } = definition;
        const shown = source.kind === 'git' ? { ...source, url: withoutSecrets(source.url) } : source;
        return { ...definition, source: shown, checkout };
      });
      return { mimeType: 'application/json', text: JSON.stringify({ roots: listed, problems, warnings }, null, 2) };
    },
  };
}
