import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { packExtension } from '../../../scripts/vscode/pack-extension.ts';
import { pageProblems, placeholderFields, type ReleaseManifest } from '../../../scripts/vscode/release-fields.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

const root = resolve(fileURLToPath(import.meta.url), '../../../..');
/** The configuration is plain JavaScript, so its types are declared here. */
const { buildAll } = (await import(new URL('../../../esbuild.config.mjs', import.meta.url).href)) as {
  readonly buildAll: (release: boolean, outdir: string) => Promise<unknown>;
};

test('two builds of the extension are the same, byte for byte', async () => {
  await using folder = await tempFolder({});
  const packages: Buffer[] = [];
  for (const name of ['first', 'second']) {
    const dist = join(folder.path, name, 'dist');
    await buildAll(true, dist);
    packages.push(await readFile(await packExtension(folder.path, `${name}.vsix`, dist)));
  }
  const [first, second] = packages;
  assert.ok(first !== undefined && second !== undefined && first.length > 1e6);
  assert.ok(first.equals(second), `${first.length} and ${second.length} bytes`);
});

test('a release demands the links that the pages of the extension show', async () => {
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as ReleaseManifest;
  assert.deepEqual(placeholderFields(manifest), ['repository', 'bugs', 'homepage', 'sponsor']);
  const url = 'https://example.com/atlas-bridge';
  assert.deepEqual(placeholderFields({ repository: { url }, bugs: { url }, homepage: url, sponsor: { url } }), []);
  assert.deepEqual(placeholderFields({ repository: { url: 'http://example.com' }, bugs: { url } }), [
    'repository',
    'homepage',
    'sponsor',
  ]);
});

test('a package demands everything that the pages of the extension show', async () => {
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as ReleaseManifest;
  const icon = await readFile(join(root, 'media/icon.png'));
  assert.deepEqual(
    pageProblems(manifest, file => (file === 'media/icon.png' ? icon : undefined)),
    [],
  );
  assert.deepEqual(
    pageProblems({ ...manifest, galleryBanner: { color: 'blue' }, categories: ['Testing', 'Roblox'] }, () =>
      icon.subarray(0, 20),
    ),
    ['icon', 'galleryBanner', 'categories'],
  );
  const all = ['displayName', 'icon', 'galleryBanner', 'categories', 'keywords', 'extensionKind', 'license'];
  assert.deepEqual(
    pageProblems({}, () => undefined),
    all,
  );
});
