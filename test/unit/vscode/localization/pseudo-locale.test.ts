import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Translate } from '../../../../src/base/sentence.ts';
import { reviewStrings } from '../../../../src/review/review-strings.ts';
import { plutoReviewStrings } from '../../../../src/review/review-strings-pluto.ts';

/** A pseudo-language that marks every translated text. */
const t: Translate = text => `⟦${text}⟧`;
/** File extensions and the language code are not translated. */
const inNoLanguage = ['.pt', '.pluto', 'en'];

const leaves = (value: unknown): readonly string[] =>
  typeof value === 'string' ? [value] : Object.values(value as object).flatMap(leaves);

for (const strings of [reviewStrings, plutoReviewStrings])
  test(`translates every text of the review page: ${strings.name}`, () => {
    const texts = leaves(strings({ t }, 'en')).filter(text => !inNoLanguage.includes(text));
    assert.ok(texts.length > 100);
    assert.deepEqual(
      texts.filter(text => !/^⟦.*⟧$/.test(text)),
      [],
    );
  });
