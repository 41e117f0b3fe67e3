import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { plainL10n } from '../../../scripts/review-page/plain-l10n.ts';
import { formatSentence } from '../../../src/base/sentence.ts';
import { defaultReasons, defaultRule, defaultRules } from '../../../src/protocol/default-reasons.ts';
import { SyncChange } from '../../../src/protocol/sync-result.ts';
import { reviewStrings } from '../../../src/review/review-strings.ts';

test('lists each rule with its suggestion in the table of the architecture', () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../../docs/architecture.md'), 'utf8');
  const rows = [...page.matchAll(/^\| .* \| (push|pull|merge|none) \| `(\w+)` \|$/gm)].map(([, suggestion, code]) => [
    code,
    suggestion,
  ]);
  const rules = defaultReasons
    .filter(code => code !== 'restored')
    .map(code => [code, defaultRule(code).selection ?? 'none']);
  // A rule with two conditions has two rows.
  assert.deepEqual(Object.fromEntries(rows), Object.fromEntries(rules));
});

test('shows the reason of each rule in the review and in answers', () => {
  assert.deepEqual(SyncChange.shape.defaultReason.options, defaultReasons);
  const { reasons } = reviewStrings(plainL10n, 'en');
  for (const code of defaultReasons) assert.equal(reasons[code], formatSentence(defaultRules[code].brief), code);
});
