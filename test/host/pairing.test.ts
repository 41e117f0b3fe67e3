import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { WebSocket } from 'ws';
import type { StudioKey } from '../../src/ports/studio-keys.ts';
import { connectFakeStudio } from '../harness/connect-fake-studio.ts';
import { referenceTime, slownessOf } from '../../scripts/bench/slowness.ts';
import { attackBridge, type HostilePeer } from '../harness/hostile-peer.ts';
import { startPlace } from '../unit/studio-plugin/start-place.ts';
import { FakePlugin } from '../harness/fake-plugin.ts';
import { LegacyStudio } from '../harness/legacy-studio.ts';
import { atlasExports } from './harness/atlas-exports.ts';
import { picture } from './harness/picture.ts';
import { type RunningVsCode, startVsCode } from './harness/start-vscode.ts';
import { until } from './harness/until.ts';

/** Runs the plugin's side of a pairing in the VM. */
const pairingPlugin = `
  local it = { out = {} }
  shared.it = it
  local keys = require("@plugin/core/pairing/keys")
  local prove = require("@plugin/core/pairing/prove")
  it.start = function()
    it.receive = prove.new({
      keys = keys.new(nil),
      port = 34873,
      pair = {
        askCode = function(submit) it.submit = submit end,
        onPaired = function(_, key) it.key = key end,
      },
      onSession = function() end,
    })(function(frame) table.insert(it.out, frame) end, function() end, function(reason) it.failure = reason end)
  end`;

/**
 * CPU time of a turn on an idle machine, with garbage collection and the other extensions of the host. Without slices and limits, single
 * turns take 2 to 30 s.
 */
const MAX_TURN_MS = 40;
const REFERENCE_INTERVAL_MS = 100;

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

/** The dialog about a Studio without pairing. */
const dialog = (place: string) =>
  vscode.page.locator('.monaco-dialog-box', { hasText: `A Studio without pairing wants to connect: ${place}` });
const harbor = { placeName: '[Harbor](command:workbench.action.quit)\u202e', placeId: 42 };

test('asks in a dialog about a Studio without pairing, where Enter blocks and no name is a link', async () => {
  await using refused = await connect(harbor);
  await refused.closed;
  const shown = dialog('Harbor command:workbench.action.quit 42.');
  await shown.waitFor();
  await shown.getByText('Any program on this computer could pretend to be this Studio.').waitFor();
  assert.equal(await shown.locator('.dialog-message-text a, .dialog-message-detail a').count(), 0);
  await shown.getByRole('button', { name: 'Block' }).and(vscode.page.locator(':focus')).waitFor();
  assert.equal(await readStatus(), 403);
  // Only one dialog, whatever other places ask for.
  await using other = await connect({ placeName: 'Lobby', placeId: 43 });
  await other.closed;
  await picture(vscode.page, 'out/host-unpaired.png');
  assert.equal(await vscode.page.locator('.monaco-dialog-box').count(), 1);
  await shown.getByRole('button', { name: 'Allow Once' }).click();
  await until('the answer', 10_000, async () => ((await readStatus()) === 200 ? true : undefined));
});

test('connects a Studio without pairing after Always for This Place', async () => {
  await using refused = await connect({ placeName: 'Lobby', placeId: 43 });
  await refused.closed;
  await dialog('Lobby 43.').getByRole('button', { name: 'Always for This Place' }).click();
  await until('a connection that stays', 20_000, async () => {
    await using _allowed = await connect({ placeName: 'Lobby', placeId: 43 });
    await vscode.page.locator('.statusbar-item[id*="atlas.status"]', { hasText: 'Lobby' }).waitFor({ timeout: 10_000 });
    return true as const;
  });
});

/** Chooses in the Settings editor: only the settings of the user decide, and code-server does not watch their file. */
async function choosePolicy(policy: string): Promise<void> {
  await vscode.driver.call('execute', {
    command: 'workbench.action.openSettings',
    args: ['@id:atlas.studio.unpaired'],
  });
  const list = vscode.page.locator('.settings-editor .setting-item-control select').first();
  await until(`${policy} in the Settings editor`, 30_000, async () => {
    await list.selectOption(policy, { timeout: 5_000 });
    return (await list.inputValue()) === policy ? true : undefined;
  });
}

test('[atlas.studio.unpaired] refuses a Studio without a question when set to block', async () => {
  await choosePolicy('block');
  let places = 0;
  await until('no question', 60_000, async () => {
    const placeName = `Arena ${(places += 1)}`;
    await using refused = await connect({ placeName, placeId: 44 + places });
    await refused.closed;
    // A question would come before the answer of a whole command.
    await vscode.driver.call('execute', { command: 'atlas.writeSourcemap', args: [{ output: join(dir, 'map.json') }] });
    if ((await dialog(placeName).count()) === 0) return true;
    // VS Code has not applied the setting yet. After a refusal there would be no question for a minute.
    await dialog(placeName).getByRole('button', { name: 'Allow Once' }).click();
    return undefined;
  });
});

test('does not ask about a blocked place again', async () => {
  await choosePolicy('ask');
  const pier = { placeName: 'Pier', placeId: 99 };
  await until('the question', 60_000, async () => {
    await using refused = await connect(pier);
    await refused.closed;
    await dialog('Pier 99.').waitFor({ timeout: 3_000 });
    return true as const;
  });
  await vscode.page.keyboard.press('Enter');
  await dialog('Pier 99.').waitFor({ state: 'detached' });
  await using again = await connect(pier);
  await again.closed;
  await vscode.driver.call('execute', { command: 'atlas.writeSourcemap', args: [{ output: join(dir, 'map.json') }] });
  assert.equal(await dialog('Pier').count(), 0);
});

test('pairs a Studio by the six-digit code of the notification', async () => {
  // The plugin's own code of the pairing, at the end of a real socket.
  const vm = await startPlace();
  vm.run(pairingPlugin);
  const socket = new WebSocket(`${studioUrl.replace('http', 'ws')}/api/mcp/stream`);
  const carry = (): void => {
    const [out] = vm.run('local out = shared.it.out shared.it.out = {} return out') as unknown as [object[]];
    for (const frame of out) socket.send(JSON.stringify(frame));
  };
  socket.on('message', (bytes: Buffer) => {
    vm.run('shared.it.receive(args[1])', 'chunk', JSON.parse(String(bytes)));
    carry();
  });
  await once(socket, 'open');
  vm.run('shared.it.start()');
  carry();
  const shown = question('Pair with Roblox Studio: enter');
  await shown.waitFor();
  await picture(vscode.page, 'out/host-pairing-code.png');
  const code = /(\d{3}) (\d{3})/.exec((await shown.textContent()) ?? '');
  assert.ok(code !== null, (await shown.textContent()) ?? '');
  vm.run('shared.it.submit(args[1])', 'chunk', `${code[1]}${code[2]}`);
  carry();
  await question('Roblox Studio was paired.').waitFor();
  socket.terminate();
  const [key] = vm.run('return shared.it.key') as unknown as [StudioKey];
  await using _studio = await connectFakeStudio(studioUrl, {}, { placeName: 'Laptop' }, key);
  await vscode.page.locator('.statusbar-item[id*="atlas.status"]', { hasText: 'Laptop' }).waitFor();
});

test('[P6] keeps the extension host responsive while hostile peers send huge messages', async t => {
  const port = Number(new URL(studioUrl).port);
  const attack = async (peer: HostilePeer): Promise<void> => {
    const references: number[] = [];
    using _measuring = setInterval(() => references.push(referenceTime()), REFERENCE_INTERVAL_MS);
    await vscode.driver.call('watchTurns', {});
    await attackBridge(port, peer);
    const { cpuMs, wallMs, megabytes } = await vscode.driver.call('longestTurn', {});
    /** A busy machine takes more CPU time for the same work. */
    const slowness = slownessOf(references);
    const figures = `machine ${slowness.toFixed(1)} times slower than idle: longest turn ${Math.round(cpuMs)} ms of CPU time, ${Math.round(wallMs)} ms in all, ${Math.round(megabytes)} MB`;
    t.diagnostic(figures);
    assert.ok(cpuMs < MAX_TURN_MS * slowness, figures);
    assert.ok(megabytes < 2000, figures);
  };
  await attack({});
  await attack({ key: await vscode.studioKey() });
  const { state } = await atlasExports(vscode);
  assert.equal(state, 'running');
  await using _studio = await connectFakeStudio(studioUrl, {}, { placeName: 'Calm' }, await vscode.studioKey());
  await vscode.page.locator('.statusbar-item[id*="atlas.status"]', { hasText: 'Calm' }).waitFor();
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
