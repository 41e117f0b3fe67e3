import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../../src/base/errors.ts';
import { formatSentence } from '../../../src/base/sentence.ts';
import { forAgent, forPerson, toErrorBody } from '../../../src/protocol/error-body.ts';

test('ends the first sentence once before the next step, whatever its last value ends with', () => {
  for (const reason of ['the place is read-only', 'Studio said: "no."', 'really?']) {
    const failure = toErrorBody(new AppError('STUDIO_FAILED', { reason }));
    const first = `Studio reported a failure: ${reason}${/[a-z]$/.test(reason) ? '.' : ''}`;
    assert.equal(formatSentence(forAgent(failure)), `${first} Check the Output window of Studio, then call again.`);
    assert.equal(formatSentence(forPerson(failure)), `${first} Check the Output window of Studio, then try again.`);
  }
});

test('does not say that a command used the last valid state of a project', () => {
  const broken = { file: 'a.json', line: 2, column: 1, expected: 'a value' };
  assert.equal(
    formatSentence(forPerson(toErrorBody(new AppError('PROJECT_INVALID', broken)))),
    'a.json:2:1: expected a value. Fix the error at that position.',
  );
});
