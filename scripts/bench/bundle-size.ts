import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Row } from './row.ts';

const buildFile = new URL('../../esbuild.config.mjs', import.meta.url).href;

/** What ships, minified; data (the VM, the class database, Luau) is not counted. `dist` must be a release build. */
export async function bundleSize(dist: string): Promise<readonly Row[]> {
  // The build's own budgets: bytes by file name. It is plain JavaScript without types.
  const { budgets } = (await import(buildFile)) as { readonly budgets: Readonly<Record<string, number>> };
  return Object.entries(budgets).map(([file, most]) => ({
    name: `bundle size of ${file}`,
    unit: 'kB',
    value: statSync(join(dist, file)).size / 1000,
    runs: 1,
    most: most / 1000,
    detail: 'minified, without data',
  }));
}
