import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { unpairedCounts } from '../../../scripts/l10n/unpaired-counts.ts';

const root = resolve(fileURLToPath(import.meta.url), '../../../..');

/** The language reference gives the last line of a test run, also for one test. */
const isReferenceLine = (found: string): boolean =>
  /^src\/pluto\/cli\/programs\.ts:\d+: \{0\} tests passed$/.test(found);

test('every text with a count and a noun has a singular', () => {
  // The programs of the Pluto corpus compare the findings of the checker word for word.
  const files = globSync('src/**/*.{ts,tsx}', { cwd: root, exclude: ['src/pluto/language/check/**'] }).toSorted();
  const found = files.flatMap(path =>
    unpairedCounts(path, readFileSync(resolve(root, path), 'utf8')).map(at => `${path}:${at}`),
  );
  assert.deepEqual(
    found.filter(text => !isReferenceLine(text)),
    [],
  );
});

/** The language reference gives these words, and the programs of the Pluto corpus compare them. */
const referenceWords = /\b(?:argument|parameter|schedule)\(s\)/g;

test('no text leaves the plural to the reader, as in "file(s)"', () => {
  const found = globSync('src/**/*.{ts,tsx}', { cwd: root }).flatMap(path =>
    Array.from(
      readFileSync(resolve(root, path), 'utf8')
        .replaceAll(path.startsWith('src/pluto/') ? referenceWords : /$^/g, '')
        .matchAll(/['"`][^'"`\n]*[a-z]\((?:s|es)\)[ .,:'"`]/g),
      ([text]) => `${path}: ${text}`,
    ),
  );
  assert.deepEqual(found, []);
});

test('finds a count without a singular', () => {
  for (const planted of [
    "show(t('{0} files', count));",
    "show(t('Write {0} files and remove {1}?', a, b));",
    "show(count === 1 ? t('1 change') : t('{0} changes', count));",
    'const a = say`Wrote ${files.length} files.`;',
    'const a = `${fileCount} changed files`;',
    "const words = { many: t('{0} open changes', '{0}') };",
    'const a = `With ${row.subtree.count - 1} descendants.`;',
    'const a = `${answer.passed} tests passed`;',
    'const a = say`There are ${rest} more warnings.`;',
    "show(t('{0} more are not listed.', count));",
  ])
    assert.equal(unpairedCounts('planted.ts', planted).length, 1, planted);
});

test('accepts a count that uses plural, and a number without a plural noun', () => {
  for (const good of [
    "show(plural(count, t('1 file'), t('{0} files', count)));",
    "const words = { filesOne: t('1 file'), filesMany: t('{0} files', '{0}') };",
    "show(t('{0} is connected.', name), t('{0} of {1} shown', a, b), t('{0} ms', took));",
    'const a = say`Wrote ${done} of ${total} files.`;',
    'const a = `${name} lines`;',
    "show(t('{0} runs plugin {1}.', name, version));",
  ])
    assert.deepEqual(unpairedCounts('good.ts', good), [], good);
});
