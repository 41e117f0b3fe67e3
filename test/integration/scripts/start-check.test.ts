import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCheck } from '../../../scripts/start/check.ts';
import { ensureRelease } from '../../../scripts/vscode/pack-extension.ts';

test('[W1] [W5] [W6] [W7] [P7] the check of npm start: dry run, fail-fast, overrides, get_script, and both sides looked at', async () => {
  await ensureRelease();
  const lines: string[] = [];
  const happened = await runCheck(line => lines.push(line));
  assert.ok(happened, `\n${lines.join('\n')}`);
  assert.equal(lines.filter(line => line.startsWith('ok')).length, 7, lines.join('\n'));
});
