import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createWhole } from '../../../../src/adapters/node/create-whole.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

test('creates a file that no reader finds empty, and that stays when it exists', async t => {
  await using folder = await tempFolder();
  const path = join(folder.path, 'run.lock');
  await using handle = await open(folder.path);
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  const writeFile = Reflect.get(prototype, 'writeFile') as (this: FileHandle, text: string) => Promise<void>;
  const existed: boolean[] = [];
  t.mock.method(prototype, 'writeFile', async function (this: FileHandle, text: string) {
    existed.push(existsSync(path));
    await writeFile.call(this, text);
  });
  assert.equal(await createWhole(path, 'owner'), true);
  assert.deepEqual(existed, [false]);
  assert.equal(await createWhole(path, 'another'), false);
  assert.equal(readFileSync(path, 'utf8'), 'owner');
  assert.deepEqual(readdirSync(folder.path), ['run.lock']);
});
