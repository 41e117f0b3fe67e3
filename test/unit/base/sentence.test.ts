import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatSentence, say, type Translate } from '../../../src/base/sentence.ts';

test('formats a sentence in English with any values', () => {
  assert.equal(
    formatSentence(say`There is no ${'{1}'} in ${'src/$&'}, ${3} times.`),
    'There is no {1} in src/$&, 3 times.',
  );
  assert.equal(formatSentence(say`Nothing.`), 'Nothing.');
  assert.equal(formatSentence(say`Use {a,b} in ${'x'}.`), 'Use {a,b} in x.');
});

test('translates by the template, including nested sentences but not names', () => {
  const translations: Readonly<Record<string, string>> = {
    'There is no {0} in {1}.': '{1} lacks {0}.',
    'root {0}': 'ROOT {0}',
    none: 'NONE',
    'There are: {0}': 'LIST: {0}',
  };
  const translate: Translate = (template, ...values) =>
    formatSentence({ template: translations[template] ?? template, values });
  assert.equal(
    formatSentence(say`There is no ${'none'} in ${say`root ${'docs'}`}.`, translate),
    'ROOT docs lacks none.',
  );
  assert.equal(formatSentence(say`There are: ${[say`none`, say`root ${'a'}`]}`, translate), 'LIST: NONE, ROOT a');
});
