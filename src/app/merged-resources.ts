import { AppError } from '../base/errors.ts';
import type { ResourceSource } from '../mcp/resource.ts';

/**
 * The resources of all projects of a window: those of `own` first. A resource that the first project cannot read, such as the run of another
 * project, is read from the next one.
 *
 * @param others returns the current sources of the other projects
 */
export function mergedResources(
  own: readonly ResourceSource[],
  others: () => readonly ResourceSource[],
): readonly ResourceSource[] {
  const known = new Set(own.map(kindOf));
  const more = new Map(others().map(source => [kindOf(source), source]));
  const sources = [...own, ...Array.from(more).flatMap(([kind, source]) => (known.has(kind) ? [] : [source]))];
  return sources.map(source => {
    const all = (): readonly ResourceSource[] => [
      source,
      ...others().filter(other => other !== source && kindOf(other) === kindOf(source)),
    ];
    return {
      ...source,
      async read(uri, signal) {
        let failure: AppError | undefined;
        for (const one of all())
          try {
            const found = await one.read(uri, signal);
            if (found !== undefined) return found;
          } catch (error) {
            failure ??= AppError.from(error);
          }
        if (failure !== undefined) throw failure;
        return undefined;
      },
      onDidChange(listener) {
        const listening = all().map(({ onDidChange }) => onDidChange(listener));
        return { [Symbol.dispose]: () => listening.forEach(one => one[Symbol.dispose]()) };
      },
    };
  });
}

/** Sources of different projects with the same listings and templates contain the same kind of resources. */
const kindOf = ({ listings, templates }: ResourceSource): string =>
  [...listings.map(({ uri }) => uri), ...templates.map(({ uriTemplate }) => uriTemplate)].join('\n');
