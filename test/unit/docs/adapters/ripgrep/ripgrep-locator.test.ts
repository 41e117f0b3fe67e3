import assert from 'node:assert/strict';
import { chmod } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { arch, platform } from 'node:process';
import { test } from 'node:test';
import { locateRipgrep } from '../../../../../src/docs/adapters/ripgrep/ripgrep-locator.ts';
import { tempFolder } from '../../../../harness/temp-folder.ts';

const name = platform === 'win32' ? 'rg.exe' : 'rg';

test("prefers ripgrep from the setting, then VS Code's, then the PATH", async () => {
  await using folder = await tempFolder();
  const { path } = folder;
  const places = [
    'mine/my-rg',
    `app/node_modules/@vscode/ripgrep-universal/bin/${platform}-${arch}/${name}`,
    `older/node_modules.asar.unpacked/@vscode/ripgrep/bin/${name}`,
    `bin/${name}`,
  ];
  for (const place of places) {
    await folder.write({ [place]: '' });
    await chmod(join(path, place), 0o755);
  }
  await folder.write({ 'no-program': 'text' });
  const [mine, universal, older, onPath] = places.map(place => join(path, place));
  const all = {
    setting: mine,
    appRoot: join(path, 'app'),
    path: ['relative', join(path, 'none'), join(path, 'bin')].join(delimiter),
  };
  assert.equal(await locateRipgrep(all), mine);
  assert.equal(await locateRipgrep({ ...all, setting: join(path, 'gone') }), universal);
  assert.equal(await locateRipgrep({ ...all, setting: 'my-rg' }), universal, 'a relative path is ignored');
  if (platform !== 'win32') assert.equal(await locateRipgrep({ ...all, setting: join(path, 'no-program') }), universal);
  assert.equal(await locateRipgrep({ ...all, setting: '', appRoot: join(path, 'older') }), older);
  assert.equal(await locateRipgrep({ ...all, setting: undefined, appRoot: join(path, 'gone') }), onPath);
  assert.equal(await locateRipgrep({ path: join(path, 'none') }), undefined);
  assert.equal(await locateRipgrep({}), undefined);
});
