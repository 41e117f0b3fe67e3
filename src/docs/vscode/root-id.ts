import { basename } from 'node:path';
import { withoutSecrets } from '../../base/url-secrets.ts';
import { freeRootId } from '../../protocol/roots.ts';

/** Derives an id that no other root has from the last part of a path or address. Lists show ids, so it contains no part of a token. */
export function freeId(from: string, roots: readonly object[]): string {
  const name = basename(
    withoutSecrets(from)
      .replace(/[\\/]+$/, '')
      .replaceAll('\\', '/'),
  ).replace(/\.git$/, '');
  return freeRootId(name, 'root', new Set(roots.map(root => ('id' in root ? root.id : undefined))));
}
