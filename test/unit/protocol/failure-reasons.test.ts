import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../../src/base/errors.ts';
import { failureReason, failureReasons } from '../../../src/protocol/failure-reasons.ts';
import { reasonSentence, reasonText } from '../../../src/protocol/reason.ts';

const file = 'src/a.luau';
const errors = [
  new AppError('FS_WRITE_FAILED', { file, reason: 'no space left on the disk' }),
  new AppError('FS_ACCESS_FAILED', { file, reason: 'permission denied' }),
  new AppError('FS_TIMEOUT', { file, budgetMs: 500 }),
  new AppError('STUDIO_BUSY', { budgetMs: 500, signal: 'compared' }),
  new AppError('FILE_CHANGED', { file }),
  new AppError('FILE_OVERWRITTEN', { file }),
  new AppError('PATH_OUTSIDE_ROOT', { path: '../a.luau' }),
  new AppError('STATE_NOT_WRITABLE', { folder: 'state', reason: 'read-only file system' }),
  new AppError('INTERNAL', { reason: 'a bug' }),
];

test('gives each failure of a write a code, with the words of its error', () => {
  const reasons = errors.map(failureReason);
  assert.deepEqual(reasons.map(({ code }) => code).toSorted(), Object.keys(failureReasons).toSorted());
  for (const [at, error] of errors.entries()) {
    const reason = reasons[at]!;
    assert.equal(reasonText(reason), error.message);
    assert.equal(reasonSentence(reason).template, error.sentence.template);
  }
});

test('keeps the message of an error that no write raises', () => {
  const error = new AppError('STUDIO_NOT_CONNECTED', { studioUrl: 'http://127.0.0.1:1' });
  assert.deepEqual(failureReason(error), { code: 'failure', args: [error.message] });
});

test('names the file of a failed system call', () => {
  const denied = Object.assign(new Error('EACCES'), { code: 'EACCES', syscall: 'open', path: file });
  assert.equal(failureReason(denied).code, 'cannot_access');
});

test('names no folder of the computer in a reason that Studio and agents get', () => {
  const reasonFor = (folder: string) =>
    failureReason(new AppError('STATE_NOT_WRITABLE', { folder, reason: 'permission denied' })).args[0];
  assert.equal(reasonFor('/state/of/anna/atlas-bridge'), 'atlas-bridge');
  assert.equal(reasonFor('C:\\state\\of\\anna\\atlas-bridge\\'), 'atlas-bridge\\');
  const changed = failureReason(new AppError('FILE_CHANGED', { file: 'src/Main.luau' }));
  assert.deepEqual(changed.args, ['src/Main.luau']);
});
