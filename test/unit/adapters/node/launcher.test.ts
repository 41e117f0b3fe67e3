import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeLauncher, launcherPath, launcherText } from '../../../../src/adapters/node/launcher.ts';

test('runs the program on the given Node with unchanged arguments', async () => {
  const folder = await mkdtemp(join(tmpdir(), "atlas it's-"));
  try {
    const program = join(folder, 'cli.mjs');
    await writeFile(program, 'console.log(JSON.stringify([process.argv.slice(2), process.env.ELECTRON_RUN_AS_NODE]))');
    const path = launcherPath(folder);
    await writeLauncher(path, launcherText(process.execPath, program));
    const { stdout } = spawnSync(path, ['mcp', '--project', 'a b', '$HOME'], { encoding: 'utf8' });
    assert.deepEqual(JSON.parse(stdout), [['mcp', '--project', 'a b', '$HOME'], '1']);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('does not create a removed launcher again in an update', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'atlas-launcher-'));
  try {
    const path = launcherPath(folder);
    await writeLauncher(path, 'new', true);
    assert.equal(existsSync(path), false);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('writes a command file on Windows', () => {
  assert.match(launcherPath('C:\\state', 'win32'), /atlas-bridge\.cmd$/);
  assert.equal(
    launcherText('C:\\Code\\Code.exe', 'C:\\ext\\cli.js', 'win32'),
    '@echo off\r\nset ELECTRON_RUN_AS_NODE=1\r\n"C:\\Code\\Code.exe" "C:\\ext\\cli.js" %*\r\n',
  );
});
