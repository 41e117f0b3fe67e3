// Builds everything that ships into dist/. `--release` minifies and enforces the size budgets; `--watch` rebuilds on change.
import { build, context } from 'esbuild';
import { chmod, cp, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildStudioPlugin } from './scripts/build-studio-plugin.ts';
import { renderNotices, shippedPackages, shippedParts } from './scripts/third-party-notices.ts';

const root = dirname(fileURLToPath(import.meta.url));

/** esbuild's metafile of each bundle. @typedef {Record<string, import('esbuild').Metafile | undefined>} Metafiles */

/**
 * Minified bytes per program of dist/: its entry and every chunk that it loads before it can start. Chunks loaded on demand and data
 * (wasm, reflection, Luau) are excluded.
 */
export const budgets = { 'extension.js': 1.5e6, 'review.js': 120e3, 'review.css': 30e3, 'card.html': 60e3 };

/** The oldest Node that runs the release, as `22.15`. */
const { engines } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
const minimumNode = engines.node.replace('>=', '');
const [minimumMajor, minimumMinor] = minimumNode.split('.');

/** A line of every compiled program, which must run on any Node. */
const requireSupportedNode = `(function () {
  var found = process.versions.node.split('.').map(Number);
  if (found[0] > ${minimumMajor} || (found[0] === ${minimumMajor} && found[1] >= ${minimumMinor})) return;
  process.stderr.write('error: this program requires Node ${minimumNode} or newer; this is Node ' + process.versions.node + '\\n');
  process.exit(1);
})();`;

/** Bundled CommonJS packages call `require` for the modules of Node. */
const requireInEsm = `import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);`;

/**
 * Removes the JSON schema validator of the MCP SDK (150 kB), which validates answers to forms. Atlas Bridge validates answers with its
 * own schemas.
 * @type {import('esbuild').Plugin}
 */
const withoutFormValidator = {
  name: 'without-form-validator',
  setup(bundle) {
    bundle.onLoad({ filter: /sdk[\\/]dist[\\/]esm[\\/]validation[\\/]ajv-provider\.js$/ }, () => ({
      contents: `export class AjvJsonSchemaValidator {
        getValidator() { throw new Error('forms are not used, so their validator is not shipped'); }
      }`,
    }));
  },
};

/** The JSON schemas of the tools, which a release build creates. One line for each, because parsing all of them at once takes 5 ms. */
const TOOL_SCHEMAS = 'tool-schemas.jsonl';

/**
 * Lets the programs read the JSON schemas of their tools from a file instead of creating them from the schemas of zod, which takes up to 20 ms
 * of a turn for one schema, and 100 ms for the tools of a project.
 * @type {import('esbuild').Plugin}
 */
const readyToolSchemas = {
  name: 'ready-tool-schemas',
  setup(bundle) {
    bundle.onLoad({ filter: /src[\\/]mcp[\\/]tool-schemas\.ts$/ }, () => ({
      contents: `import { readFileSync } from 'node:fs';
        let lines;
        const read = (name, kind) => {
          lines ??= readFileSync(new URL('${TOOL_SCHEMAS}', import.meta.url), 'utf8').split('\\n');
          return JSON.parse(lines.find(line => line.startsWith('["' + name + '","' + kind + '",')))[2];
        };
        export const inputSchema = ({ name }) => read(name, 'input');
        export const outputSchema = ({ name }) => read(name, 'output');`,
    }));
  },
};

/** The module with the schemas of MCP, whose import takes longer than a turn of the event loop of the extension host may. */
const LONG_MODULE = join(root, 'node_modules/@modelcontextprotocol/sdk/dist/esm/types.js');
const LONG_MODULE_PARTS = 3;

/**
 * Divides this module into several, because the import of a module cannot pause. Each part knows only names of earlier ones; the last part
 * has the name of the module.
 * @type {import('esbuild').Plugin}
 */
const dividedModule = {
  name: 'divided-module',
  setup(bundle) {
    const parts = readFile(LONG_MODULE, 'utf8').then(divideModule);
    bundle.onResolve({ filter: /types\.js\?part\d$/ }, ({ path }) => ({
      path: LONG_MODULE,
      suffix: path.slice(path.indexOf('?')),
    }));
    bundle.onLoad({ filter: /sdk[\\/]dist[\\/]esm[\\/]types\.js$/ }, async ({ suffix }) => ({
      contents: (await parts)[suffix === '' ? LONG_MODULE_PARTS - 1 : Number(suffix.slice('?part'.length))],
      resolveDir: dirname(LONG_MODULE),
    }));
  },
};

/** @type {(text: string) => readonly string[]} */
function divideModule(text) {
  const starts = Array.from({ length: LONG_MODULE_PARTS }, (_, part) =>
    part === 0 ? 0 : text.indexOf('\nexport const ', (text.length * part) / LONG_MODULE_PARTS) + 1,
  );
  const parts = starts.map((start, part) => text.slice(start, starts[part + 1]));
  const namesOf = (/** @type {string} */ part) =>
    Array.from(part.matchAll(/^(?:export )?(?:const|var|let|function|class) (\w+)/gm), ([, name]) => name ?? '');
  const imports = /** @type {RegExpMatchArray} */ (text.match(/^import .*$/gm)).join('\n');
  return parts.map((part, index) => {
    const code = part.replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, '');
    const uses = (/** @type {string} */ name) => new RegExp(`\\b${name}\\b`).test(code);
    const early = parts
      .slice(index + 1)
      .flatMap(namesOf)
      .filter(uses);
    if (starts.indexOf(0, 1) > 0 || early.length > 0)
      throw new Error(`types.js cannot be divided: ${early.join(', ')}`);
    const exported = part.replaceAll(/^(?:const|function|class) /gm, 'export $&');
    if (index === 0) return exported;
    const earlier = parts.slice(0, index).map((one, at) => {
      const from = `'./types.js?part${at}'`;
      return `import { ${namesOf(one).filter(uses).join(', ')} } from ${from};\nexport * from ${from};`;
    });
    return [imports, ...earlier, exported].join('\n');
  });
}

/**
 * Entries that only divide what the extension loads: esbuild puts modules into one file if the same entries load them, and a big file takes
 * long to import. The files of these entries are not shipped.
 */
const dividers = {
  'divider-docs-tools': 'src/docs/tools/repo-sync.ts',
  'divider-mcp-0': `${LONG_MODULE}?part0`,
  'divider-mcp-1': `${LONG_MODULE}?part1`,
  'divider-zod-util': join(root, 'node_modules/zod/v4/core/util.js'),
  'divider-zod-checks': join(root, 'node_modules/zod/v4/core/checks.js'),
  'divider-zod-schemas': join(root, 'node_modules/zod/v4/core/schemas.js'),
  'divider-zod-json-schema': join(root, 'node_modules/zod/v4/core/to-json-schema.js'),
};

/** Functions of modules of Node that few programs need and that take long to load. */
const LAZY_FUNCTIONS = {
  'node:crypto': ['createHash', 'hash', 'randomBytes', 'randomUUID'],
  'node:fs/promises': [
    'link',
    'lstat',
    'mkdir',
    'mkdtemp',
    'open',
    'readFile',
    'readlink',
    'rename',
    'rm',
    'rmdir',
    'unlink',
  ],
  'node:v8': ['deserialize', 'getHeapStatistics', 'serialize', 'setFlagsFromString'],
};

/** Functions of `node:fs/promises` that every program needs. Those of `node:fs`, which Node has loaded by then, do the same. */
const PROMISIFIED = { readdir: 'own.readdir', realpath: 'own.realpath.native', stat: 'own.stat' };

/**
 * Loads these modules when a function of them is called.
 * @type {import('esbuild').Plugin}
 */
const lazyModules = {
  name: 'lazy-modules',
  setup(bundle) {
    const promisified = `
      const own = process.getBuiltinModule('node:fs');
      import { promisify } from 'node:util';
      ${Object.entries(PROMISIFIED)
        .map(([name, own]) => `export const ${name} = promisify(${own});`)
        .join('\n')}`;
    for (const [module, functions] of Object.entries(LAZY_FUNCTIONS)) {
      bundle.onResolve({ filter: new RegExp(`^${module}$`) }, () => ({ path: module, namespace: 'lazy' }));
      const contents = functions
        .map(name => `export const ${name} = (...args) => process.getBuiltinModule('${module}').${name}(...args);`)
        .join('\n');
      const more = module === 'node:fs/promises' ? promisified : '';
      bundle.onLoad({ filter: new RegExp(`^${module}$`), namespace: 'lazy' }, () => ({ contents: contents + more }));
    }
  },
};

/** @type {(release: boolean) => Readonly<Record<string, import('esbuild').BuildOptions>>} */
export function buildOptions(release) {
  /** @type {import('esbuild').BuildOptions} */
  const shared = {
    absWorkingDir: root,
    outdir: 'dist',
    bundle: true,
    minify: release,
    // Otherwise each function that runs names itself, which takes a fifth of the start of the extension.
    keepNames: false,
    sourcemap: release ? 'external' : 'linked',
    metafile: true,
    legalComments: 'none',
    logLevel: 'warning',
  };
  // zod looks for Cloudflare there, and VS Code reports each look at it as an error of the extension.
  const define = { navigator: 'undefined' };
  /** @type {import('esbuild').BuildOptions} */
  const node = { ...shared, platform: 'node', target: `node${minimumNode}`, mainFields: ['module', 'main'], define };
  return {
    programs: {
      ...node,
      entryPoints: {
        extension: 'src/extension.ts',
        cli: 'src/cli.ts',
        'headless-worker': 'src/headless-studio/worker.ts',
        'game-test-worker': 'src/game-tests/workers/test-worker.ts',
        'pluto-worker': 'src/pluto/workers/language-worker.ts',
        'pluto-modules-worker': 'src/pluto/workers/modules-worker.ts',
        'pluto-program-worker': 'src/pluto/workers/program-worker.ts',
        'merge-worker': 'src/sync/workers/merge-worker.ts',
        'git-worker': 'src/adapters/git/git-worker.ts',
        'process-worker': 'src/adapters/node/process-worker.ts',
        'data-worker': 'src/project/workers/data-worker.ts',
        ...dividers,
      },
      format: 'esm',
      external: ['vscode'],
      plugins: [withoutFormValidator, dividedModule, ...(release ? [readyToolSchemas] : [])],
      // Shared code ships once, and code that only some calls need (the virtual machine, Pluto) is loaded on demand. Chunks are in the
      // folder of the programs, so that relative paths stay valid.
      splitting: true,
      chunkNames: '[name]-[hash]',
      // A line that starts with #! is a comment when the file is imported.
      banner: { js: `#!/usr/bin/env node\n${requireInEsm}` },
    },
    // Programs whose start time is mostly loading: one file each, and CommonJS, because an imported module of Node is loaded whole.
    quickStart: {
      ...node,
      entryPoints: {
        'pluto-run': 'src/pluto/cli/run-alone.ts',
        'pluto-program-thread': 'src/pluto/workers/program-thread.ts',
      },
      format: 'cjs',
      plugins: [lazyModules],
      outExtension: { '.js': '.cjs' },
      define: { ...define, 'import.meta.url': '__moduleUrl' },
      banner: { js: `const __moduleUrl = require('node:url').pathToFileURL(__filename).href;` },
    },
    // The source that compiled Pluto programs contain. A program is a script or a module, depending on its folder and name, so this code
    // gets the modules of Node from `process`.
    standalone: {
      ...node,
      entryPoints: { 'pluto-standalone': 'src/pluto/workers/standalone.ts' },
      format: 'iife',
      globalName: 'plutoStandalone',
      sourcemap: false,
      banner: { js: `${requireSupportedNode}\nvar require = name => process.getBuiltinModule(name);` },
    },
    webview: {
      ...shared,
      platform: 'browser',
      target: 'chrome130',
      format: 'esm',
      jsx: 'automatic',
      jsxImportSource: 'preact',
      tsconfig: 'tsconfig.webview.json',
      entryPoints: { review: 'src/webview/review/main.tsx', card: 'src/webview/card/main.tsx' },
    },
    style: {
      ...shared,
      target: 'chrome130',
      entryPoints: { review: 'src/webview/review/review.css', card: 'src/webview/card/card.css' },
    },
  };
}

/** Files that are copied and read at run time. */
const copies = [
  ['studio-plugin/src', 'luau/plugin'],
  ['src/headless-studio/luau', 'luau/headless'],
  ['src/game-tests/luau', 'luau/tests'],
  ['src/roblox/instances/reflection.generated.json', 'reflection.json'],
];

/** @type {(outdir: string) => Promise<void>} */
async function copyAll(outdir) {
  for (const [from, to] of copies) {
    await mkdir(dirname(join(outdir, to)), { recursive: true });
    await cp(join(root, from), join(outdir, to), { recursive: true });
  }
  await writeFile(join(outdir, 'AtlasBridge.rbxmx'), await buildStudioPlugin());
}

/** Entries that import their parts one by one before they export anything. */
const piecewise = new Set(['extension.js']);

/**
 * The names of the files of `outdir` that are loaded before `file` can start, including itself.
 * @type {(metafiles: Metafiles, file: string) => readonly string[]}
 */
export function loadedAtStart(metafiles, file) {
  const outputs = new Map(
    Object.values(metafiles).flatMap(metafile =>
      Object.entries(metafile?.outputs ?? {}).map(([path, output]) => [basename(path), output]),
    ),
  );
  const loaded = new Set([file]);
  for (const name of loaded)
    for (const { path, kind } of outputs.get(name)?.imports ?? [])
      if (outputs.has(basename(path)) && (kind === 'import-statement' || piecewise.has(name)))
        loaded.add(basename(path));
  return [...loaded];
}

/**
 * The files that `file` imports and that are not in `loaded`, each after those that it imports itself; `file` is the last one. Adds them to
 * `loaded`.
 * @type {(outputs: ReadonlyMap<string, import('esbuild').Metafile['outputs'][string]>, file: string, loaded: Set<string>) => readonly string[]}
 */
function importOrder(outputs, file, loaded) {
  if (loaded.has(file) || !outputs.has(file)) return [];
  loaded.add(file);
  const needed = (outputs.get(file)?.imports ?? []).filter(({ kind }) => kind === 'import-statement');
  return [...needed.flatMap(({ path }) => importOrder(outputs, basename(path), loaded)), file];
}

/**
 * Lets the extension import one file at a time: an import of a module imports its files one after another, without a turn of the event loop
 * for other extensions.
 * @type {(outdir: string, metafile: Metafiles[string]) => Promise<void>}
 */
async function importFileByFile(outdir, metafile) {
  const outputs = new Map(Object.entries(metafile?.outputs ?? {}).map(([path, output]) => [basename(path), output]));
  const loaded = new Set(/** @type {string[]} */ ([]));
  importOrder(outputs, 'extension.js', loaded);
  const path = join(outdir, 'extension.js');
  const text = await readFile(path, 'utf8');
  const single = text.replaceAll(/\(\)\s*=>\s*import\("\.\/([^"]+\.js)"\)/g, (piece, file) => {
    const files = importOrder(outputs, file, loaded);
    return files.length === 0 ? piece : files.map(name => `()=>import("./${name}")`).join(',');
  });
  if (single === text) throw new Error('extension.js has no imports of pieces as the build expects them');
  await writeFile(path, single);
  for (const file of loaded)
    if (isOnlyImportedBy(outputs, file, 'extension.js')) await removeLoaded(join(outdir, file), loaded);
}

/** @type {(outputs: ReadonlyMap<string, import('esbuild').Metafile['outputs'][string]>, file: string, importer: string) => boolean} */
const isOnlyImportedBy = (outputs, file, importer) =>
  file !== importer &&
  [...outputs].every(
    ([name, { imports }]) => name === importer || imports.every(({ path }) => basename(path) !== file),
  );

/**
 * Removes the imports without names of files that are loaded by then. esbuild imports every file that a piece depends on, so that they run
 * in order, and finding 120 files again takes 10 ms. Spaces keep the columns of source maps.
 * @type {(path: string, loaded: ReadonlySet<string>) => Promise<void>}
 */
async function removeLoaded(path, loaded) {
  const text = await readFile(path, 'utf8');
  const without = text.replaceAll(/\bimport\s*"\.\/([^"]+\.js)";/g, (statement, file) =>
    loaded.has(file) ? ' '.repeat(statement.length) : statement,
  );
  await writeFile(path, without);
}

/**
 * Bytes of `file` and of the files that it loads at start.
 * @type {(outdir: string, metafiles: Metafiles, file: string) => Promise<number>}
 */
export async function startSize(outdir, metafiles, file) {
  const sizes = loadedAtStart(metafiles, file).map(async name => (await stat(join(outdir, name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/**
 * Builds the chat card as one file, because the client that shows it loads nothing else.
 * @type {(script: string, style: string) => string}
 */
export function cardPage(script, style) {
  const inline = (/** @type {string} */ text) =>
    text.replace(/\n?(?:\/\/|\/\*)# sourceMappingURL=\S+(?: \*\/)?\s*$/, '').replaceAll('</', String.raw`<\/`);
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Atlas Bridge</title><style>${inline(style)}</style><body></body><script type="module">${inline(script)}</script></html>`;
}

/** @type {(outdir: string) => Promise<void>} */
async function writeCard(outdir) {
  const parts = ['card.js', 'card.css'].map(name => join(outdir, name));
  const [script = '', style = ''] = await Promise.all(parts.map(part => readFile(part, 'utf8')));
  await writeFile(join(outdir, 'card.html'), cardPage(script, style));
  await Promise.all(parts.flatMap(part => [rm(part), rm(`${part}.map`, { force: true })]));
}

/** @type {(outdir: string) => Promise<void>} */
async function writeToolSchemas(outdir) {
  // Loads the tools, which other users of this file do not need.
  const { renderToolSchemas } = await import('./scripts/tool-schemas.ts');
  await writeFile(join(outdir, TOOL_SCHEMAS), renderToolSchemas());
}

/** @type {(outdir: string, metafiles: Metafiles) => Promise<void>} */
async function checkBudgets(outdir, metafiles) {
  const over = [];
  for (const [file, most] of Object.entries(budgets)) {
    const size = await startSize(outdir, metafiles, file);
    console.log(`${file.padEnd(16)} ${(size / 1e3).toFixed(0).padStart(6)} kB of ${(most / 1e3).toFixed(0)} kB`);
    if (size > most) over.push(`${file} has ${size} bytes, its budget is ${most}`);
  }
  if (over.length > 0) throw new Error(over.join('\n'));
}

/**
 * Builds everything into `outdir`, which is emptied first. Resolves with the metafile of each bundle.
 * @type {(release: boolean, outdir?: string) => Promise<Metafiles>}
 */
export async function buildAll(release, outdir = join(root, 'dist')) {
  await rm(outdir, { recursive: true, force: true });
  await copyAll(outdir);
  const bundles = Object.entries(buildOptions(release)).map(async ([name, options]) => {
    const { metafile } = await build({ ...options, outdir });
    return [name, metafile];
  });
  const metafiles = Object.fromEntries(await Promise.all(bundles));
  await importFileByFile(outdir, metafiles.programs);
  const unneeded = Object.keys(dividers).flatMap(name => [`${name}.js`, `${name}.js.map`]);
  await Promise.all(unneeded.map(name => rm(join(outdir, name), { force: true })));
  await writeCard(outdir);
  if (release) await writeToolSchemas(outdir);
  await chmod(join(outdir, 'cli.js'), 0o755);
  const inputs = Object.values(metafiles).flatMap(metafile => Object.keys(metafile.inputs));
  const notices = renderNotices([...shippedPackages(root, inputs), ...shippedParts(root)]);
  await writeFile(join(outdir, 'third-party-notices.txt'), notices);
  if (release) await checkBudgets(outdir, metafiles);
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
