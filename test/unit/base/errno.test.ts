import assert from 'node:assert/strict';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { errorCode, hasErrorCode, ifFound, isNotFound, mayExist } from '../../../src/base/errno.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

const failing = (code: string): Error => Object.assign(new Error(code), { code });

test('resolves with undefined when the file or a folder on its path does not exist', async () => {
  await using folder = await tempFolder();
  assert.equal(await ifFound(readFile(join(folder.path, 'missing'))), undefined);
  assert.equal(await ifFound(readdir(join(folder.path, 'missing'))), undefined);
  assert.equal(await ifFound(Promise.reject(failing('ENOTDIR'))), undefined);
  assert.equal(await ifFound(stat(join(folder.path, 'a'.repeat(300)))), undefined);
});

test('resolves with the value when the file exists', async () => {
  const found = await ifFound(stat(import.meta.dirname));
  assert.equal(found?.isDirectory(), true);
});

test('rejects when the file exists but cannot be read', async () => {
  for (const code of ['EACCES', 'EPERM', 'EIO', 'ELOOP', 'EMFILE'])
    await assert.rejects(ifFound(Promise.reject(failing(code))), { code });
  await assert.rejects(ifFound(Promise.reject(new Error('other'))), /other/);
});

test('treats a file that cannot be read as existing', async () => {
  await using folder = await tempFolder();
  assert.equal(await mayExist(stat(folder.path)), true);
  assert.equal(await mayExist(stat(join(folder.path, 'missing'))), false);
  assert.equal(await mayExist(Promise.reject(failing('ENOTDIR'))), false);
  for (const code of ['EACCES', 'EIO', 'ELOOP']) assert.equal(await mayExist(Promise.reject(failing(code))), true);
});

test('reads the code of system errors only', () => {
  assert.equal(errorCode(failing('EEXIST')), 'EEXIST');
  assert.equal(errorCode(new Error('no code')), undefined);
  assert.equal(errorCode(Object.assign(new Error('a number'), { code: 404 })), undefined);
  assert.equal(errorCode('ENOENT'), undefined);
  assert.ok(hasErrorCode(failing('EEXIST'), 'ENOENT', 'EEXIST'));
  assert.ok(!hasErrorCode(new Error('no code'), 'ENOENT'));
  assert.ok(isNotFound(failing('ENOENT')));
  assert.ok(!isNotFound(failing('EISDIR')));
  // The codes of VS Code's file system.
  assert.ok(isNotFound(failing('FileNotFound')));
  assert.ok(!isNotFound(failing('NoPermissions')));
});
