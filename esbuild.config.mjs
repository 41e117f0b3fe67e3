// Builds everything that ships into dist/. `--release` minifies and enforces the size budgets; `--watch` rebuilds on change.
import { build, context } from 'esbuild';
import { chmod, cp, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildStudioPlugin } from './scripts/build-studio-plugin.ts';

const root = dirname(fileURLToPath(import.meta.url));

/** Minified bytes per file of dist/; data (wasm, reflection, Luau) is not counted. */
export const budgets = { 'extension.cjs': 1.5e6, 'review.js': 120e3, 'review.css': 30e3 };

/** Modules find their folder through `import.meta.url`, which CommonJS lacks. */
const importMetaUrl = {
  define: { 'import.meta.url': '__importMetaUrl' },
  banner: { js: "const __importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
};
/** Bundled CommonJS packages call `require` for Node's own modules. */
const requireInEsm = `import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);`;

/** @type {(release: boolean) => Readonly<Record<string, import('esbuild').BuildOptions>>} */
export function buildOptions(release) {
  /** @type {import('esbuild').BuildOptions} */
  const shared = {
    absWorkingDir: root,
    outdir: 'dist',
    bundle: true,
    minify: release,
    keepNames: true,
    sourcemap: release ? 'external' : 'linked',
    metafile: true,
    legalComments: 'none',
    logLevel: 'warning',
  };
  /** @type {import('esbuild').BuildOptions} */
  const node = { ...shared, platform: 'node', target: 'node22', mainFields: ['module', 'main'] };
  return {
    extension: {
      ...node,
      ...importMetaUrl,
      entryPoints: { extension: 'src/extension.ts' },
      format: 'cjs',
      external: ['vscode'],
      outExtension: { '.js': '.cjs' },
    },
    programs: {
      ...node,
      entryPoints: { cli: 'src/cli.ts', 'headless-worker': 'src/headless-studio/worker.ts' },
      format: 'esm',
      // What only some commands need (the virtual machine) is loaded by those alone; beside the programs, so that paths stay.
      splitting: true,
      chunkNames: '[name]-[hash]',
      // A line that starts with #! is a comment to whoever imports the file instead of running it.
      banner: { js: `#!/usr/bin/env node\n${requireInEsm}` },
    },
    webview: {
      ...shared,
      platform: 'browser',
      target: 'chrome130',
      format: 'esm',
      jsx: 'automatic',
      jsxImportSource: 'preact',
      keepNames: false,
      tsconfig: 'tsconfig.webview.json',
      entryPoints: { review: 'src/webview/review/main.tsx' },
    },
    style: {
      ...shared,
      target: 'chrome130',
      entryPoints: { review: 'src/webview/review/review.css' },
    },
  };
}

/** What is read at run time as it is. */
const copies = [
  ['studio-plugin/src', 'luau/plugin'],
  ['src/headless-studio/luau', 'luau/headless'],
  ['src/core/dom/reflection.generated.json', 'reflection.json'],
];

/** @type {(outdir: string) => Promise<void>} */
async function copyAll(outdir) {
  for (const [from, to] of copies) {
    await mkdir(dirname(join(outdir, to)), { recursive: true });
    await cp(join(root, from), join(outdir, to), { recursive: true });
  }
  await writeFile(join(outdir, 'AtlasBridge.rbxmx'), await buildStudioPlugin());
}

/** @type {(outdir: string) => Promise<void>} */
async function checkBudgets(outdir) {
  const over = [];
  for (const [file, most] of Object.entries(budgets)) {
    const { size } = await stat(join(outdir, file));
    console.log(`${file.padEnd(16)} ${(size / 1e3).toFixed(0).padStart(6)} kB of ${(most / 1e3).toFixed(0)} kB`);
    if (size > most) over.push(`${file} has ${size} bytes, its budget is ${most}`);
  }
  if (over.length > 0) throw new Error(over.join('\n'));
}

/**
 * Builds everything into `outdir`, which is emptied first. Resolves with esbuild's metafile of each bundle.
 * @type {(release: boolean, outdir?: string) => Promise<Record<string, import('esbuild').Metafile | undefined>>}
 */
export async function buildAll(release, outdir = join(root, 'dist')) {
  await rm(outdir, { recursive: true, force: true });
  await copyAll(outdir);
  const bundles = Object.entries(buildOptions(release)).map(async ([name, options]) => {
    const { metafile } = await build({ ...options, outdir });
    return [name, metafile];
  });
  const metafiles = Object.fromEntries(await Promise.all(bundles));
  await chmod(join(outdir, 'cli.js'), 0o755);
  if (release) await checkBudgets(outdir);
  return metafiles;
}

async function watch() {
  await copyAll(join(root, 'dist'));
  for (const options of Object.values(buildOptions(false))) await (await context(options)).watch();
}

async function main() {
  if (process.argv.includes('--watch')) return watch();
  const metafiles = await buildAll(process.argv.includes('--release'));
  await mkdir(join(root, 'out'), { recursive: true });
  await writeFile(join(root, 'out', 'bundles.json'), JSON.stringify(metafiles));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
