import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { ProjectPath } from '../../src/base/brand.ts';
import { AppError } from '../../src/base/errors.ts';
import { MemoryFileSystem } from '../harness/memory-file-system.ts';
import { fileSystemContract } from './file-system.contract.ts';

fileSystemContract('MemoryFileSystem', async () => ({
  files: new MemoryFileSystem(),
  [Symbol.asyncDispose]: async () => undefined,
}));

test('MemoryFileSystem: fails the nth write and leaves the file unchanged', async () => {
  const files = new MemoryFileSystem({ 'a.luau': 'one' });
  files.fault = n => {
    if (n === 2) throw new AppError('FS_WRITE_FAILED', { file: 'b.luau', reason: 'no space' });
  };
  await files.replace('c.luau' as ProjectPath, new Uint8Array(), { kind: 'absent' });
  await assert.rejects(files.replace('b.luau' as ProjectPath, new Uint8Array(), { kind: 'absent' }), {
    code: 'FS_WRITE_FAILED',
  });
  assert.deepEqual(files.paths(), ['a.luau', 'c.luau']);
});
