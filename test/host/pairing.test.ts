import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { FakePlugin } from '../harness/fake-plugin.ts';
import { LegacyStudio } from '../harness/legacy-studio.ts';
import { atlasExports } from './harness/atlas-exports.ts';
import { changeSettings } from './harness/change-settings.ts';
import { type RunningVsCode, startVsCode } from './harness/start-vscode.ts';
import { until } from './harness/until.ts';

let dir: string;
let vscode: RunningVsCode;
let studioUrl: string;

before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'atlas-pairing-'));
  mkdirSync(join(dir, 'src'));
  const tree = { $className: 'DataModel', ServerScriptService: { $path: 'src' } };
  writeFileSync(join(dir, 'default.project.json'), JSON.stringify({ name: 'Small', tree }));
  writeFileSync(join(dir, 'src/Boot.server.luau'), 'print(1)\n');
  mkdirSync(join(dir, '.vscode'));
  // A workspace cannot let Studios in.
  writeFileSync(join(dir, '.vscode/settings.json'), '{ "atlas.studio.unpaired": "allow" }');
  vscode = await startVsCode({ folder: dir, settings: { 'atlas.port': 0, 'atlas.rojoPort': null } });
  ({ studioUrl = '' } = await until('the bridge', 30_000, async () => {
    const now = await atlasExports(vscode);
    return now.studioUrl === undefined ? undefined : now;
  }));
});
after(async () => {
  await vscode[Symbol.asyncDispose]();
  rmSync(dir, { recursive: true, force: true });
});

const connect = (place: object) => LegacyStudio.connect(studioUrl, {}, place);
const question = (text: string) => vscode.page.locator('.notification-list-item', { hasText: text });
const readStatus = async (): Promise<number> =>
  (await new FakePlugin(studioUrl).get(`/api/read/${'0'.repeat(32)}`)).status;

test('asks about a Studio without pairing, and shows its name without links', async () => {
  await using refused = await connect({ placeName: '[Harbor](command:workbench.action.quit)\u202e', placeId: 42 });
  await refused.closed;
  const shown = question('A Studio without pairing wants to connect: Harbor command:workbench.action.quit 42.');
  await shown.waitFor({ timeout: 20_000 });
  assert.equal(await shown.locator('.notification-list-item-message a').count(), 0);
  assert.equal(await readStatus(), 403);
  await shown.getByRole('button', { name: 'Block' }).click();
  await using again = await connect({ placeName: '[Harbor](command:workbench.action.quit)\u202e', placeId: 42 });
  await again.closed;
  assert.equal(await readStatus(), 403);
});

test('connects a Studio without pairing after Always for This Place', async () => {
  await using refused = await connect({ placeName: 'Lobby', placeId: 43 });
  await refused.closed;
  const shown = question('A Studio without pairing wants to connect: Lobby 43.');
  await shown.getByRole('button', { name: 'Always for This Place' }).click({ timeout: 20_000 });
  await until('the answer', 10_000, async () => ((await readStatus()) === 200 ? true : undefined));
  await using _allowed = await connect({ placeName: 'Lobby', placeId: 43 });
  await vscode.page.locator('.statusbar-item[id*="atlas.status"]', { hasText: 'Lobby' }).waitFor({ timeout: 20_000 });
});

test('[atlas.studio.unpaired] refuses a Studio without a question when set to block', async () => {
  changeSettings(vscode, { 'atlas.studio.unpaired': 'block' });
  let places = 0;
  await until('no question', 20_000, async () => {
    const placeName = `Arena ${(places += 1)}`;
    await using refused = await connect({ placeName, placeId: 44 + places });
    await refused.closed;
    await new Promise(resolve => setTimeout(resolve, 1000));
    return (await question(placeName).count()) === 0 ? true : undefined;
  });
});

test('[atlas.changeStudioKey] gives Studio plugins another key', async () => {
  const before = await vscode.studioKey();
  const answer = await vscode.driver.call('execute', {
    command: 'atlas.changeStudioKey',
    args: [{ confirmed: true }],
  });
  assert.equal((answer as { outcome: string }).outcome, 'done');
  assert.notDeepEqual(await vscode.studioKey(), before);
});
