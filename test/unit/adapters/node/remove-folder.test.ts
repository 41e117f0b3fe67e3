import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { removeFolder } from '../../../../src/adapters/node/remove-folder.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

const COUNT = 2_000;
/** Requests to the file system that may begin in one turn of the event loop; each file takes two. */
const MAX_PER_TURN = 64;

test('removes a folder with thousands of files in many turns', async () => {
  await using folder = await tempFolder({});
  const path = join(folder.path, 'large');
  for (const name of ['a', 'b/c']) {
    mkdirSync(join(path, name), { recursive: true });
    for (let index = 0; index < COUNT; index += 1) writeFileSync(join(path, name, `${index}.luau`), '');
  }
  let [perTurn, most, isOver] = [0, 0, false];
  const requests = createHook({ init: (_id, type) => void (type.startsWith('FSREQ') && (perTurn += 1)) }).enable();
  const count = (): void => {
    most = Math.max(most, perTurn);
    perTurn = 0;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await removeFolder(path);
  isOver = true;
  requests.disable();
  assert.deepEqual(readdirSync(folder.path), []);
  assert.ok(most <= MAX_PER_TURN, `${most} requests in one turn`);
});

test('removes links and keeps their targets', async () => {
  await using folder = await tempFolder({ 'kept/a.luau': 'a' });
  const path = join(folder.path, 'removed');
  mkdirSync(path);
  symlinkSync(join(folder.path, 'kept'), join(path, 'link'), 'junction');
  await removeFolder(path);
  assert.deepEqual(readdirSync(folder.path), ['kept']);
  assert.equal(readFileSync(join(folder.path, 'kept/a.luau'), 'utf8'), 'a');
});

test('removes a file, and accepts a path that does not exist', async () => {
  await using folder = await tempFolder({ 'a.luau': 'a' });
  await removeFolder(join(folder.path, 'a.luau'));
  await removeFolder(join(folder.path, 'a.luau'));
  assert.deepEqual(readdirSync(folder.path), []);
});
