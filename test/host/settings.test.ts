import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
  renameSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { WebSocket } from 'ws';
import { createFileJournalStore } from '../../src/adapters/node/journal/file-journal-store.ts';
import { baseTextsFolder, commandJournal } from '../../src/adapters/node/journal/known-journals.ts';
import { stateFolder } from '../../src/adapters/node/state-folder.ts';
import { decodeMsgpack } from '../../src/protocol/msgpack/decode.ts';
import { SyncResult } from '../../src/protocol/sync-result.ts';
import { type ConnectedStudio, connectFakeStudio } from '../harness/connect-fake-studio.ts';
import { atlasExports } from './harness/atlas-exports.ts';
import { changeSettings } from './harness/change-settings.ts';
import { ownPort } from '../harness/own-port.ts';
import { reviewPage } from './harness/review-page.ts';
import { type RunningVsCode, startVsCode } from './harness/start-vscode.ts';
import { until } from './harness/until.ts';
import { vsCodeAgent } from './harness/vscode-agent.ts';

/** Tests the effect of each setting, except settings with a separate test file. */
let dir = '';
let rojoPort = 0;
let vscode: RunningVsCode;
let studio: ConnectedStudio;

const file = (): string => join(dir, 'src/Main.luau');
const execute = (command: string, ...args: readonly unknown[]): Promise<unknown> =>
  vscode.driver.call('execute', { command, args });
const info = async (url: string): Promise<{ readonly serverVersion: string }> =>
  decodeMsgpack(new Uint8Array(await (await fetch(`${url}/api/rojo`)).arrayBuffer())) as { serverVersion: string };
/** Calls a tool as an agent and confirms the dialog. */
const sync = async (input: object): Promise<SyncResult> => {
  const agent = vsCodeAgent(vscode);
  const answer = agent.invoke('atlas_sync', input);
  await agent.allow();
  return SyncResult.parse(JSON.parse((await answer)[0] ?? ''));
};
const idOfMain = async (): Promise<string> => {
  const { changes } = await sync({ mode: 'dryrun' });
  return changes.find(({ path }) => path === 'ServerScriptService/Main')?.id ?? '';
};
const connect = async (): Promise<ConnectedStudio> => {
  const { studioUrl = '' } = await until('the bridge running', 30_000, async () => {
    const now = await atlasExports(vscode);
    return now.state === 'running' ? now : undefined;
  });
  return connectFakeStudio(
    studioUrl,
    {
      ServerScriptService: { className: 'ServerScriptService' },
      'ServerScriptService/Main': { className: 'ModuleScript', source: 'return "studio"\n' },
    },
    { placeName: 'Baseplate', studioId: 'one' },
    await vscode.studioKey(),
  );
};

before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'atlas-settings-'));
  mkdirSync(join(dir, 'src'));
  const tree = { $className: 'DataModel', ServerScriptService: { $path: 'src' } };
  writeFileSync(join(dir, 'default.project.json'), JSON.stringify({ name: 'Small', tree }));
  writeFileSync(file(), 'return "disk"\n');
  rojoPort = await ownPort();
  vscode = await startVsCode({ hasChat: true, folder: dir, settings: { 'atlas.port': 0, 'atlas.rojoPort': null } });
  studio = await connect();
});
after(async () => {
  await studio[Symbol.asyncDispose]();
  await vscode[Symbol.asyncDispose]();
  rmSync(dir, { recursive: true, force: true });
});

test('[atlas.atlasPluginVersion] reports the configured version to the Atlas plugin', async () => {
  const { studioUrl = '' } = await atlasExports(vscode);
  await changeSettings(vscode, { 'atlas.atlasPluginVersion': '9.8.7' });
  await until('the version', 10_000, async () =>
    (await info(studioUrl)).serverVersion === '9.8.7' ? true : undefined,
  );
});

test('[atlas.overrides.approval] [atlas.overrides.requirePrecondition] limit agent decisions', async () => {
  const id = await idOfMain();
  const verdict = async (): Promise<string | undefined> =>
    (await sync({ mode: 'dryrun', overrides: [{ id, direction: 'push' }] })).overrides[0]?.verdict;
  assert.equal(await verdict(), 'accepted');
  await changeSettings(vscode, { 'atlas.overrides.requirePrecondition': true });
  await until('the setting counting', 20_000, async () =>
    (await verdict()) === 'precondition_missing' ? true : undefined,
  );
  await changeSettings(vscode, { 'atlas.overrides.approval': 'never' });
  await until('the setting counting', 20_000, async () => ((await verdict()) === 'declined' ? true : undefined));
  await changeSettings(vscode, { 'atlas.overrides.requirePrecondition': false, 'atlas.overrides.approval': 'auto' });
});

test('[atlas.live] [atlas.startLiveSync] [atlas.stopLiveSync] switch Live Sync from the view', async () => {
  await execute('atlas.studios.focus');
  const view = vscode.page.locator('.pane', { has: vscode.page.locator('.pane-header[aria-label^="Studios"]') });
  const button = (name: string) => view.locator(`.pane-header .action-label[aria-label^="${name}"]`);
  await view.locator('.pane-header').hover();
  await button('Start Live Sync').waitFor();
  await changeSettings(vscode, { 'atlas.live': 'twoWay' });
  await button('Stop Live Sync').waitFor();
  await until('the state in the line', 10_000, async () =>
    /live/.test(await view.locator('.monaco-list-row').first().innerText()) ? true : undefined,
  );
  await button('Stop Live Sync').click();
  await button('Start Live Sync').waitFor();
  await changeSettings(vscode, { 'atlas.live': 'off' });
  const started = execute('atlas.startLiveSync');
  await vscode.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Disk to Studio' }).click();
  const { kind, outcome } = (await started) as { kind: string; outcome: string };
  // The Studio of this test does not support Live Sync.
  assert.deepEqual([kind, outcome], ['unsupported', 'refused']);
  // The status bar names the mode of the session that failed.
  assert.deepEqual(await execute('atlas.startLiveSync', 'twoWay'), { kind: 'unsupported', outcome: 'refused' });
  assert.deepEqual(await execute('atlas.stopLiveSync'), { kind: 'off', outcome: 'done' });
  assert.deepEqual(await execute('atlas.stopLiveSync'), { kind: 'off', outcome: 'already' });
});

/** The extension's folder for this workspace. */
function storageFolder(): string {
  const storage = join(vscode.logs, '..', 'User/workspaceStorage');
  const [workspace = ''] = readdirSync(storage).filter(name =>
    readdirSync(join(storage, name)).includes('atlas-bridge.atlas-bridge'),
  );
  return join(storage, workspace, 'atlas-bridge.atlas-bridge');
}

test('[atlas.base.maxMegabytes] deletes base texts that take more', async () => {
  await changeSettings(vscode, { 'atlas.base.maxMegabytes': 1 });
  const texts = baseTextsFolder(commandJournal(stateFolder(realpathSync(dir), process.env)));
  const packs = (): readonly string[] =>
    existsSync(texts) ? readdirSync(texts).filter(name => name.endsWith('.pack')) : [];
  const push = async (text: string): Promise<void> => {
    writeFileSync(file(), text);
    const result = execute('atlas.reviewChanges') as Promise<SyncResult>;
    const review = reviewPage(vscode.page);
    await review.shown();
    await review.choose('ServerScriptService/Main', 'push');
    await review.apply();
    assert.equal((await result).status, 'success');
  };
  // With CRLF, because the journal has the bytes of a pushed file, and texts that it has are not stored again.
  await push('return "small"\r\n');
  await until('a base text', 10_000, async () => (packs().length > 0 ? true : undefined));
  // Half of it is left after compression.
  await push(`-- ${randomBytes(1_300_000).toString('hex')}\r\n`);
  await until('no base text', 10_000, async () => (packs().length === 0 ? true : undefined));
  await changeSettings(vscode, { 'atlas.base.maxMegabytes': 200 });
});

test('[atlas.merge.auto] applies a complete merge without asking', async () => {
  const text = 'local a = 1\n\nlocal b = 2\nreturn a\n';
  writeFileSync(file(), text);
  const pushed = execute('atlas.reviewChanges') as Promise<SyncResult>;
  const review = reviewPage(vscode.page);
  await review.shown();
  await review.choose('ServerScriptService/Main', 'push');
  await review.apply();
  assert.equal((await pushed).status, 'success');
  await changeSettings(vscode, { 'atlas.merge.auto': 'apply' });
  writeFileSync(file(), text.replace('a = 1', 'a = 10'));
  studio.studio.edit('ServerScriptService/Main', text.replace('b = 2', 'b = 20'));
  const merged = await until('the merge', 20_000, async () => {
    const result = await sync({ mode: 'fastfail' });
    return result.status === 'success' ? result : undefined;
  });
  assert.equal(merged.changes[0]?.outcome, 'merged');
  assert.equal(readFileSync(file(), 'utf8'), 'local a = 10\n\nlocal b = 20\nreturn a\n');
  await changeSettings(vscode, { 'atlas.merge.auto': 'suggest' });
});

test('[atlas.journal.maxDays] [atlas.journal.maxMegabytes] delete old and large records', async () => {
  let count = 0;
  // Records are pruned after each run.
  const run = async (): Promise<void> => {
    count += 1;
    writeFileSync(file(), `return "disk ${count}"\n`);
    const result = execute('atlas.reviewChanges') as Promise<SyncResult>;
    const review = reviewPage(vscode.page);
    await review.shown();
    await review.choose('ServerScriptService/Main', 'push');
    await review.apply();
    assert.equal((await result).status, 'success');
  };
  // The first run creates the journal.
  await run();
  const folder = join(storageFolder(), 'journal');
  const journal = () => createFileJournalStore(folder, { segmentBytes: 1 });
  const record = (runId: string, byteCount = 0): Promise<void> =>
    journal().append(runId, { runId }, new Map([['file', randomBytes(byteCount)]]), {});
  const isRecorded = async (runId: string): Promise<boolean> =>
    (await journal().list()).some(entry => entry.runId === runId);
  const untilPruned = (runId: string): Promise<unknown> =>
    until(`${runId} pruned`, 30_000, async () => {
      await run();
      return (await isRecorded(runId)) ? undefined : true;
    });
  await changeSettings(vscode, { 'atlas.journal.maxDays': 1, 'atlas.journal.maxMegabytes': 10 });
  await record('old');
  const [newest = ''] = readdirSync(folder)
    .filter(name => name.endsWith('.journal'))
    .toSorted()
    .toReversed();
  renameSync(join(folder, newest), join(folder, newest.replace(/-\d{8}/, '-20200101')));
  // Age removes none of the newest 50 records.
  for (let at = 0; at < 50; at += 1) await record(`new-${at}`);
  await untilPruned('old');
  assert.ok(await isRecorded('new-49'));

  await studio[Symbol.asyncDispose]();
  await changeSettings(vscode, { 'atlas.rojoPort': rojoPort });
  await until('[atlas.rojoPort] a port for that plugin', 30_000, async () =>
    (await info(`http://127.0.0.1:${rojoPort}`)).serverVersion === '' ? undefined : true,
  );
  studio = await connect();
  await record('large', 11 * 1024 * 1024);
  await record('newest');
  await untilPruned('large');
  assert.ok(await isRecorded('newest'));
});

test('[atlas.review.timeoutMinutes] [atlas.timeoutMultiplier] end waiting in time', async () => {
  await changeSettings(vscode, {
    'atlas.review.timeoutMinutes': 1,
    'atlas.timeoutMultiplier': 1.5,
    'atlas.atlasPluginVersion': '1.2.3',
  });
  writeFileSync(file(), 'return "undecided"\n');
  const { studioUrl = '' } = await atlasExports(vscode);
  // All settings take effect together; only this one is observable from here.
  await until('the settings to take effect', 10_000, async () =>
    (await info(studioUrl)).serverVersion === '1.2.3' ? true : undefined,
  );
  const began = performance.now();
  // The handshake timeout of 10 s, multiplied by 1.5.
  const silent = new WebSocket(`${studioUrl.replace('http', 'ws')}/api/mcp/stream`);
  const closed = new Promise<number>(resolve => silent.once('close', () => resolve(performance.now() - began)));
  const review = execute('atlas.reviewChanges') as Promise<SyncResult>;
  await reviewPage(vscode.page).shown();
  const waited = await closed;
  assert.ok(waited > 14_000 && waited < 25_000, `${waited} ms`);
  assert.equal((await review).status, 'review_timeout');
  assert.ok(performance.now() - began > 55_000);
});
