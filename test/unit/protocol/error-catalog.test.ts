import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reviewRefused } from '../../../src/base/errors.ts';
import { formatSentence } from '../../../src/base/sentence.ts';
import { forAgent, forPerson, toErrorBody } from '../../../src/protocol/error-body.ts';
import type { ErrorBody } from '../../../src/protocol/sync-result.ts';
import { anyFailure, errorCodes } from '../../harness/any-failure.ts';

test('formats each failure with one full stop, whether or not its last value has one', () => {
  for (const code of errorCodes) {
    for (const words of ['something happened', 'something happened.']) {
      const failure = toErrorBody(anyFailure(code, words));
      assert.doesNotMatch(failure.message, /\.\.(?:\s|$)/, `${code}: ${failure.message}`);
      for (const sentence of [formatSentence(forAgent(failure)), formatSentence(forPerson(failure))]) {
        assert.doesNotMatch(sentence, /\.\.(?:\s|$)/, `${code}: ${sentence}`);
        assert.match(sentence, /\.$/, `${code}: ${sentence}`);
      }
    }
  }
});

test('translates why a review did not take a decision, also in an error of another version', () => {
  const translate = (template: string, ...values: readonly (string | number)[]): string =>
    `[${[template, ...values].join('|')}]`;
  const forReader = (error: Parameters<typeof forPerson>[0]): string => formatSentence(forPerson(error), translate);
  const received = JSON.parse(JSON.stringify(toErrorBody(reviewRefused('no_such_change', 'a1')))) as ErrorBody;
  assert.match(forReader(received), /\[this review has no change \{0\}\|a1\]/);
  assert.match(forReader({ ...received, details: { reason: 'an older text' } }), /\[an older text\]/);
  assert.match(forReader({ ...received, details: { reason: { code: 'of_tomorrow', args: [] } } }), /of_tomorrow/);
});

/** Errors of arguments that only agents pass. */
const ofAgents: ReadonlySet<string> = new Set([
  'LEGACY_INPUT',
  'FILE_NOT_FOUND',
  'NOT_A_REGULAR_FILE',
  'FILE_TOO_LARGE',
  'RANGE_INVALID',
  'DIR_NOT_FOUND',
  'CURSOR_STALE',
]);

test('names no tool and no call to a person in VS Code, and only variables that have no setting', () => {
  const found = errorCodes
    .filter(code => !ofAgents.has(code))
    .map(code => `${code}: ${formatSentence(forPerson(toErrorBody(anyFailure(code, 'x'))))}`)
    .map(sentence => sentence.replace(/WORKSPACE_DOCS_GIT_(?:TIMEOUT_MS|MAX_MB)/, 'the limit'))
    .filter(sentence => /: .*(?:[A-Z]{2,}_[A-Z<]|\b[a-z]+_[a-z]+\b|\b[Cc]all (?:again|[a-z]+_))/.test(sentence));
  assert.deepEqual(found, []);
});
