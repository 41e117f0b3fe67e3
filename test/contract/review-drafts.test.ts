import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createJsonReviewDrafts } from '../../src/adapters/node/json-review-drafts.ts';
import type { ReviewDrafts } from '../../src/ports/review-drafts.ts';
import type { SavedDecision } from '../../src/protocol/review.ts';
import { memoryReviewDrafts } from '../harness/memory-review-drafts.ts';

const push = { choice: 'push' } as const;
const pull = { choice: 'pull' } as const;
const skip = { choice: 'skip' } as const;

function temporary(): { readonly folder: string } & Disposable {
  const folder = mkdtempSync(join(tmpdir(), 'atlas-drafts-'));
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

function contract(name: string, open: (folder: string) => ReviewDrafts): void {
  test(`${name}: loads the latest choices of each place`, async () => {
    using at = temporary();
    const drafts = open(at.folder);
    assert.deepEqual([...(await drafts.load('a'))], []);
    await drafts.save('a', new Map([['one', push]]));
    await drafts.save('a', new Map([['two', skip]]));
    await drafts.save('b', new Map([['one', pull]]));
    assert.deepEqual([...(await drafts.load('a'))], [['two', skip]]);
    assert.deepEqual([...(await drafts.load('b'))], [['one', pull]]);
  });

  test(`${name}: keeps a merged text and the decisions of hunks`, async () => {
    using at = temporary();
    const drafts = open(at.folder);
    const text = { choice: 'merge', merge: { text: 'both\n', hunks: ['push', 'pull'] } } as const;
    const part = { choice: null, merge: { text: null, hunks: [null, 'pull'] } } as const;
    await drafts.save(
      'a',
      new Map<string, SavedDecision>([
        ['one', text],
        ['two', part],
      ]),
    );
    assert.deepEqual(Object.fromEntries(await drafts.load('a')), { one: text, two: part });
  });

  test(`${name}: removes the place when no choices are saved`, async () => {
    using at = temporary();
    const drafts = open(at.folder);
    await drafts.save('a', new Map([['one', push]]));
    await drafts.save('a', new Map());
    assert.deepEqual([...(await drafts.load('a'))], []);
  });
}

contract('in memory', memoryReviewDrafts);
contract('as files', createJsonReviewDrafts);

test('keeps choices for the next process, and ignores a damaged file', async () => {
  using at = temporary();
  await createJsonReviewDrafts(at.folder).save('a', new Map([['one', push]]));
  assert.deepEqual([...(await createJsonReviewDrafts(at.folder).load('a'))], [['one', push]]);
  const [name = ''] = readdirSync(at.folder);
  // Versions that saved choices alone wrote this form.
  writeFileSync(join(at.folder, name), '{"one":"push","two":"delete everything"}');
  assert.deepEqual([...(await createJsonReviewDrafts(at.folder).load('a'))], [['one', push]]);
  writeFileSync(join(at.folder, name), '{"one":');
  assert.deepEqual([...(await createJsonReviewDrafts(at.folder).load('a'))], []);
});

test('rejects when the file of a place exists but cannot be read', async () => {
  using at = temporary();
  const drafts = createJsonReviewDrafts(at.folder);
  await drafts.save('a', new Map([['one', push]]));
  const file = join(at.folder, String(readdirSync(at.folder)[0]));
  rmSync(file);
  symlinkSync(file, file);
  await assert.rejects(drafts.load('a'), { code: 'ELOOP' });
});
