import type { Compared } from '../../protocol/studio/stream.ts';

type Unreadable = NonNullable<Compared['unreadable']>[number];

/** One sentence for each property and reason: a project may hold the same odd value a hundred times. */
export function unreadableInWords(unreadable: readonly Unreadable[]): readonly string[] {
  const alike = new Map<string, { readonly first: Unreadable; count: number }>();
  for (const one of unreadable) {
    const key = `${one.property}\n${one.reason}`;
    const known = alike.get(key);
    if (known === undefined) alike.set(key, { first: one, count: 1 });
    else known.count += 1;
  }
  return Array.from(alike.values(), ({ first: { path, property, reason }, count }) => {
    const where = count === 1 ? path : `${path} and ${count - 1} more`;
    return `${property} of ${where} was not compared: Studio cannot read the value in the files (${reason}).`;
  });
}
