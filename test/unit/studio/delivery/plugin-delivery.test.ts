import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import { AppError } from '../../../../src/base/errors.ts';
import { createPluginDelivery, type PluginDelivery } from '../../../../src/studio/delivery/plugin-delivery.ts';
import type { Machine } from '../../../../src/studio/delivery/plugin-folders.ts';
import { pairedKey, testKey } from '../../../harness/memory-studio-keys.ts';
import type { PluginFiles } from '../../../../src/ports/plugin-files.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const target = '/people/ada/Documents/Roblox/Plugins/AtlasBridge.rbxmx';
const mac: Machine = { platform: 'darwin', home: '/people/ada', userName: 'ada', env: {} };

/** A machine with files, and any version of the program. */
function world(machine = mac, folders: readonly string[] = [], beforeWrite = (): void => {}) {
  const disk = new Map<string, string>();
  let receipt: unknown;
  const files: PluginFiles = {
    isFolder: async path => folders.includes(path),
    read: async path => (disk.has(path) ? bytes(disk.get(path) ?? '') : undefined),
    async writeSecret(path, content, mayReplace) {
      beforeWrite();
      const isReplaced = mayReplace(await files.read(path));
      if (isReplaced) disk.set(path, new TextDecoder().decode(content));
      return isReplaced;
    },
    replace: async () => false,
    async remove(path, expected) {
      beforeWrite();
      return disk.get(path) === new TextDecoder().decode(expected) && disk.delete(path);
    },
    receipt: async () => receipt,
    saveReceipt: async value => void (receipt = value),
  };
  const program = (version: string, key = testKey): PluginDelivery =>
    createPluginDelivery({
      files,
      hasher: nodeHasher,
      machine: async () => machine,
      plugin: async () => bytes(`plugin ${version} @atlas-bridge-key@`),
      key: async () => key,
      version,
    });
  return { disk, program };
}

const installed = (version: string, { id, secret } = testKey): string => `plugin ${version} ${id}:${secret}`;

const refusesForeign = (work: Promise<unknown>): Promise<void> =>
  assert.rejects(work, error => AppError.is(error, 'PLUGIN_FILE_FOREIGN') && error.details.file === target);

test('reports each installation, update and removal exactly', async () => {
  const { disk, program } = world();
  assert.deepEqual(await program('1').install(), { changed: [target], current: [] });
  assert.equal(disk.get(target), installed('1'));
  assert.deepEqual(await program('1').install(), { changed: [], current: [target] });
  assert.deepEqual(await program('1').update(), { changed: [], current: [target] });
  assert.deepEqual(await program('2').update(), { changed: [target], current: [] });
  assert.equal(disk.get(target), installed('2'));
  assert.deepEqual(await program('2').remove(), { changed: [target], current: [] });
  assert.equal(disk.size, 0);
  assert.deepEqual(await program('2').remove(), { changed: [], current: [] });
});

test('[P1] keeps a plugin file that a person saves while the plugin is installed or updated', async () => {
  let saves = false;
  const { disk, program } = world(mac, [], () => {
    if (saves) disk.set(target, 'mine');
  });
  saves = true;
  await refusesForeign(program('1').install());
  assert.equal(disk.get(target), 'mine');
  disk.clear();
  saves = false;
  await program('1').install();
  saves = true;
  await refusesForeign(program('2').update());
  assert.equal(disk.get(target), 'mine');
});

test('[P1] keeps a plugin file that a person saves while the plugin is removed', async () => {
  let saves = false;
  const { disk, program } = world(mac, [], () => {
    if (saves) disk.set(target, 'mine');
  });
  await program('1').install();
  saves = true;
  await refusesForeign(program('1').remove());
  assert.equal(disk.get(target), 'mine');
});

test('checks the installation without changing it', async () => {
  const { disk, program } = world();
  assert.deepEqual(await program('1').getPresence(), { kind: 'absent' });
  assert.equal(disk.size, 0);
  await program('1').install();
  assert.deepEqual(await program('1').getPresence(), { kind: 'current' });
  assert.deepEqual(await program('2').getPresence(), { kind: 'outdated' });
  disk.set(target, 'edited by hand');
  assert.deepEqual(await program('2').getPresence(), { kind: 'foreign', file: target });
});

test('never changes a plugin file that it did not install', async () => {
  const { disk, program } = world();
  disk.set(target, 'not ours');
  await refusesForeign(program('1').install());
  assert.deepEqual(await program('1').remove(), { changed: [], current: [] });
  assert.deepEqual(await program('1').update(), { changed: [], current: [] });
  assert.equal(disk.get(target), 'not ours');
});

test('neither replaces nor removes a plugin file that was changed', async () => {
  const { disk, program } = world();
  await program('1').install();
  disk.set(target, 'patched by hand');
  await refusesForeign(program('2').install());
  await refusesForeign(program('2').update());
  await refusesForeign(program('2').remove());
  assert.equal(disk.get(target), 'patched by hand');
  disk.delete(target);
  assert.deepEqual(await program('2').update(), { changed: [], current: [] }, 'a person removed it: it stays away');
  assert.deepEqual(await program('2').install(), { changed: [target], current: [] });
});

test('finds an old key after the keys were rotated, and replaces it', async () => {
  const { disk, program } = world();
  await program('1').install();
  assert.deepEqual(await program('1', pairedKey).getPresence(), { kind: 'oldKey' });
  assert.deepEqual(await program('1', pairedKey).update(), { changed: [target], current: [] });
  assert.equal(disk.get(target), installed('1', pairedKey));
  assert.deepEqual(await program('1', pairedKey).getPresence(), { kind: 'current' });
});

test('adds the key to a plugin file that was copied without one', async () => {
  const { disk, program } = world();
  disk.set(target, 'plugin 1 @atlas-bridge-key@');
  assert.deepEqual(await program('1').getPresence(), { kind: 'outdated' });
  assert.deepEqual(await program('1').install(), { changed: [target], current: [] });
  assert.equal(disk.get(target), installed('1'));
});

test('adopts the same plugin when it was installed manually', async () => {
  const { disk, program } = world();
  disk.set(target, installed('1'));
  assert.deepEqual(await program('1').install(), { changed: [], current: [target] });
  assert.deepEqual(await program('1').remove(), { changed: [target], current: [] });
});

test('installs into every Wine prefix with a Studio on Linux, and reports when there is none', async () => {
  const linux: Machine = { platform: 'linux', home: '/people/ada', userName: 'ada', env: {} };
  await assert.rejects(world(linux).program('1').install(), error => AppError.is(error, 'STUDIO_NOT_FOUND'));
  const wine = '/people/ada/.wine/drive_c/users/ada/AppData/Local/Roblox';
  const proton = '/people/ada/.local/share/vinegar/prefixes/studio/drive_c/users/steamuser/AppData/Local/Roblox';
  const both = world(linux, [wine, proton]);
  const { changed } = await both.program('1').install();
  assert.deepEqual(changed.toSorted(), [`${proton}/Plugins/AtlasBridge.rbxmx`, `${wine}/Plugins/AtlasBridge.rbxmx`]);
  assert.deepEqual((await both.program('1').remove()).changed.toSorted(), changed.toSorted());

  await both.program('1').install();
  const [first = '', second = ''] = changed;
  both.disk.set(second, 'patched by hand');
  await assert.rejects(both.program('1').remove(), error => AppError.is(error, 'PLUGIN_FILE_FOREIGN'));
  assert.equal(both.disk.get(first), installed('1'), 'the refusal says that nothing was changed');
});
