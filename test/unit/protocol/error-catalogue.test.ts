import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatSentence } from '../../../src/base/sentence.ts';
import { forAgent, forPerson, toErrorBody } from '../../../src/protocol/error-body.ts';
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
