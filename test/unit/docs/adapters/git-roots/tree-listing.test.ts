import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TreeListing } from '../../../../../src/docs/adapters/git-roots/tree-listing.ts';

const entry = (path: string, mode = '100644', size = '7'): string => `${mode} blob 0123456789 ${size}\t${path}\0`;

test('counts files, links and submodules in pieces of any size', () => {
  const bytes = Buffer.from(entry('a/b.md') + entry('link', '120000') + entry('sub', '160000', '-'));
  for (const size of [1, 7, bytes.length]) {
    const listing = new TreeListing('kept');
    for (let at = 0; at < bytes.length; at += size) listing.push(bytes.subarray(at, at + size));
    assert.deepEqual([listing.bytes, listing.links, listing.submodules], [14, 1, 1], `${size}`);
  }
});

test('refuses paths that lead out of the tree or into Git data on some system', () => {
  const unsafe = [
    '../a',
    'a/../../b',
    '/a',
    'a//b',
    './a',
    '.git/config',
    'a/.GIT/hooks/x',
    'git~1/x',
    '.git. /x',
    'a\\b',
  ];
  for (const path of unsafe)
    assert.throws(() => new TreeListing('kept').push(Buffer.from(entry(path))), { code: 'TREE_UNSAFE' }, path);
  new TreeListing('kept').push(Buffer.from(entry('.gitignore') + entry('a/..b/.github/x~1')));
});

test('refuses a path that never ends before it is in memory', () => {
  const listing = new TreeListing('kept');
  const piece = Buffer.alloc(64 * 1024, 'a');
  let taken = 0;
  assert.throws(
    () => {
      for (; taken < 20; taken += 1) listing.push(piece);
    },
    { code: 'TREE_UNSAFE', message: /path that is too long/ },
  );
  assert.ok(taken <= 16, `${taken}`);
});
