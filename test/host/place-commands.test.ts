import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { picture } from './harness/picture.ts';
import { listedNotice } from './harness/listed-notice.ts';
import { type RunningVsCode, startVsCode } from './harness/start-vscode.ts';
import { pressEnterInPick } from './harness/palette.ts';
import { until } from './harness/until.ts';

let dir = '';
let vscode: RunningVsCode;
/** Requests to a stand-in for Open Cloud, which accepts one key. */
const received: { readonly request: IncomingMessage; readonly bytes: number }[] = [];
const openCloud = createServer((request, response) => {
  let bytes = 0;
  request.on('data', (chunk: Buffer) => (bytes += chunk.length));
  request.on('end', () => {
    received.push({ request, bytes });
    response.writeHead(request.headers['x-api-key'] === 'right' ? 200 : 401);
    response.end('{"versionNumber": 7}');
  });
});
const file = (path: string): string => join(dir, path);
const git = (...args: readonly string[]): void => {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@invalid'];
  execFileSync('git', [...identity, ...args], { cwd: file('game'), stdio: 'ignore' });
};

before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'atlas-place-'));
  mkdirSync(file('game/src'), { recursive: true });
  mkdirSync(file('bin'));
  const tree = { $className: 'DataModel', ReplicatedStorage: { $path: 'src' } };
  const project = { name: 'Harbor', placeId: 1818, gameId: 13_058, tree };
  writeFileSync(file('game/default.project.json'), JSON.stringify(project));
  writeFileSync(file('game/src/A.luau'), 'return 1\n');
  git('init');
  git('add', '.');
  git('commit', '-m', 'first');
  // The programs of a Linux desktop.
  writeFileSync(file('handler'), 'studio.desktop\n');
  writeFileSync(file('bin/xdg-mime'), `#!/bin/sh\ncat '${file('handler')}'\n`);
  writeFileSync(file('bin/xdg-open'), `#!/bin/sh\nprintf '%s\\n' "$@" >> '${file('opened')}'\n`);
  for (const name of ['xdg-mime', 'xdg-open']) chmodSync(file(`bin/${name}`), 0o755);
  await new Promise<void>(resolve => openCloud.listen(0, '127.0.0.1', resolve));
  vscode = await startVsCode({
    folder: file('game'),
    settings: { 'atlas.port': 0 },
    env: {
      // Otherwise VS Code takes PATH from a login shell.
      VSCODE_CLI: '1',
      PATH: `${file('bin')}:${process.env['PATH'] ?? ''}`,
      ATLAS_BRIDGE_OPEN_CLOUD_PORT: String((openCloud.address() as AddressInfo).port),
    },
  });
});
after(async () => {
  await vscode[Symbol.asyncDispose]();
  openCloud.close();
  rmSync(dir, { recursive: true, force: true });
});

const execute = (command: string, ...args: readonly unknown[]): Promise<unknown> =>
  vscode.driver.call('execute', { command, args });
const notice = (text: string) => vscode.page.locator('.notification-list-item-message', { hasText: text }).first();
const opened = (): Promise<readonly string[]> =>
  until('a request to the system', 20_000, async () =>
    existsSync(file('opened')) ? readFileSync(file('opened'), 'utf8').trim().split('\n') : undefined,
  );
const outcomeOf = (answer: unknown): unknown => (answer as { readonly outcome?: string } | undefined)?.outcome;

test('[atlas.buildAndOpen] opens the built place, and says when a Studio connects', async () => {
  const place = file('game.rbxl');
  const answer = await execute('atlas.buildAndOpen', { file: place });
  assert.deepEqual(answer, { outcome: 'accepted', file: place });
  assert.equal(readFileSync(place).subarray(0, 8).toString('latin1'), '<roblox!');
  assert.deepEqual(await opened(), [place]);
  await notice('Asked the system to open game.rbxl in Roblox Studio.').waitFor();
  await execute('atlas.openPlaceHeadless', place);
  await notice('Studio connected: game').waitFor();
  await execute('notifications.clearAll');
});

test('[atlas.openInStudio] opens the published place, and explains when no program opens places', async () => {
  rmSync(file('opened'));
  const running = execute('atlas.openInStudio');
  await vscode.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Published place 1818' }).click();
  assert.deepEqual(await running, { outcome: 'accepted', placeId: 1818 });
  assert.deepEqual(await opened(), ['roblox-studio:1+task:EditPlace+placeId:1818+universeId:13058']);
  writeFileSync(file('handler'), '');
  assert.equal(outcomeOf(await execute('atlas.openInStudio', { file: file('game.rbxl') })), 'refused');
  await notice('No program on this computer can open Roblox places.').waitFor();
  await execute('notifications.clearAll');
});

test('[atlas.publishPlace] says how many instances differ from the commit and from Studio', async () => {
  const dialog = vscode.page.locator('.monaco-dialog-box');
  const compareAndAsk = async (text: string, button: string): Promise<void> => {
    await execute('atlas.compareWithStudio');
    const running = execute('atlas.publishPlace');
    await dialog.getByText(text).waitFor();
    await dialog.getByRole('button', { name: button, exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await running, undefined);
  };
  await compareAndAsk('The files and Studio match the last commit.', 'Publish');
  writeFileSync(file('game/src/A.luau'), 'return 3\n');
  writeFileSync(file('game/src/B.luau'), 'return 4\n');
  git('add', '.');
  git('commit', '-m', 'second');
  await compareAndAsk('2 instances differ from Studio.', 'Publish Anyway');
  git('revert', '--no-edit', 'HEAD');
  await compareAndAsk('The files and Studio match the last commit.', 'Publish');
  assert.equal(received.length, 0);
});

test('[atlas.publishPlace] names how the files differ, and sends nothing without a confirmation', async () => {
  writeFileSync(file('game/src/A.luau'), 'return 2\n');
  const running = execute('atlas.publishPlace');
  const dialog = vscode.page.locator('.monaco-dialog-box');
  await dialog.getByText('Publish Harbor to the players of place 1818?').waitFor();
  await dialog.getByText('1 file differs from the last commit: src/A.luau').waitFor();
  // Enter gives players nothing that differs.
  await dialog.locator('.monaco-button:focus', { hasText: 'Save Version' }).waitFor();
  await picture(vscode.page, 'out/host-publish-place.png');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  assert.equal(await running, undefined);
  assert.equal(received.length, 0);
});

test('[atlas.publishPlace] sends the place once, and asks for another key after a refusal', async () => {
  const dialog = vscode.page.locator('.monaco-dialog-box');
  const publish = async (button: string): Promise<unknown> => {
    const running = execute('atlas.publishPlace');
    await dialog.getByRole('button', { name: button }).click();
    return running;
  };
  const input = vscode.page.locator('.quick-input-widget input');
  const enter = async (key: string): Promise<void> => {
    await vscode.page.locator('.quick-input-widget', { hasText: 'API Key of Open Cloud' }).waitFor();
    assert.equal(await input.last().getAttribute('type'), 'password');
    await vscode.page.keyboard.type(key);
    await pressEnterInPick(vscode.page);
  };
  // A comparison in the background would change what the dialog says while it is open, so it would ask again.
  await execute('atlas.compareWithStudio');
  const wrong = publish('Publish Anyway');
  await enter('wrong');
  assert.equal(outcomeOf(await wrong), 'failed');
  await notice('Open Cloud answered 401').waitFor();
  await vscode.page.getByRole('button', { name: 'Forget API Key' }).click();
  const right = publish('Save Version');
  await enter('right');
  assert.deepEqual(await right, { outcome: 'done', versionNumber: 7 });
  assert.deepEqual(await publish('Publish Anyway'), { outcome: 'done', versionNumber: 7 });
  assert.deepEqual(
    received.map(({ request }) => `${request.method ?? ''} ${request.url ?? ''}`),
    ['Published', 'Saved', 'Published'].map(
      type => `POST /universes/v1/13058/places/1818/versions?versionType=${type}`,
    ),
  );
  assert.ok(received.every(({ bytes }) => bytes > 100));
});

test('[atlas.forgetApiKey] removes the stored key, and says so when there is none', async () => {
  assert.equal(outcomeOf(await execute('atlas.forgetApiKey')), 'done');
  await listedNotice(vscode, 'The API key was removed. Publish Place asks for another one.');
  assert.equal(outcomeOf(await execute('atlas.forgetApiKey')), 'already');
  await listedNotice(vscode, 'No API key is stored. Publish Place asks for one.');
  await execute('notifications.hideList');
});
