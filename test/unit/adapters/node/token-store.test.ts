import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadOrCreateToken } from '../../../../src/adapters/node/token-store.ts';

async function start() {
  const root = await mkdtemp(join(tmpdir(), 'atlas-token-'));
  const file = join(root, 'state', 'token');
  const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);
  return { root, file, modeOf, [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }) };
}

test('a token is made once, and only its user may read it', async () => {
  await using world = await start();
  const token = await loadOrCreateToken(world.file);
  assert.match(token, /^[\w-]{43}$/);
  assert.equal(await loadOrCreateToken(world.file), token);
  assert.equal(await world.modeOf(world.file), '600');
  assert.equal(await world.modeOf(join(world.root, 'state')), '700');
});

test('a file that others could read is closed again', async () => {
  await using world = await start();
  await loadOrCreateToken(world.file);
  await chmod(world.file, 0o644);
  await loadOrCreateToken(world.file);
  assert.equal(await world.modeOf(world.file), '600');
});

test('a file without a token is refused: an empty token would open to everybody', async () => {
  await using world = await start();
  await loadOrCreateToken(world.file);
  await writeFile(world.file, '');
  await assert.rejects(loadOrCreateToken(world.file), /holds no token; remove the file/);
});
