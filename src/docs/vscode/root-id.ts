import { basename } from 'node:path';
import { withoutSecrets } from '../../base/url-secrets.ts';

/** The last part of the path or address as an id that no other root has. Every list shows it, so no part of a token is in it. */
export function freeId(from: string, roots: readonly object[]): string {
  const name = basename(
    withoutSecrets(from)
      .replace(/[\\/]+$/, '')
      .replaceAll('\\', '/'),
  ).replace(/\.git$/, '');
  const id =
    name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '') || 'root';
  const taken = new Set(roots.map(root => ('id' in root ? root.id : undefined)));
  let free = id;
  for (let count = 2; taken.has(free); count += 1) free = `${id}-${count}`;
  return free;
}
