import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { stdTexts, stdTextsFile } from '../../../scripts/generate-std.ts';

test('keeps the embedded standard library equal to its Pluto sources', () => {
  assert.equal(readFileSync(stdTextsFile, 'utf8'), stdTexts());
});
