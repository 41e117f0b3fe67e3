import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { installedStudioKey } from '../../../src/adapters/node/json-studio-keys.ts';
import { PLUGIN_FILE } from '../../../src/studio/delivery/plugin-delivery.ts';
import { typeCommand, typeWithStudio } from '../../harness/command-line.ts';
import { until } from '../../harness/until.ts';

async function folder() {
  const cwd = await mkdtemp(join(tmpdir(), 'atlas-keys-'));
  writeFileSync(join(cwd, 'default.project.json'), '{ "name": "Game", "tree": { "$className": "DataModel" } }');
  return { cwd, [Symbol.asyncDispose]: () => rm(cwd, { recursive: true, force: true }) };
}

test('plugin change-key replaces the key of this computer and updates the plugin', async () => {
  await using world = await folder();
  const installed = installedStudioKey({ XDG_STATE_HOME: join(world.cwd, 'state') });
  const plugin = () => readFileSync(join(world.cwd, 'plugins', PLUGIN_FILE), 'latin1');
  assert.equal((await typeWithStudio(['plugin', 'install'], world)).code, 0);
  const before = await installed();
  const changed = await typeWithStudio(['plugin', 'change-key'], world);
  assert.equal(changed.code, 0, changed.err);
  assert.match(changed.out, /The Studio key was changed/);
  assert.notEqual((await installed()).id, before.id);
  assert.ok(plugin().includes((await installed()).id));
  assert.ok(!plugin().includes(before.id));
});

test('serve --new-token replaces the token, and the old one is refused', async () => {
  await using world = await folder();
  const serve = async (options: readonly string[], use: (addresses: Record<string, string>) => Promise<void>) => {
    let [printed, isDone] = ['', false];
    const seen = (out: string): boolean => {
      printed = out;
      return isDone;
    };
    const args = ['serve', '--port', '0', '--set', 'rojoPort=0', '--json', ...options];
    const running = typeCommand(args, { ...world, until: seen });
    await until(() => printed.includes('}'));
    await use(JSON.parse(printed) as Record<string, string>).finally(() => (isDone = true));
    assert.equal((await running).code, 0);
  };
  const statusOf = async (mcpUrl = '', token = ''): Promise<number> =>
    (await fetch(mcpUrl, { method: 'POST', headers: { Authorization: `Bearer ${token}` }, body: '{}' })).status;
  const tokenIn = (file = ''): string => readFileSync(file, 'utf8').trim();
  let old = '';
  await serve([], async ({ mcpUrl, tokenFile }) => {
    old = tokenIn(tokenFile);
    assert.notEqual(await statusOf(mcpUrl, old), 401);
  });
  await serve(['--new-token'], async ({ mcpUrl, tokenFile }) => {
    assert.notEqual(tokenIn(tokenFile), old);
    assert.equal(await statusOf(mcpUrl, old), 401);
    assert.notEqual(await statusOf(mcpUrl, tokenIn(tokenFile)), 401);
  });
});
