import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectFakeStudio } from '../../harness/connect-fake-studio.ts';
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
  'src/Dock.luau': 'start',
};
const settings = defaultSettings({ live: () => 'twoWay' });

/** Edits disk and Studio in turn, each after the other has the previous edit. Returns the messages of the conversation. */
async function story(cutAt: number): Promise<readonly string[]> {
  await using bridge = await startBridge(files, { settings });
  const needed: string[] = [];
  bridge.live.onDidNeedSync(reason => needed.push(formatSentence(reason)));
  await using studio = new LiveStudio(bridge.studioUrl, 'ServerScriptService/Dock');
  studio.cutAt = cutAt;
  studio.connect();
  await until(() => studio.source === 'start');
  bridge.disk.set('src/Dock.luau', 'disk 1');
  await until(() => studio.source === 'disk 1');
  studio.edit('Studio 1');
  await until(() => bridge.disk.text('src/Dock.luau') === 'Studio 1');
  bridge.disk.set('src/Dock.luau', 'disk 2');
  await until(() => studio.source === 'disk 2');
  studio.edit('Studio 2');
  await until(() => bridge.disk.text('src/Dock.luau') === 'Studio 2' && studio.isSettled);
  assert.equal(studio.source, 'Studio 2');
  assert.deepEqual(needed, []);
  assert.deepEqual(
    bridge.disk.paths().filter(path => path.startsWith('src/')),
    ['src/Dock.luau'],
  );
  return studio.messages;
}

const conversation = await story(0);

test('sends no unnecessary message', () => {
  assert.deepEqual(conversation, [
    'live',
    'liveReady',
    'livePatch',
    'liveApplied',
    'liveEdit',
    'liveWritten',
    'livePatch',
    'liveApplied',
    'liveEdit',
    'liveWritten',
  ]);
});

for (const [index, type] of conversation.entries())
  test(`[D29] delivers every edit exactly once when the link is cut at message ${index + 1}, ${type}`, async () => {
    const messages = await story(index + 1);
    assert.ok(messages.length >= conversation.length);
  });

test('keeps the text of a script that was edited in Studio meanwhile, and asks the person', async () => {
  await using bridge = await startBridge(files, { settings });
  const needed: string[] = [];
  bridge.live.onDidNeedSync(reason => needed.push(formatSentence(reason)));
  await using studio = new LiveStudio(bridge.studioUrl, 'ServerScriptService/Dock');
  studio.connect();
  await until(() => bridge.live.state().kind === 'on');
  // As if typed while the patch is in transit.
  studio.source = 'Studio';
  bridge.disk.set('src/Dock.luau', 'disk');
  await until(() => needed.length > 0);
  assert.match(needed[0] ?? '', /1 change was not applied in Studio/);
  assert.equal(studio.source, 'Studio');
  assert.equal(bridge.disk.text('src/Dock.luau'), 'disk');
});

test('starts a failed session again when Live Sync is requested in the same mode', async () => {
  await using bridge = await startBridge(files, { settings });
  const place = { ServerScriptService: { className: 'ServerScriptService' } };
  const hello = { placeName: 'Harbor', placeId: 7, capabilities: ['acknowledgedApply', 'stableIds', 'live'] };
  await using connected = await connectFakeStudio(bridge.studioUrl, place, hello);
  const starts = () => connected.frames.filter(({ type, mode }) => type === 'live' && mode !== 'off');
  await until(() => starts().length === 1);
  const message = { code: 'no_reply', args: [] };
  connected.studio.sendRaw({ type: 'liveFailed', message, start: starts()[0]?.['start'] });
  await until(() => bridge.live.state().kind === 'failed');
  bridge.live.setMode('twoWay');
  await until(() => starts().length === 2);
});

for (const [when, later] of [
  ['it is read back', (save: () => void) => save()],
  ['the project reads it', (save: () => void) => queueMicrotask(save)],
] as const)
  test(`sends a file that is saved after an edit from Studio was written to it, before ${when}`, async () => {
    await using bridge = await startBridge(files, { settings });
    const needed: string[] = [];
    bridge.live.onDidNeedSync(reason => needed.push(formatSentence(reason)));
    await using studio = new LiveStudio(bridge.studioUrl, 'ServerScriptService/Dock');
    studio.connect();
    await until(() => bridge.live.state().kind === 'on');
    bridge.disk.onReplaced = path => {
      bridge.disk.onReplaced = undefined;
      later(() => bridge.disk.set(path, 'disk, after Studio'));
    };
    studio.edit('Studio');
    await until(() => studio.source === 'disk, after Studio');
    assert.equal(bridge.disk.text('src/Dock.luau'), 'disk, after Studio');
    assert.deepEqual(needed, []);
  });

test('does not write an edit of a text that changed on disk, and asks the person', async () => {
  await using bridge = await startBridge(files, { settings });
  const needed: string[] = [];
  bridge.live.onDidNeedSync(reason => needed.push(formatSentence(reason)));
  await using studio = new LiveStudio(bridge.studioUrl, 'ServerScriptService/Dock');
  studio.connect();
  await until(() => bridge.live.state().kind === 'on');
  bridge.disk.set('src/Dock.luau', 'disk');
  studio.edit('Studio');
  await until(() => needed.length > 0);
  assert.equal(bridge.disk.text('src/Dock.luau'), 'disk');
});

test('writes nothing from Studio in mode diskToStudio', async () => {
  await using bridge = await startBridge(files, { settings: defaultSettings({ live: () => 'diskToStudio' }) });
  await using studio = new LiveStudio(bridge.studioUrl, 'ServerScriptService/Dock');
  studio.connect();
  await until(() => bridge.live.state().kind === 'on');
  studio.edit('Studio');
  await until(() => studio.messages.includes('liveWritten'));
  assert.equal(bridge.disk.text('src/Dock.luau'), 'start');
});

test('reports a plugin without support for live sessions', async () => {
  await using bridge = await startBridge(files, { settings });
  assert.equal(bridge.live.state().kind, 'waiting');
  await bridge.connectStudio();
  assert.equal(bridge.live.state().kind, 'unsupported');
});
