import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Translate } from '../../../../src/base/sentence.ts';
import { reviewStrings } from '../../../../src/review/vscode/review-strings.ts';
import { plutoReviewStrings } from '../../../../src/review/vscode/review-strings-pluto.ts';

/** A language in which every word can be told from one that was not translated. */
const t: Translate = text => `⟦${text}⟧`;
/** Names of files and the language itself are in no language. */
const inNoLanguage = ['.pt', '.pluto', 'en'];

const leaves = (value: unknown): readonly string[] =>
  typeof value === 'string' ? [value] : Object.values(value as object).flatMap(leaves);

for (const strings of [reviewStrings, plutoReviewStrings])
  test(`every word of the review page is translated: ${strings.name}`, () => {
    const texts = leaves(strings({ t }, 'en')).filter(text => !inNoLanguage.includes(text));
    assert.ok(texts.length > 100);
    assert.deepEqual(
      texts.filter(text => !/^⟦.*⟧$/.test(text)),
      [],
    );
  });
