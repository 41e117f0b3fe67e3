import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import { FEED_LIMITS } from '../../../src/protocol/limits.ts';
import { allowUnpaired, startBridge } from '../../harness/start-bridge.ts';
import { until } from '../../harness/until.ts';

const project = (more: object = {}) => ({
  'default.project.json': JSON.stringify({ name: 'harbor', tree: { $className: 'DataModel' }, ...more }),
});

test('welcomes a Studio after its hello', async () => {
  await using bridge = await startBridge(project());
  const { frames } = await bridge.connectStudio();
  assert.deepEqual(frames, [
    {
      type: 'welcome',
      epoch: 1,
      sessionId: bridge.sessionId,
      projectName: 'harbor',
      studio: 'studio-1',
      capabilities: ['reasonCodes'],
    },
  ]);
  assert.equal(bridge.studios.all()[0]?.hello.placeName, 'Baseplate');
});

test('notifies current and later plugins when a decision is pending, and when it is over', async () => {
  const shown = Promise.withResolvers<void>();
  await using bridge = await startBridge(
    {
      'default.project.json': JSON.stringify({
        name: 'harbor',
        tree: { $className: 'DataModel', ServerScriptService: { $path: 'src' } },
      }),
      'src/Dock.luau': 'disk',
    },
    { reviewSurface: { show: async () => shown.resolve() } },
  );
  const place = { ServerScriptService: { className: 'ServerScriptService' } };
  const first = await bridge.connectStudio(place);
  const run = bridge.engine.start({ mode: 'manual', overrides: [], requestedBy: 'test' });
  await shown.promise;
  const later = await bridge.connectStudio(place);
  const decisions = ({ frames }: typeof first) =>
    frames.flatMap(frame => (frame.type === 'deciding' ? [frame['isPending']] : []));
  await until(() => decisions(first).length === 1 && decisions(later).length === 1);
  run.cancel();
  await until(() => decisions(first).length === 2 && decisions(later).length === 2);
  assert.deepEqual(
    [decisions(first), decisions(later)],
    [
      [true, false],
      [true, false],
    ],
  );
});

test('refuses another Studio with the reason while an unmodified plugin is connected', async () => {
  await using bridge = await startBridge(project(), allowUnpaired());
  const first = await bridge.connectLegacy({});
  const { frames } = await bridge.connectStudio();
  assert.equal(frames[0]?.type, 'rejected');
  assert.match(String(frames[0]?.['reason']), /unmodified plugin is connected, which allows no other connection/);
  assert.equal(frames[0]?.['retry'], true);
  assert.equal(bridge.studios.all()[0]?.epoch, 1);
  await first[Symbol.asyncDispose]();
  await until(() => bridge.studios.all().length === 0);
  await bridge.connectStudio();
  assert.equal(bridge.studios.all()[0]?.epoch, 2);
});

test('rejects a place that the project does not serve, with the reason', async () => {
  await using bridge = await startBridge(project({ servePlaceIds: [1] }));
  const { frames, closed } = await bridge.connectStudio({}, { placeId: 42 });
  assert.equal(frames[0]?.type, 'rejected');
  assert.match(String(frames[0]?.['reason']), /place 42 is not listed in/);
  assert.match(await closed, /place 42/);
  assert.deepEqual(bridge.studios.all(), []);
});

test('[P5] refuses the stream to a web page', async () => {
  await using bridge = await startBridge(project());
  const socket = new WebSocket(`${bridge.studioUrl.replace('http', 'ws')}/api/mcp/stream`, {
    origin: 'https://evil.example',
  });
  const error = await new Promise<Error>(resolve => socket.once('error', resolve));
  assert.match(error.message, /403/);
});

test('sends the ninth Studio the reason for its refusal', async () => {
  await using bridge = await startBridge(project());
  for (let count = 0; count < FEED_LIMITS.studios; count += 1) await bridge.connectStudio();
  const { frames, closed } = await bridge.connectStudio();
  assert.deepEqual(frames, [{ type: 'rejected', reason: 'the limit of 8 connected Studios is reached', retry: true }]);
  assert.match(await closed, /limit of 8 connected Studios/);
  assert.equal(bridge.studios.all().length, FEED_LIMITS.studios);
});

test('finds no stream at other paths', async () => {
  await using bridge = await startBridge(project(), allowUnpaired());
  for (const path of ['/api/nope', '/mcp']) {
    const socket = new WebSocket(`${bridge.studioUrl.replace('http', 'ws')}${path}`);
    const error = await new Promise<Error>(resolve => socket.once('error', resolve));
    assert.match(error.message, /404/, path);
  }
});

test('notifies Studio when the bridge stops', async () => {
  const bridge = await startBridge(project());
  const { closed } = await bridge.connectStudio();
  await bridge.stop();
  assert.equal(await closed, 'the bridge stops');
  await bridge[Symbol.asyncDispose]();
});
