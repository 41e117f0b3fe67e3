import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseStatus, recordsOf } from '../../../../src/adapters/git/parse-status.ts';

const name = fc.string({ minLength: 1 }).map(text => text.replaceAll('\0', 'x'));

test('divides output into its records', () => {
  fc.assert(
    fc.property(fc.array(name), names => {
      assert.deepEqual(Array.from(recordsOf(names.map(one => `${one}\0`).join(''))), names);
    }),
  );
});

test('reads the records of a status one by one', () => {
  const output = Array.from({ length: 1_000 }, (_, at) => `? file ${at}\0`).join('');
  const entries = parseStatus(output);
  assert.deepEqual(entries.next().value, { kind: 'untracked', path: 'file 0' });
  assert.equal(Array.from(entries).length, 999);
});
