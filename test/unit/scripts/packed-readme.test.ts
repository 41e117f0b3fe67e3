import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { packedReadme, repositorySections } from '../../../scripts/vscode/packed-readme.ts';

const root = resolve(fileURLToPath(import.meta.url), '../../../..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

test('replaces links to files by their text, removes local images, and keeps web links', () => {
  assert.equal(
    packedReadme(
      '![a picture](media/a.png)\n\nRead [a guide](docs/a.md), [the web](https://example.org), [below](#below)',
    ),
    'Read a guide, [the web](https://example.org), [below](#below)',
  );
});

test('the shipped README has no broken links and no sections about the repository', () => {
  for (const title of repositorySections) assert.ok(readme.includes(`\n## ${title}\n`), title);
  const packed = packedReadme(readme);
  assert.doesNotMatch(packed, /\]\((?!https:|#)/);
  for (const title of repositorySections) assert.ok(!packed.includes(`## ${title}`), title);
  for (const title of ['What you get', 'How agents connect', 'Licence']) assert.ok(packed.includes(`## ${title}`));
});
