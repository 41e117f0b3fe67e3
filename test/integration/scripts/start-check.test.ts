import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startGroup } from '../../../scripts/set-up/process-group.ts';
import { runCheck } from '../../../scripts/start/check.ts';
import { ensureRelease } from '../../../scripts/vscode/pack-extension.ts';
import { useOwnState } from '../../../scripts/set-up/own-state.ts';

useOwnState();

test('[W1] [W5] [W6] [W7] [P7] npm start -- --check runs every kind of sync', async () => {
  await ensureRelease();
  const lines: string[] = [];
  const happened = await runCheck(line => lines.push(line));
  assert.ok(happened, `\n${lines.join('\n')}`);
  assert.equal(lines.filter(line => line.startsWith('ok')).length, 7, lines.join('\n'));
});

test('npm start -- --studio prepares the example, prints Ready and exits on Ctrl+C', async t => {
  await ensureRelease();
  const dir = mkdtempSync(join(tmpdir(), 'atlas-demo-'));
  t.after(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  await using start = startGroup('node', ['scripts/bootstrap.mjs', 'scripts/start.ts', '--studio'], {
    cwd: resolve(fileURLToPath(import.meta.url), '../../../..'),
    env: { ...process.env, ATLAS_DIST: 'ready', ATLAS_DEMO_DIR: dir, ATLAS_DEMO_PORT: '29300' },
  });
  await start.printed(/^Ready: /m, 60_000);
  assert.ok(existsSync(join(dir, 'obby/default.project.json')));
  const ended = once(start.child, 'exit');
  start.child.kill('SIGINT');
  assert.deepEqual(await ended, [0, null], start.output());
});
