import assert from 'node:assert/strict';
import { test } from 'node:test';
import { syncbackQuestion, syncbackText } from '../../../../src/project/vscode/syncback-text.ts';
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

test('asks with the verb of what the button does', () => {
  const asked = (write: number, remove: number): string => {
    const { question, verb } = syncbackQuestion(write, remove, l10n);
    return `${question} [${verb}]`;
  };
  assert.equal(asked(1, 0), 'Write 1 file? [Write File]');
  assert.equal(asked(2, 0), 'Write 2 files? [Write Files]');
  assert.equal(asked(0, 1), 'Delete 1 file? [Delete File]');
  assert.equal(asked(0, 2), 'Delete 2 files? [Delete Files]');
  assert.equal(asked(2, 1), 'Write 2 files and delete 1 file? [Write and Delete]');
});
