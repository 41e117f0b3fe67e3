import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inWords, phrase, say, type Translate } from '../../../src/base/sentence.ts';

test('a sentence is said in English with its values, whatever these look like', () => {
  assert.equal(inWords(say`There is no ${'{1}'} in ${'src/$&'}, ${3} times.`), 'There is no {1} in src/$&, 3 times.');
  assert.equal(inWords(say`Nothing.`), 'Nothing.');
  assert.equal(inWords(say`Use {a,b} in ${'x'}.`), 'Use {a,b} in x.');
});

test('a translation is found by the template; sentences inside are translated too, names are not', () => {
  const german: Readonly<Record<string, string>> = {
    'There is no {0} in {1}.': 'In {1} gibt es {0} nicht.',
    'root {0}': 'Wurzel {0}',
    none: 'keine',
    'There are: {0}': 'Es gibt: {0}',
  };
  const translate: Translate = (template, ...values) => inWords({ template: german[template] ?? template, values });
  assert.equal(
    inWords(say`There is no ${'none'} in ${say`root ${'docs'}`}.`, translate),
    'In Wurzel docs gibt es none nicht.',
  );
  assert.equal(inWords(say`There are: ${[say`none`, say`root ${'a'}`]}`, translate), 'Es gibt: keine, Wurzel a');
});

test('a sentence that ends with the words of others has one full stop, its own; names keep theirs', () => {
  assert.equal(inWords(say`It failed: ${'the disk is full.'}.`), 'It failed: the disk is full.');
  assert.equal(inWords(say`It failed: ${say`no ${'space.'}`}. ${'Look there.'}`), 'It failed: no space. Look there.');
  assert.equal(phrase`it failed: ${'the disk is full.'}.`, 'it failed: the disk is full.');
  assert.equal(inWords(say`There is nothing in ${'..'}.`), 'There is nothing in ...');
  assert.equal(inWords(say`${'a.'}b`), 'a.b');
});
