import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProjectPath } from '../../../../../src/base/brand.ts';
import { hasModules } from '../../../../../src/pluto/language/modules/has-modules.ts';
import { MemoryFileSystem } from '../../../../harness/memory-file-system.ts';

const denied = new Error('permission denied');

/** A project with a folder that cannot be listed. */
const withUnreadable = (files: Readonly<Record<string, string>>) => {
  const disk = new MemoryFileSystem({ 'locked/a.txt': '', ...files });
  return {
    list: async (folder: ProjectPath) => (folder === 'locked' ? Promise.reject(denied) : disk.list(folder)),
  };
};
const { signal } = new AbortController();

test('finds a module beside a folder that cannot be read', async () => {
  assert.equal(await hasModules(withUnreadable({ 'other/main.pluto': '' }), signal), true);
});

test('does not report a project without modules when a folder cannot be read', async () => {
  await assert.rejects(hasModules(withUnreadable({ 'other/main.luau': '' }), signal), denied);
});
