import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultSettings } from '../../harness/default-settings.ts';
import { LiveStudio } from '../../harness/live-studio.ts';
import { startBridge } from '../../harness/start-bridge.ts';
import { until } from '../../harness/until.ts';
import { formatSentence } from '../../../src/base/sentence.ts';

const files = {
  'default.project.json': JSON.stringify({
    name: 'harbor',
    tree: { $className: 'DataModel', ServerScriptService: { $path: 'src' } },
  }),
  'src/Dock.luau': 'disk',
};
const place = (source: string) => ({
  ServerScriptService: { className: 'ServerScriptService' },
  'ServerScriptService/Dock': { className: 'ModuleScript', source },
});

test('lists both Studios to an agent, which chooses one', async () => {
  await using bridge = await startBridge(files);
  const main = await bridge.connectStudio(place('main'), { placeName: 'Main', placeId: 11, studioId: 'a' });
  const lobby = await bridge.connectStudio(place('lobby'), { placeName: 'Lobby', placeId: 22, studioId: 'b' });

  const ambiguous = (await bridge.call('atlas_sync', { mode: 'dryrun' })).answer;
  assert.equal(ambiguous['status'], 'error');
  const error = ambiguous['error'] as { code: string; message: string; details: { studios: unknown } };
  assert.equal(error.code, 'STUDIO_AMBIGUOUS');
  assert.match(error.message, /studio-1 \(Main, place 11\), studio-2 \(Lobby, place 22\)/);
  assert.deepEqual(error.details.studios, [
    { studio: 'studio-1', place: 'Main', placeId: 11 },
    { studio: 'studio-2', place: 'Lobby', placeId: 22 },
  ]);

  const dry = (await bridge.call('atlas_sync', { mode: 'dryrun', studio: 'studio-2' })).answer;
  assert.equal(dry['status'], 'dryrun');
  assert.equal(dry['studio'], 'studio-2');
  const [change] = dry['changes'] as { id: string; studioHash: string }[];
  const script = (await bridge.call('get_script', { id: change?.id, studio: 'studio-2' })).answer;
  assert.equal(script['source'], 'lobby');
  const pushed = { id: change?.id, direction: 'push', studioHash: change?.studioHash };
  const done = (await bridge.call('atlas_sync', { mode: 'fastfail', studio: 'studio-2', overrides: [pushed] })).answer;
  assert.equal(done['status'], 'success');
  assert.equal(lobby.studio.source('ServerScriptService/Dock'), 'disk');
  assert.equal(main.studio.source('ServerScriptService/Dock'), 'main');
});

test('does not apply an override for one Studio to another one', async () => {
  await using bridge = await startBridge(files);
  await bridge.connectStudio(place('main'), { studioId: 'a' });
  const lobby = await bridge.connectStudio(place('lobby'), { studioId: 'b' });
  const dry = (await bridge.call('atlas_sync', { mode: 'dryrun', studio: 'studio-1' })).answer;
  const [change] = dry['changes'] as { id: string; studioHash: string }[];
  const override = { id: change?.id, direction: 'push', studioHash: change?.studioHash };
  const other = (await bridge.call('atlas_sync', { mode: 'fastfail', studio: 'studio-2', overrides: [override] }))
    .answer;
  assert.equal(other['status'], 'fastfail_unresolved');
  assert.equal((other['overrides'] as { verdict: string }[])[0]?.verdict, 'hash_mismatch');
  assert.equal(lobby.studio.source('ServerScriptService/Dock'), 'lobby');
});

test('lists the connected Studios when the requested one is missing', async () => {
  await using bridge = await startBridge(files);
  await bridge.connectStudio(place('main'), { placeName: 'Main' });
  const { answer, isError } = await bridge.call('get_script', { fsPath: 'src/Dock.luau', studio: 'studio-7' });
  assert.equal(isError, true);
  const error = answer['error'] as { code: string; message: string };
  assert.equal(error.code, 'UNKNOWN_STUDIO');
  assert.match(error.message, /No Studio called studio-7.*studio-1 \(Main, place 7\)/);
});

test('holds a live session with each Studio, and sends the edits of one to the other', async () => {
  await using bridge = await startBridge(files, { settings: defaultSettings({ live: () => 'twoWay' }) });
  await using main = new LiveStudio(bridge.studioUrl, 'ServerScriptService/Dock');
  await using lobby = new LiveStudio(bridge.studioUrl, 'ServerScriptService/Dock');
  main.connect();
  lobby.connect();
  await until(() => bridge.liveStudios() === 2);
  main.edit('from main');
  await until(() => lobby.source === 'from main');
  assert.equal(bridge.disk.text('src/Dock.luau'), 'from main');
  bridge.disk.set('src/Dock.luau', 'from disk');
  await until(() => main.source === 'from disk' && lobby.source === 'from disk');
  await main[Symbol.asyncDispose]();
  await until(() => bridge.liveStudios() === 1);
  lobby.edit('from the lobby');
  await until(() => bridge.disk.text('src/Dock.luau') === 'from the lobby');
});

test('writes the first of two concurrent edits of a script, and asks about the second by name', async () => {
  await using bridge = await startBridge(files, { settings: defaultSettings({ live: () => 'twoWay' }) });
  const needed: string[] = [];
  bridge.live.onDidNeedSync(reason => needed.push(formatSentence(reason)));
  await using main = new LiveStudio(bridge.studioUrl, 'ServerScriptService/Dock');
  await using lobby = new LiveStudio(bridge.studioUrl, 'ServerScriptService/Dock');
  main.connect();
  lobby.connect();
  await until(() => bridge.liveStudios() === 2);
  main.edit('main');
  lobby.edit('lobby');
  await until(() => needed.length > 0);
  const onDisk = bridge.disk.text('src/Dock.luau');
  assert.ok(onDisk === 'main' || onDisk === 'lobby');
  const loser = onDisk === 'main' ? lobby : main;
  assert.equal(loser.source, onDisk === 'main' ? 'lobby' : 'main');
  assert.match(needed[0] ?? '', /^studio-\d \(/);
});
