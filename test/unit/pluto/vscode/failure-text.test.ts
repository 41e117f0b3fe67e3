import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureText } from '../../../../src/pluto/vscode/failure-text.ts';

test('shows the reason of a failed test without its line and what it printed', () => {
  assert.equal(failureText('FAIL (line 11): expected 2 to equal 3\n'), 'expected 2 to equal 3');
  assert.equal(failureText('hello\nFAIL (line 3): expected true but got false\n'), 'expected true but got false');
  assert.equal(
    failureText('FAIL (line 1): printed\nFAIL (line 2): expected "a\nb" to equal 1'),
    'expected "a\nb" to equal 1',
  );
  assert.equal(failureText('hello\nindex 3 is out of range\n'), 'hello\nindex 3 is out of range');
});
