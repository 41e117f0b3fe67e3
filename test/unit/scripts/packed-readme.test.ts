import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { packedReadme, picturesAddress, repositorySections } from '../../../scripts/vscode/packed-readme.ts';

const root = resolve(fileURLToPath(import.meta.url), '../../../..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

test('replaces links to files by their text, and keeps web links and pictures', () => {
  const markdown =
    '![a picture](media/a.png)\n\nRead [a guide](docs/a.md), [the web](https://example.org), [below](#below)';
  const texts = '\n\nRead a guide, [the web](https://example.org), [below](#below)';
  assert.equal(packedReadme(markdown), `![a picture](media/a.png)${texts}`);
  assert.equal(packedReadme(markdown, 'https://x.test/'), `![a picture](https://x.test/media/a.png)${texts}`);
});

test('finds the address of the pictures of a published version', () => {
  const address = 'https://github.com/atlas/bridge/raw/v1.2.0/';
  for (const url of ['https://github.com/atlas/bridge', 'git+https://github.com/atlas/bridge.git'])
    assert.equal(picturesAddress(url, '1.2.0'), address);
  for (const url of [undefined, 'https://repository.invalid/atlas', 'https://github.com/atlas'])
    assert.equal(picturesAddress(url, '1.2.0'), undefined);
});

test('the pictures of the shipped README are in the package', () => {
  const ignored = readFileSync(join(root, '.vscodeignore'), 'utf8').split('\n');
  assert.ok(ignored.includes('!media/**') && !ignored.some(line => line.startsWith('media/')));
  const pictures = Array.from(packedReadme(readme).matchAll(/!\[([^\]]+)\]\(([^)]+)\)/g));
  assert.ok(pictures.length > 0);
  for (const [, , path = ''] of pictures) {
    assert.match(path, /^media\/readme\/[\w-]+\.png$/);
    assert.equal(readFileSync(join(root, path)).toString('latin1', 1, 4), 'PNG', path);
  }
});

test('the shipped README has no broken links and no sections about the repository', () => {
  for (const title of repositorySections) assert.ok(readme.includes(`\n## ${title}\n`), title);
  const packed = packedReadme(readme);
  assert.doesNotMatch(packed, /(?<!!)\[[^\][]*\]\((?!https:|#)/);
  for (const title of repositorySections) assert.ok(!packed.includes(`## ${title}`), title);
  for (const title of ['What you get', 'How agents connect', 'License']) assert.ok(packed.includes(`## ${title}`));
});
