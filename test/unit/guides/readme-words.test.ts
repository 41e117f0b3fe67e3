import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { packedReadme } from '../../../scripts/vscode/packed-readme.ts';

const readme = packedReadme(readFileSync(new URL('../../../README.md', import.meta.url), 'utf8'));

test('explains each word of the product in one line of the README that ships', () => {
  const words = /^## Words\n(.*?)^## /ms.exec(readme)?.[1] ?? '';
  for (const word of ['Bridge', 'Push', 'Pull', 'Base', 'Headless Studio'])
    assert.match(words, new RegExp(`^\\| \\*\\*${word}\\*\\* \\| [^|]{10,120}\\. \\|$`, 'm'), word);
});

test('introduces Pluto in one line of the README that ships', () => {
  assert.equal(readme.split('\n').filter(line => /\bpluto\b/i.test(line)).length, 1);
});
