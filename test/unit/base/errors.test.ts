import assert from 'node:assert/strict';
import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { AppError } from '../../../src/base/errors.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

test('keeps an error of the catalog as it is', () => {
  const error = new AppError('CANCELLED', { phase: 'comparing' });
  assert.equal(AppError.from(error), error);
});

test('names the path when a system call on a file failed', async () => {
  await using folder = await tempFolder();
  const file = join(folder.path, 'a');
  await symlink(file, file);
  const cause = await readFile(file).catch((error: unknown) => error);
  const error = AppError.from(cause);
  assert.ok(AppError.is(error, 'FS_ACCESS_FAILED'));
  assert.equal(error.details.file, file);
  assert.match(error.message, /^Cannot access .*: its links form a circle/);
  assert.equal(error.cause, cause);
});

test('reports every other thrown value as an internal error', () => {
  const notStarted = Object.assign(new Error('spawn git ENOENT'), { syscall: 'spawn git', path: 'git' });
  for (const value of [new TypeError('a bug'), 'text', notStarted])
    assert.ok(AppError.is(AppError.from(value), 'INTERNAL'));
  const message = AppError.from(new TypeError("Cannot read properties of undefined (reading 'x')")).message;
  assert.equal(message, 'Unexpected error: TypeError in Atlas Bridge');
});
