import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { realPathOf } from '../../../../src/adapters/fs/real-path.ts';

const deep = (root: string, name: string): string => join(root, ...Array<string>(100).fill(name));

async function inFolder(use: (root: string) => Promise<void>): Promise<void> {
  const root = await mkdtemp(join(await realpath(tmpdir()), 'atlas-real-'));
  try {
    await use(root);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

test('follows links of a deep path like realpath', () =>
  inFolder(async root => {
    await mkdir(deep(root, 'd'), { recursive: true });
    await writeFile(join(deep(root, 'd'), 'a (deleted)'), '');
    await symlink(join(root, 'd'), join(root, 'linked'));
    await symlink('a (deleted)', join(deep(root, 'd'), 'file'));
    const paths = [root, deep(root, 'd'), join(root, 'linked', ...Array<string>(99).fill('d'), 'file')];
    for (const path of paths) assert.equal(await realPathOf(path), await realpath(path));
  }));

test('fails like realpath for a deep path that is missing or circular', () =>
  inFolder(async root => {
    await mkdir(deep(root, 'd'), { recursive: true });
    await symlink('self', join(deep(root, 'd'), 'self'));
    await assert.rejects(realPathOf(join(deep(root, 'd'), 'no')), { code: 'ENOENT' });
    await assert.rejects(realPathOf(join(deep(root, 'd'), 'self')), { code: 'ELOOP' });
  }));
