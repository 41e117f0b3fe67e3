import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { memoryLog } from '../../../harness/memory-log.ts';
import { loadOrCreateToken, MAX_TOKEN_AGE_MS } from '../../../../src/adapters/node/token-store.ts';

async function start() {
  const root = await mkdtemp(join(tmpdir(), 'atlas-token-'));
  const file = join(root, 'state', 'token');
  const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);
  return { root, file, modeOf, [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }) };
}

test('creates a token once, readable only by its user', async () => {
  await using world = await start();
  const token = await loadOrCreateToken(world.file, memoryLog());
  assert.match(token, /^[\w-]{43}$/);
  assert.equal(await loadOrCreateToken(world.file, memoryLog()), token);
  assert.equal(await world.modeOf(world.file), '600');
  assert.equal(await world.modeOf(join(world.root, 'state')), '700');
});

test('restricts a token file that others could read', async () => {
  await using world = await start();
  await loadOrCreateToken(world.file, memoryLog());
  await chmod(world.file, 0o644);
  await loadOrCreateToken(world.file, memoryLog());
  assert.equal(await world.modeOf(world.file), '600');
});

for (const content of ['', 'short', '\u0000\u0001', 'x'.repeat(1_000)])
  test(`replaces a token file of ${content.length} damaged characters, and logs it`, async () => {
    await using world = await start();
    const old = await loadOrCreateToken(world.file, memoryLog());
    await writeFile(world.file, content);
    const log = memoryLog();
    const tokens = await Promise.all(Array.from({ length: 5 }, () => loadOrCreateToken(world.file, log)));
    assert.equal(new Set(tokens).size, 1);
    assert.match(tokens[0] ?? '', /^[\w-]{43}$/);
    assert.notEqual(tokens[0], old);
    assert.equal(log.lines.length, 1);
  });

test('gives everyone the same token while a damaged file is replaced', async () => {
  for (let round = 0; round < 3; round++) {
    await using world = await start();
    await mkdir(join(world.root, 'state'));
    await writeFile(world.file, '');
    let isReplaced = false;
    const first = loadOrCreateToken(world.file, memoryLog()).finally(() => (isReplaced = true));
    const tokens = [first];
    while (!isReplaced) {
      tokens.push(loadOrCreateToken(world.file, memoryLog()));
      await setTimeout(1);
    }
    assert.equal(new Set(await Promise.all(tokens)).size, 1);
  }
});

test('names the state folder when the token cannot be read or written', async () => {
  await using world = await start();
  await mkdir(world.file, { recursive: true });
  await assert.rejects(loadOrCreateToken(world.file, memoryLog()), { code: 'STATE_NOT_WRITABLE' });
});

test('replaces a token on request, and once it is old', async () => {
  await using world = await start();
  const first = await loadOrCreateToken(world.file, memoryLog());
  const log = memoryLog();
  const second = await loadOrCreateToken(world.file, log, true);
  assert.notEqual(second, first);
  assert.equal(await loadOrCreateToken(world.file, log), second);
  assert.equal(log.lines.length, 0);
  const old = (Date.now() - MAX_TOKEN_AGE_MS) / 1000 - 60;
  await utimes(world.file, old, old);
  const tokens = await Promise.all(Array.from({ length: 5 }, () => loadOrCreateToken(world.file, log)));
  assert.equal(new Set(tokens).size, 1);
  assert.notEqual(tokens[0], second);
  assert.equal(log.lines.length, 1);
  assert.equal(await world.modeOf(world.file), '600');
});
