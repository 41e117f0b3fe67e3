import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Machine, pluginFolders } from '../../../../src/studio/delivery/plugin-folders.ts';

const paths = (machine: Omit<Machine, 'userName'>): readonly string[] =>
  pluginFolders({ userName: 'ada', ...machine }).map(({ path }) => path);

test('finds the folder below LOCALAPPDATA on Windows', () => {
  const home = 'E:\\ada';
  assert.deepEqual(paths({ platform: 'win32', home, env: { LOCALAPPDATA: 'D:\\Local' } }), [
    'D:\\Local\\Roblox\\Plugins',
  ]);
  for (const env of [{}, { LOCALAPPDATA: '' }, { LOCALAPPDATA: 'Local' }])
    assert.deepEqual(paths({ platform: 'win32', home, env }), ['E:\\ada\\AppData\\Local\\Roblox\\Plugins']);
});

test('finds the folder in the documents on macOS', () => {
  assert.deepEqual(paths({ platform: 'darwin', home: '/people/ada', env: {} }), [
    '/people/ada/Documents/Roblox/Plugins',
  ]);
});

test('finds Vinegar with and without Flatpak, then Wine, for both user names on Linux', () => {
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

test("lists the Windows user's folder before those of Wine in WSL", () => {
  const windowsLocalData = '/mnt/c/Users/Ada/AppData/Local';
  const found = paths({ platform: 'linux', home: '/home/ada', env: {}, windowsLocalData });
  assert.equal(found[0], `${windowsLocalData}/Roblox/Plugins`);
  assert.deepEqual(found.slice(1), paths({ platform: 'linux', home: '/home/ada', env: {} }));
});

test('uses a folder on Linux only where Studio has run', () => {
  const folders = pluginFolders({ platform: 'linux', home: '/people/ada', userName: 'ada', env: {} });
  assert.ok(folders.length > 0);
  for (const { path, requiredFolder } of folders) assert.equal(path, `${requiredFolder}/Plugins`);
});
