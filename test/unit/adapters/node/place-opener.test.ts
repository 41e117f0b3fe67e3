import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createPlaceOpener } from '../../../../src/adapters/node/place-opener.ts';

const opener = (platform: string, handler?: string, starts = true) => {
  const started: string[][] = [];
  const places = createPlaceOpener(
    platform,
    async (program, args) => {
      started.push([program, ...args]);
      return starts;
    },
    async () => (handler === undefined ? undefined : new TextEncoder().encode(handler)),
    async name => `/programs/${name}`,
  );
  return { places, started };
};
const ids = { placeId: 1818, universeId: 13_058 };
const address = 'roblox-studio:1+task:EditPlace+placeId:1818+universeId:13058';

test('opens a place file and a published place with the program of the platform', async () => {
  for (const [platform, handler, file, published] of [
    ['win32', undefined, ['/programs/rundll32.exe', 'url.dll,FileProtocolHandler', 'C:\\a & b.rbxl'], undefined],
    ['darwin', undefined, ['/programs/open', '-a', 'RobloxStudio', 'C:\\a & b.rbxl'], ['/programs/open', address]],
    ['linux', 'vinegar.desktop\n', ['/programs/xdg-open', 'C:\\a & b.rbxl'], undefined],
  ] as const) {
    const { places, started } = opener(platform, handler);
    assert.equal(await places.openFile('C:\\a & b.rbxl'), 'asked');
    assert.equal(await places.openPublished(ids), 'asked');
    assert.deepEqual(started, [file, published ?? [...file.slice(0, -1), address]]);
  }
});

test('starts nothing on Linux when no program opens addresses of Studio', async () => {
  for (const handler of [undefined, '', '\n']) {
    const { places, started } = opener('linux', handler);
    assert.equal(await places.openFile('/a.rbxl'), 'noStudio');
    assert.deepEqual(started, []);
  }
});

test('starts programs by their absolute path, and asks for the handler by one too', async t => {
  const dir = mkdtempSync(join(tmpdir(), 'atlas-opener-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  writeFileSync(join(dir, 'xdg-mime'), '#!/bin/sh\necho studio.desktop\n', { mode: 0o755 });
  writeFileSync(join(dir, 'xdg-open'), '', { mode: 0o755 });
  const path = process.env['PATH'];
  process.env['PATH'] = `${dir}:${path}`;
  t.after(() => (process.env['PATH'] = path));
  const programs: string[] = [];
  for (const platform of ['linux', 'darwin', 'win32']) {
    const places = createPlaceOpener(platform, async program => programs.push(program) > 0);
    assert.equal(await places.openFile('/a.rbxl'), 'asked');
  }
  assert.deepEqual(programs, [join(dir, 'xdg-open'), '/usr/bin/open', String.raw`C:\Windows\System32\rundll32.exe`]);
});

test('reports a program that does not start', async () => {
  assert.equal(await opener('darwin', undefined, false).places.openFile('/a.rbxl'), 'failed');
  const missing = createPlaceOpener(
    'linux',
    undefined,
    async () => new TextEncoder().encode('x.desktop'),
    async name => `/not-there/${name}`,
  );
  assert.equal(await missing.openFile('/a.rbxl'), 'failed');
});
