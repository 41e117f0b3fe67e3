import assert from 'node:assert/strict';
import { test } from 'node:test';
import { englishLocalize } from '../../../src/review/review-strings.ts';
import { plutoReviewStrings } from '../../../src/review/review-strings-pluto.ts';

test('says in which file a declaration was added or deleted, like its choice', () => {
  const { outcomesOfKind, effects } = plutoReviewStrings(englishLocalize, 'en');
  for (const kind of ['Add', 'Remove'] as const) {
    const { applied, written } = outcomesOfKind[kind] ?? {};
    assert.deepEqual(
      [applied, written],
      [effects[kind].push, effects[kind].pull].map(effect =>
        effect.replace('Add it', 'Added').replace('Delete it', 'Deleted').replace(/\.$/, ''),
      ),
    );
  }
});
