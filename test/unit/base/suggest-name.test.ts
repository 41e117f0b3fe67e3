import assert from 'node:assert/strict';
import { test } from 'node:test';
import { suggestName } from '../../../src/base/suggest-name.ts';

const names = ['build', 'serve', 'sourcemap', 'man', '--output'];

test('suggests the most similar name, and none that is not similar', () => {
  for (const [typed, wanted] of [
    ['bulid', 'build'],
    ['BUILD', 'build'],
    ['buil', 'build'],
    ['sorcemap', 'sourcemap'],
    ['mna', 'man'],
    ['--ouptut', '--output'],
  ])
    assert.equal(suggestName(typed ?? '', names), ` (did you mean '${wanted ?? ''}'?)`, typed);
  for (const typed of ['', 'deploy', 'x', 'a'.repeat(100_000)]) assert.equal(suggestName(typed, names), '');
});
