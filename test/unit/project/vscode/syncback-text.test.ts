import assert from 'node:assert/strict';
import { test } from 'node:test';
import { syncbackText } from '../../../../src/project/vscode/syncback-text.ts';
import type { Localize } from '../../../../src/vscode/localization/localize.ts';

const l10n: Localize = {
  t: (message, ...values) => message.replaceAll(/\{(\d)\}/g, (_, index: string) => String(values[Number(index)])),
};

test('names only what a syncback did', () => {
  const text = (written: number, removed: number, refused = 0): string =>
    syncbackText({ written, removed, refused }, l10n);
  assert.equal(text(0, 0), 'The project is already up to date.');
  assert.equal(text(1, 0), 'Wrote 1 file.');
  assert.equal(text(0, 2), 'Deleted 2 files.');
  assert.equal(text(3, 1), 'Wrote 3 files and deleted 1 file.');
  assert.equal(text(3, 1, 1), 'Wrote 3 files and deleted 1 file. 1 instance could not be written.');
  assert.equal(text(0, 0, 2), '2 instances could not be written.');
});
