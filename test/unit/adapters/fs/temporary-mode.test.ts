import assert from 'node:assert/strict';
import { chmodSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { replaceFile } from '../../../../src/adapters/fs/replace-file.ts';
import { isUnfinished } from '../../../../src/adapters/fs/temporary-files.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

test(
  'never lets others read the temporary file of a private file',
  { skip: process.platform === 'win32' && 'Windows has no file modes' },
  async () => {
    await using folder = await tempFolder({ 'secret.luau': 'old' });
    const target = join(folder.path, 'secret.luau');
    chmodSync(target, 0o600);
    const modes = new Set<number>();
    let isWriting = true;
    const look = (): void => {
      for (const name of readdirSync(folder.path).filter(isUnfinished)) {
        const found = statSync(join(folder.path, name), { throwIfNoEntry: false });
        if (found !== undefined) modes.add(found.mode & 0o777);
      }
      if (isWriting) setImmediate(look);
    };
    look();
    const result = await replaceFile(target, new Uint8Array(50_000_000), async () => true);
    isWriting = false;
    assert.equal(result, 'replaced');
    assert.deepEqual(Array.from(modes), [0o600]);
  },
);
