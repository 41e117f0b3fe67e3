import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readCursor, writeCursor } from '../../../../src/docs/scope/cursor.ts';
import { MAX_CURSOR_LENGTH } from '../../../../src/protocol/limits.ts';
import { PageQuery } from '../../../../src/protocol/sync-page.ts';

test('reads the position that it wrote, and refuses the cursor of another request', () => {
  fc.assert(
    fc.property(
      fc.record({ root: fc.string(), path: fc.string(), line: fc.nat() }, { noNullPrototype: true }),
      fc.dictionary(fc.string(), fc.string()),
      (position, asked) => {
        const cursor = writeCursor(asked, position);
        assert.deepEqual(readCursor(asked, cursor), position);
        assert.throws(() => readCursor({ ...asked, '': Object.keys(asked) }, cursor), { code: 'CURSOR_STALE' });
      },
    ),
  );
});

test('refuses a cursor above the limit without decoding it', () => {
  const position = { root: 'docs', path: 'x'.repeat(MAX_CURSOR_LENGTH), line: 1 };
  assert.throws(() => readCursor({}, writeCursor({}, position)), { code: 'CURSOR_STALE' });
  assert.ok(PageQuery.safeParse({ cursor: 'x'.repeat(MAX_CURSOR_LENGTH) }).success);
  assert.ok(!PageQuery.safeParse({ cursor: 'x'.repeat(MAX_CURSOR_LENGTH + 1) }).success);
});
