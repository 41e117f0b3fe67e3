import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { connectFakeStudio } from '../harness/connect-fake-studio.ts';
import type { PlaceInstance } from '../harness/fake-studio.ts';
import { atlasExports } from './harness/atlas-exports.ts';
import { picture } from './harness/picture.ts';
import { type RunningVsCode, startVsCode } from './harness/start-vscode.ts';
import { until } from './harness/until.ts';
import type { RecordedTurns } from './turns/extension.ts';

/** A project of a game, not of an example. */
const SCRIPTS = 2_000;
const A_FOLDER = 50;
/** See promise P6. */
const MAX_TURN_MS = 20;

let dir = '';
let vscode: RunningVsCode;
/** The same scripts in Studio; every tenth one differs. */
const place: Record<string, PlaceInstance> = { ReplicatedStorage: { className: 'ReplicatedStorage' } };

before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'atlas-new-'));
  mkdirSync(join(dir, 'src'));
  const tree = { $className: 'DataModel', ReplicatedStorage: { $path: 'src' } };
  writeFileSync(join(dir, 'default.project.json'), JSON.stringify({ name: 'Harbor', tree }));
  for (const name of ['A', 'B'])
    writeFileSync(join(dir, `src/${name}.luau`), '-- a script\nlocal t = { n = 1 }\nreturn t\n');
  for (let at = 0; at < SCRIPTS; at += 1) {
    const folder = `Part${Math.floor(at / A_FOLDER)}`;
    if (at % A_FOLDER === 0) {
      mkdirSync(join(dir, 'src', folder));
      place[`ReplicatedStorage/${folder}`] = { className: 'Folder' };
    }
    const source = `local id = ${at}\n${'print(id, "a line of a script")\n'.repeat(20)}return id\n`;
    writeFileSync(join(dir, 'src', folder, `Script${at}.luau`), source);
    place[`ReplicatedStorage/${folder}/Script${at}`] = {
      className: 'ModuleScript',
      source: at % 10 === 0 ? `${source}-- Studio\n` : source,
    };
  }
  vscode = await startVsCode({
    folder: dir,
    settings: { 'atlas.port': 0, 'extensions.ignoreRecommendations': false },
    env: { ATLAS_RECORD_TURNS: '1' },
  });
});
after(async () => {
  await vscode[Symbol.asyncDispose]();
  rmSync(dir, { recursive: true, force: true });
});

const execute = (command: string) => vscode.driver.call('execute', { command, args: [] });

test('[P6] blocks no turn for more than 20 ms in the first ten seconds, with a first comparison', async t => {
  const { studioUrl = '' } = await until('the bridge running', 30_000, async () => {
    const now = await atlasExports(vscode);
    return now.state === 'running' ? now : undefined;
  });
  await using _studio = await connectFakeStudio(studioUrl, place, { placeName: 'Harbor' }, await vscode.studioKey());
  await until('the first comparison', 60_000, async () =>
    /Harbor.* \d+$/.test((await atlasExports(vscode)).status) ? true : undefined,
  );
  const { turns, slowness } = (await execute('atlasTurns.end')) as RecordedTurns;
  t.diagnostic(`this machine is ${slowness.toFixed(1)} times slower than an idle one`);
  for (const { ownMs, cpuMs, atMs, functions } of turns)
    t.diagnostic(`${ownMs.toFixed(1)} of ${cpuMs.toFixed(1)} ms after ${Math.round(atMs)} ms: ${functions.join(', ')}`);
  assert.ok((turns[0]?.ownMs ?? 0) > 0, 'the recording has turns of Atlas Bridge');
  for (const turn of turns) assert.ok(turn.ownMs <= MAX_TURN_MS * slowness, JSON.stringify(turn));
});

const show = (name: string) => vscode.driver.call('show', { uri: `file://${join(dir, `src/${name}.luau`)}` });
const offers = () =>
  vscode.page.locator('.notification-list-item-message', { hasText: 'install the Luau language server' });

test('recommends the Luau language server once, when the first script of a project is opened', async () => {
  await execute('notifications.clearAll');
  await show('A');
  await offers().first().waitFor();
  await picture(vscode.page, 'out/host-luau-recommendation.png');
  await execute('notifications.clearAll');
  await show('B');
  await execute('workbench.action.closeAllEditors');
  await show('A');
  // A second offer would come before the answer of a whole command.
  await execute('atlas.writeSourcemap');
  await execute('notifications.showList');
  assert.equal(await offers().count(), 0);
});

test('highlights a script when no other extension does', async () => {
  await show('A');
  assert.equal((await vscode.driver.call('front', {}))?.language, 'luau');
  const colors = await until('the colors of the script', 15_000, async () => {
    const tokens = vscode.page.locator('.editor-instance .view-line span[class^="mtk"]');
    const found = await tokens.evaluateAll(all => all.map(one => `${one.getAttribute('class')} ${one.textContent}`));
    return found.length > 3 ? found : undefined;
  });
  const colorOf = (text: string): string => colors.find(one => one.includes(text))?.split(' ')[0] ?? '';
  const distinct = new Set(['script', 'local', '1'].map(colorOf));
  assert.equal(distinct.size, 3, colors.join('\n'));
});
