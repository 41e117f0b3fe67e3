import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { startVsCode } from './harness/start-vscode.ts';
import { until } from './harness/until.ts';

let dir = '';
const workspace = (...names: readonly string[]): void =>
  writeFileSync(join(dir, 'game.code-workspace'), JSON.stringify({ folders: names.map(path => ({ path })) }));

before(() => {
  dir = mkdtempSync(join(tmpdir(), 'atlas-pluto-folders-'));
  for (const name of ['first', 'second', 'third']) {
    mkdirSync(join(dir, name));
    writeFileSync(join(dir, name, 'main.pluto'), 'fn main() {\n    nothing()\n}\n');
  }
  workspace('first', 'second', 'third');
});
after(() => rmSync(dir, { recursive: true, force: true }));

test('removes the findings of a folder when the folder leaves the workspace', async () => {
  await using vscode = await startVsCode({ folder: join(dir, 'game.code-workspace'), settings: { 'atlas.port': 0 } });
  const problems = (name: string): Promise<readonly string[]> =>
    vscode.driver.call('problems', { path: join(dir, name, 'main.pluto'), scheme: 'file' });
  for (const name of ['first', 'second', 'third'])
    await until(`a finding in ${name}`, 60_000, async () => ((await problems(name)).length > 0 ? true : undefined));
  // VS Code reports no change that was made before it watches the folders.
  await until('the finding of a change on disk', 60_000, async () => {
    writeFileSync(join(dir, 'second', 'main.pluto'), 'fn main() {\n    watched()\n}\n');
    await delay(2_000);
    return (await problems('second')).some(problem => problem.includes('watched')) ? true : undefined;
  });
  workspace('first', 'second');
  await until('no finding in third', 30_000, async () => ((await problems('third')).length === 0 ? true : undefined));
  // A change that is reported with the removal must not restore the findings.
  writeFileSync(join(dir, 'third', 'main.pluto'), 'fn main() {\n    nothing_else()\n}\n');
  // A later change of a folder that stays: when it is seen, the earlier one has been handled.
  writeFileSync(join(dir, 'second', 'main.pluto'), 'fn main() {\n    nothing_new()\n}\n');
  await until('the finding of the later change', 30_000, async () =>
    (await problems('second')).some(problem => problem.includes('nothing_new')) ? true : undefined,
  );
  assert.equal((await problems('second')).length, 1);
  assert.deepEqual(await problems('third'), []);
});
