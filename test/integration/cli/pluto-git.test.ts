import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCli } from '../../harness/run-cli.ts';
import { tempFolder } from '../../harness/temp-folder.ts';
import { cliEntry } from '../../harness/cli-entry.ts';

async function pluto(...args: readonly string[]): Promise<void> {
  await using run = await runCli('pluto', ...args);
  assert.equal(await run.exit, 0, run.err.join('\n'));
}

test('shows the text of containers in git diff with the setup of docs/pluto.md', async () => {
  await using folder = await tempFolder({ 'shop.pluto': 'fn price(n: int) int {\n    return n * 2\n}\n' });
  const file = join(folder.path, 'shop.pluto');
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-C', folder.path, '-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
      encoding: 'utf8',
      env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
    });
  git('init', '--quiet');
  await writeFile(join(folder.path, '.gitattributes'), '*.pluto diff=pluto\n');
  const guide = await readFile(new URL('../../../docs/pluto.md', import.meta.url), 'utf8');
  const command = /diff\.pluto\.textconv "atlas-bridge ([^"]+)"/.exec(guide)?.[1];
  assert.ok(command !== undefined);
  git('config', 'diff.pluto.textconv', `'${process.execPath}' '${cliEntry}' ${command}`);
  git('add', '.');
  git('commit', '--quiet', '-m', 'as text');
  await pluto('migrate', file);
  const asContainer = git('diff');
  assert.match(asContainer, /^\+\/\/ @uuid: [0-9a-f-]{36}\n fn price/m);
  git('commit', '--quiet', '-a', '-m', 'as a container');
  await pluto('generate-pt', file);
  const view = join(folder.path, 'shop.pt');
  await writeFile(view, (await readFile(view, 'utf8')).replace('n * 2', 'n * 3'));
  await pluto('sync', view);
  const lines = git('diff', '--', 'shop.pluto')
    .split('\n')
    .filter(line => /^[+-][^+-]/.test(line));
  assert.deepEqual(lines, ['-    return n * 2', '+    return n * 3']);
});
