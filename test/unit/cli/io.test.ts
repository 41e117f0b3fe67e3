import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCliOutput } from '../../../src/cli/io.ts';

/** A name that clears the terminal, reorders text and starts another line. */
const HOSTILE = 'a\u001B[2J\u202Eb\nc\td';

function written(print: (output: ReturnType<typeof createCliOutput>) => void, isColored = false) {
  const [out, err] = [[] as string[], [] as string[]];
  print(
    createCliOutput(
      text => out.push(text),
      text => err.push(text),
      () => isColored,
    ),
  );
  return { out: out.join(''), err: err.join('') };
}

test('escapes everything in a line for a person, and keeps it one line', () => {
  const line = 'a\\u001b[2J\\u202eb\\u000ac    d\n';
  const both = written(({ out, err }) => (out(HOSTILE), err(HOSTILE)));
  assert.deepEqual(both, { out: line, err: line });
});

test('escapes everything but line ends and tabs in data', () => {
  const data = 'a\\u001b[2J\\u202eb\nc\td\n';
  const both = written(({ out, err }) => (out(HOSTILE, 'data'), err(HOSTILE, 'data')));
  assert.deepEqual(both, { out: data, err: data });
});

test('prints the output of a program of the person as it is', () => {
  assert.equal(written(({ out }) => out(HOSTILE, 'program')).out, `${HOSTILE}\n`);
});

test('colors only the label of a line', () => {
  const { err } = written(({ err }) => err(`error: ${HOSTILE}`), true);
  assert.equal(err, '\u001B[1;31merror:\u001B[0m a\\u001b[2J\\u202eb\\u000ac    d\n');
});
