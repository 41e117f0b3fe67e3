import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtempDisposable, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../set-up/run.ts';
import { shippedPackages, shippedParts } from '../third-party-notices.ts';
import { renderSbom } from './render-sbom.ts';

const root = resolve(fileURLToPath(import.meta.url), '../../..');

interface Output {
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly imports: readonly { readonly path: string }[];
}
/** The report of esbuild about each bundle. */
export type Metafiles = Readonly<Record<string, { readonly outputs: Readonly<Record<string, Output>> } | undefined>>;

/** The programs of the command line; the threads of the editor do not ship. */
const entries = [
  'cli.js',
  'headless-worker.js',
  'game-test-worker.js',
  'merge-worker.js',
  'git-worker.js',
  'process-worker.js',
  'pluto-program-worker.js',
  'pluto-program-thread.cjs',
  'pluto-run.cjs',
  'pluto-standalone.js',
];
/** The files that the programs read at run time. */
const data = [
  'luau',
  'reflection.json',
  'tool-schemas.jsonl',
  'AtlasBridge.rbxmx',
  'card.html',
  'third-party-notices.txt',
];

/** Largest allowed size of the package. */
const MAX_TARBALL_BYTES = 4e6;

export interface NpmPackage {
  /** Absolute paths of the package, its bill of materials (CycloneDX) and the checksums of both. */
  readonly tarball: string;
  readonly sbom: string;
  readonly checksums: string;
}

/**
 * Packs the command line from a release build, the same bytes each time.
 *
 * @param dist folder of the build
 * @param outDir is created; existing files are replaced
 * @throws Error if the package is too large or contains code of the editor
 */
export async function packForNpm(dist: string, metafiles: Metafiles, outDir: string): Promise<NpmPackage> {
  await using staged = await mkdtempDisposable(join(tmpdir(), 'atlas-npm-'));
  const { files, inputs } = reachable(metafiles);
  const foreign = inputs.filter(input => /^src\/(?:.*\/)?(?:vscode|webview|extension)\//.test(input));
  if (foreign.length > 0) throw new Error(`the command line contains code of the editor: ${foreign.join(', ')}`);
  await mkdir(join(staged.path, 'dist'));
  for (const name of [...files, ...data])
    await cp(join(dist, name), join(staged.path, 'dist', name), { recursive: true });
  const pages = (await readdir(join(root, 'docs'))).filter(name => name.endsWith('.md'));
  for (const name of ['LICENSE', 'CHANGELOG.md', ...pages.map(page => join('docs', page))])
    await cp(join(root, name), join(staged.path, name));
  await cp(join(root, 'scripts/npm/README.md'), join(staged.path, 'README.md'));
  const manifest = await npmManifest();
  await writeFile(join(staged.path, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await mkdir(outDir, { recursive: true });
  const name = `${manifest.name}-${manifest.version}`;
  await run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', staged.path], {
    cwd: staged.path,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const tarball = join(outDir, `${name}.tgz`);
  await cp(join(staged.path, `${name}.tgz`), tarball);
  const { size } = await stat(tarball);
  if (size > MAX_TARBALL_BYTES) throw new Error(`${tarball} has ${size} bytes (at most ${MAX_TARBALL_BYTES})`);
  const sbom = join(outDir, `${name}.cdx.json`);
  await writeFile(sbom, renderSbom(manifest, [...shippedPackages(root, inputs), ...shippedParts(root)]));
  const checksums = join(outDir, 'SHA256SUMS');
  const lines = await Promise.all([tarball, sbom].map(async file => `${await sha256(file)}  ${basename(file)}\n`));
  await writeFile(`${checksums}.tmp`, lines.join(''));
  await rename(`${checksums}.tmp`, checksums);
  return { tarball, sbom, checksums };
}

const sha256 = async (file: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(file))
    .digest('hex');

/** The files that the programs load at any time, and the sources in them. */
function reachable(metafiles: Metafiles): { readonly files: readonly string[]; readonly inputs: readonly string[] } {
  const outputs = new Map(
    Object.values(metafiles).flatMap(metafile =>
      Object.entries(metafile?.outputs ?? {}).map(([path, output]) => [basename(path), output] as const),
    ),
  );
  const files = new Set(entries);
  for (const name of files)
    for (const { path } of outputs.get(name)?.imports ?? []) if (outputs.has(basename(path))) files.add(basename(path));
  const inputs = [...files].flatMap(name => Object.keys(outputs.get(name)?.inputs ?? {}));
  return { files: [...files], inputs };
}

/** The manifest of the package, from that of the extension. */
async function npmManifest() {
  const text = await readFile(join(root, 'package.json'), 'utf8');
  const { name, version, license, keywords, engines } = JSON.parse(text) as {
    readonly name: string;
    readonly version: string;
    readonly license: string;
    readonly keywords: readonly string[];
    readonly engines: { readonly node: string };
  };
  return {
    name,
    version,
    description: 'Syncs a Roblox repository with Roblox Studio: the command line of Atlas Bridge',
    keywords,
    license,
    type: 'module',
    bin: { [name]: './dist/cli.js' },
    files: ['dist', 'docs', 'CHANGELOG.md'],
    engines: { node: engines.node },
  };
}
