import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Machine, pluginFolders } from '../../../../src/studio/delivery/plugin-folders.ts';

const paths = (machine: Omit<Machine, 'userName'>): readonly string[] =>
  pluginFolders({ userName: 'ada', ...machine }).map(({ path }) => path);

test('Windows: below LOCALAPPDATA, wherever that is', () => {
  const home = 'E:\\ada';
  assert.deepEqual(paths({ platform: 'win32', home, env: { LOCALAPPDATA: 'D:\\Local' } }), [
    'D:\\Local\\Roblox\\Plugins',
  ]);
  for (const env of [{}, { LOCALAPPDATA: '' }, { LOCALAPPDATA: 'Local' }])
    assert.deepEqual(paths({ platform: 'win32', home, env }), ['E:\\ada\\AppData\\Local\\Roblox\\Plugins']);
});

test('macOS: in the documents', () => {
  assert.deepEqual(paths({ platform: 'darwin', home: '/people/ada', env: {} }), [
    '/people/ada/Documents/Roblox/Plugins',
  ]);
});

test('Linux: Vinegar as a Flatpak and by itself, then Wine, each for both names that its user may have', () => {
  const below = (prefix: string): readonly string[] =>
    ['ada', 'steamuser'].map(user => `${prefix}/drive_c/users/${user}/AppData/Local/Roblox/Plugins`);
  assert.deepEqual(paths({ platform: 'linux', home: '/people/ada', env: {} }), [
    ...below('/people/ada/.var/app/org.vinegarhq.Vinegar/data/vinegar/prefixes/studio'),
    ...below('/people/ada/.local/share/vinegar/prefixes/studio'),
    ...below('/people/ada/.wine'),
  ]);
  const env = { XDG_DATA_HOME: '/data', WINEPREFIX: '/games/roblox' };
  assert.deepEqual(paths({ platform: 'linux', home: '/people/ada', env }).slice(2), [
    ...below('/data/vinegar/prefixes/studio'),
    ...below('/games/roblox'),
  ]);
});

test("in WSL the Windows user's folder comes first, before those of Wine", () => {
  const windowsLocalData = '/mnt/c/Users/Ada/AppData/Local';
  const found = paths({ platform: 'linux', home: '/home/ada', env: {}, windowsLocalData });
  assert.equal(found[0], `${windowsLocalData}/Roblox/Plugins`);
  assert.deepEqual(found.slice(1), paths({ platform: 'linux', home: '/home/ada', env: {} }));
});

test('on Linux a folder counts only where a Studio has been', () => {
  const folders = pluginFolders({ platform: 'linux', home: '/people/ada', userName: 'ada', env: {} });
  for (const { path, requiredFolder: proof } of folders) assert.equal(path, `${proof}/Plugins`);
});
