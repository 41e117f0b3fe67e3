import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { announceBridge, announcedBridges } from '../../../../src/adapters/node/announced-bridges.ts';
import { createNodePluginFiles } from '../../../../src/adapters/node/node-plugin-files.ts';
import { createJsonStudioKeys, studioKeysFile } from '../../../../src/adapters/node/json-studio-keys.ts';
import { removeWholeFile, replaceWholeFile } from '../../../../src/adapters/fs/write-whole-file.ts';
import { createJsonBaseStore } from '../../../../src/adapters/node/json-base-store.ts';
import { nodeClock } from '../../../../src/adapters/node/clock.ts';
import { createJsonKeptPlaces } from '../../../../src/adapters/node/json-kept-places.ts';
import { createJsonReviewDrafts } from '../../../../src/adapters/node/json-review-drafts.ts';
import type { BaseState } from '../../../../src/ports/base-store.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

const state: BaseState = { source: 'a', properties: { Name: 'b' } };
const wholeFiles = { replace: replaceWholeFile, remove: removeWholeFile };

interface StateFile {
  write(folder: string): Promise<void>;
  /** Returns the loaded entries. */
  read(folder: string): Promise<readonly unknown[]>;
}
/** The machine of the keys in a folder, as it was read last. */
const machines = new Map<string, string>();
const stores: Readonly<Record<string, StateFile>> = {
  base: {
    write: folder => createJsonBaseStore(folder).update('place', new Map([['key', state]])),
    read: async folder => Array.from(await createJsonBaseStore(folder).load('place')),
  },
  'review drafts': {
    write: folder => createJsonReviewDrafts(folder).save('place', new Map([['key', { choice: 'push' }]])),
    read: async folder => Array.from(await createJsonReviewDrafts(folder).load('place')),
  },
  'kept place': {
    write: folder => createJsonKeptPlaces(folder, nodeClock).keep('/games/obby.rbxl', new Uint8Array([1])),
    read: folder => createJsonKeptPlaces(folder, nodeClock).list(),
  },
  'Studio keys': {
    write: async folder => void (await createJsonStudioKeys(studioKeysFile(folder)).rotate()),
    // A new key is as good as none.
    async read(folder) {
      const keyring = async (): Promise<string> => (await createJsonStudioKeys(studioKeysFile(folder)).read()).machine;
      const [first, again] = [await keyring(), await keyring()];
      assert.equal(again, first);
      const known = machines.get(folder);
      machines.set(folder, first);
      return known === undefined || known === first ? [first] : [];
    },
  },
  receipt: {
    write: folder => createNodePluginFiles(join(folder, 'receipt.json'), wholeFiles).saveReceipt({ files: ['a'] }),
    async read(folder) {
      const value = await createNodePluginFiles(join(folder, 'receipt.json'), wholeFiles).receipt();
      return value === undefined ? [] : [value];
    },
  },
  announcement: {
    async write(folder) {
      const mcpUrl = 'http://127.0.0.1:1234/mcp';
      await announceBridge(join(folder, '..'), { folder, mcpUrl, token: 't', startedAt: 'now', program: 'serve' });
    },
    read: async folder => (await announcedBridges(join(folder, '..'))).map(({ token }) => token),
  },
};
const damages: Readonly<Record<string, (path: string, whole: Buffer) => Promise<void>>> = {
  nothing: path => writeFile(path, ''),
  half: (path, whole) => writeFile(path, whole.subarray(0, whole.length / 2)),
  'random bytes': path => writeFile(path, Buffer.from('00ff13a7c6'.repeat(40), 'hex')),
  'one other byte': (path, whole) => writeFile(path, Buffer.from(whole.toString('latin1').replace('"', '~'), 'latin1')),
  // Still JSON of the right form: only the checksum shows it.
  'one other letter': (path, whole) =>
    writeFile(
      path,
      whole.toString('latin1').replace(/[0-9a-z](?="[^"]*$)/, at => (at === 'a' ? 'b' : 'a')),
      'latin1',
    ),
  'another version': (path, whole) =>
    writeFile(path, whole.toString('latin1').replace('atlas-state 1', 'atlas-state 9').replace('"owner"', '"other"')),
  'a folder': async path => {
    await rm(path);
    await mkdir(path);
  },
  'a file without permission': path => chmod(path, 0),
};

for (const [name, store] of Object.entries(stores))
  for (const [what, damage] of Object.entries(damages)) {
    // Keys of another version are kept: see the contract of the keys.
    if (name === 'Studio keys' && what === 'another version') continue;
    // An announcement has no checksum: each start of a bridge writes a new one.
    if (name === 'announcement' && what === 'one other letter') continue;
    const skip = what === 'a file without permission' && process.getuid?.() === 0 && 'root may read everything';
    test(`reads nothing and writes again when the ${name} file is replaced by ${what}`, { skip }, async () => {
      await using parent = await tempFolder();
      const folder = join(parent.path, 'bridges');
      await mkdir(folder);
      await store.write(folder);
      assert.equal((await store.read(folder)).length, 1);
      const [file = ''] = (await readdir(folder)).filter(one => one.endsWith('.json'));
      const path = join(folder, file);
      await damage(path, await readFile(path));
      assert.deepEqual(await store.read(folder), []);
      await store.write(folder);
      assert.equal((await store.read(folder)).length, 1);
    });
  }

test('ignores states that are not states in a base of an older version', async () => {
  await using folder = await tempFolder();
  await createJsonBaseStore(folder.path).update('place', new Map([['key', state]]));
  const [file = ''] = await readdir(folder.path);
  const states = {
    good: state,
    number: 1,
    nothing: null,
    text: 'x',
    half: { source: 1 },
    odd: { properties: { a: 1 } },
  };
  await writeFile(join(folder.path, file), JSON.stringify({ version: 1, place: 'place', states }));
  assert.deepEqual(Array.from(await createJsonBaseStore(folder.path).load('place')), [['good', state]]);
});
