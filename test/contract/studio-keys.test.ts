import assert from 'node:assert/strict';
import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createJsonStudioKeys, studioKeysFile } from '../../src/adapters/node/json-studio-keys.ts';
import type { StudioKeys } from '../../src/ports/studio-keys.ts';
import { memoryStudioKeys } from '../harness/memory-studio-keys.ts';
import { tempFolder } from '../harness/temp-folder.ts';

/** The contract of every `StudioKeys`. */
function studioKeysContract(
  name: string,
  create: () => Promise<{ readonly keys: StudioKeys } & AsyncDisposable>,
): void {
  test(`${name}: returns the same keys until they are rotated`, async () => {
    await using world = await create();
    const first = await world.keys.read();
    assert.match(first.machine, /^[0-9a-f]{16}$/);
    assert.match(first.installed.id, /^[0-9a-f]{16}$/);
    assert.match(first.installed.secret, /^[0-9a-f]{64}$/);
    assert.deepEqual(await world.keys.read(), first);
  });

  test(`${name}: remembers the latest 32 paired keys`, async () => {
    await using world = await create();
    for (let index = 0; index < 40; index += 1)
      await world.keys.addPaired({ id: String(index).padStart(16, '0'), secret: '1'.repeat(64) });
    const { paired } = await world.keys.read();
    assert.deepEqual(
      paired.map(({ id }) => Number(id)),
      Array.from({ length: 32 }, (_, index) => index + 8),
    );
  });

  test(`${name}: rotates the installed key, removes paired keys and keeps the machine id`, async () => {
    await using world = await create();
    await world.keys.addPaired({ id: '1'.repeat(16), secret: '1'.repeat(64) });
    const before = await world.keys.read();
    const after = await world.keys.rotate();
    assert.deepEqual(await world.keys.read(), after);
    assert.deepEqual(after.paired, []);
    assert.equal(after.machine, before.machine);
    assert.notEqual(after.installed.id, before.installed.id);
    assert.notEqual(after.installed.secret, before.installed.secret);
  });
}

studioKeysContract('memory', async () => ({ keys: memoryStudioKeys(), async [Symbol.asyncDispose]() {} }));
studioKeysContract('file', async () => {
  const folder = await tempFolder();
  return {
    keys: createJsonStudioKeys(studioKeysFile(join(folder.path, 'state'))),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
});

test('creates one key for several programs, in a private file, and leaves no other file', async () => {
  await using folder = await tempFolder();
  const state = join(folder.path, 'state');
  const file = studioKeysFile(state);
  const all = await Promise.all(Array.from({ length: 8 }, () => createJsonStudioKeys(file).read()));
  assert.equal(new Set(all.map(({ installed }) => installed.secret)).size, 1);
  assert.deepEqual(await readdir(state), ['studio-keys.json']);
  if (process.platform === 'win32') return;
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.equal((await stat(state)).mode & 0o777, 0o700);
  await chmod(file, 0o644);
  await createJsonStudioKeys(file).read();
  assert.equal((await stat(file)).mode & 0o777, 0o600);
});

test('never replaces a key file of another version', async () => {
  await using folder = await tempFolder();
  const file = studioKeysFile(folder.path);
  await writeFile(file, '{"version":2}');
  const keys = createJsonStudioKeys(file);
  const paired = { id: '1'.repeat(16), secret: '1'.repeat(64) };
  for (const work of [() => keys.read(), () => keys.rotate(), () => keys.addPaired(paired)])
    await assert.rejects(work, /belongs to another version of Atlas Bridge; update, or remove the file/);
  assert.equal(await readFile(file, 'utf8'), '{"version":2}');
});
