import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Row } from './row.ts';

const buildFile = new URL('../../esbuild.config.mjs', import.meta.url).href;

/** Measures the minified bundles without data (the VM, the class database, Luau). `root` must contain a release build. */
export async function bundleSize(root: string): Promise<readonly Row[]> {
  // Budgets and counting are those of the build, which is JavaScript without types.
  const { budgets, startSize } = (await import(buildFile)) as {
    readonly budgets: Readonly<Record<string, number>>;
    readonly startSize: (outdir: string, metafiles: unknown, file: string) => Promise<number>;
  };
  const metafiles: unknown = JSON.parse(await readFile(join(root, 'out', 'bundles.json'), 'utf8'));
  const rows = Object.entries(budgets).map(async ([file, most]): Promise<Row> => ({
    name: `bundle size of ${file}`,
    unit: 'kB',
    value: (await startSize(join(root, 'dist'), metafiles, file)) / 1000,
    runs: 1,
    limit: most / 1000,
    detail: 'minified, with everything that it loads at start, without data',
  }));
  return Promise.all(rows);
}
