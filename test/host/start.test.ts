import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ensureCodeServer } from '../../scripts/set-up/code-server.ts';
import { startGroup } from '../../scripts/set-up/process-group.ts';
import { ensureRelease } from '../../scripts/vscode/pack-extension.ts';

const root = resolve(fileURLToPath(import.meta.url), '../../..');

test('[P7] npm start prints the addresses, serves VS Code and stops everything on Ctrl+C', async t => {
  await ensureCodeServer();
  await ensureRelease();
  const dir = mkdtempSync(join(tmpdir(), 'atlas-demo-'));
  t.after(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  await using start = startGroup('node', ['scripts/bootstrap.mjs', 'scripts/start.ts'], {
    cwd: root,
    // Studio's key would be created in the state folder of the person who runs the tests.
    env: {
      ...process.env,
      ATLAS_HOST: 'server',
      ATLAS_DIST: 'ready',
      ATLAS_DEMO_DIR: dir,
      XDG_STATE_HOME: join(dir, 'state'),
    },
  });

  await start.printed(/Press Ctrl\+C here to stop/, 90_000);
  const lines = start.output().trim().split('\n');
  assert.equal(lines.slice(lines.findIndex(line => line.startsWith('Atlas Bridge uses'))).length, 5, start.output());
  const [, url = ''] = /VS Code +(http:\S+)/.exec(start.output()) ?? [];
  assert.equal((await fetch(url)).status, 200, url);

  const ended = once(start.child, 'exit');
  start.child.kill('SIGINT');
  assert.deepEqual(await ended, [0, null], start.output());
  await assert.rejects(fetch(url), 'VS Code still answers');
});
