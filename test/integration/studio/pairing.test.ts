import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage, request } from 'node:http';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import type { StudioPrompts, UnpairedStudio } from '../../../src/ports/studio-prompts.ts';
import { encodeMsgpack } from '../../../src/protocol/msgpack/encode.ts';
import { MAX_UNPROVED_STUDIOS } from '../../../src/protocol/limits.ts';
import { defaultSettings } from '../../harness/default-settings.ts';
import { detailsOf, FakePlugin } from '../../harness/fake-plugin.ts';
import { LegacyStudio } from '../../harness/legacy-studio.ts';
import { memoryStudioKeys, pairedKey, testKey } from '../../harness/memory-studio-keys.ts';
import { proofFrames, sessionHeaders } from '../../harness/prove-key.ts';
import { startBridge, type TestBridge } from '../../harness/start-bridge.ts';
import { until } from '../../harness/until.ts';

const files = {
  'default.project.json': JSON.stringify({
    name: 'harbor',
    tree: { $className: 'DataModel', ServerScriptService: { $path: 'src' } },
  }),
  'src/Dock.luau': 'return 1',
};
const ZERO = '0'.repeat(32);

/** Every route of `/api` except the greeting. */
const routes: readonly (readonly ['GET' | 'POST', string])[] = [
  ['GET', `/api/read/${ZERO}`],
  ['GET', '/api/git-metadata'],
  ['GET', '/api/validate-tree'],
  ['GET', `/api/serialize/${ZERO}`],
  ['GET', `/api/ref-patch/${ZERO}`],
  ['GET', '/api/mcp/stream'],
  ['GET', '/api/socket/0'],
  ['GET', '/api/nothing'],
  ['POST', '/api/serialize'],
  ['POST', '/api/ref-patch'],
  ['POST', `/api/open/${ZERO}`],
  ['POST', '/api/write'],
  ['POST', '/api/syncback'],
  ['POST', '/api/mcp/syncback'],
];

/** A socket to the command stream, and the frames that the bridge sends. */
async function openStream(bridge: TestBridge) {
  const socket = new WebSocket(`${bridge.studioUrl.replace('http', 'ws')}/api/mcp/stream`);
  const frames: Record<string, unknown>[] = [];
  socket.on('message', (bytes: Buffer) => frames.push(JSON.parse(String(bytes)) as Record<string, unknown>));
  const closed = new Promise<void>(resolve => socket.once('close', () => resolve()));
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return {
    frames,
    closed,
    send: (frame: object) => socket.send(JSON.stringify(frame)),
    /** Sends a part of a message that never ends. Resolves with whether the bridge keeps the connection. */
    sendUnfinished(bytes: number): Promise<'open' | 'closed'> {
      socket.send('x'.repeat(bytes), { fin: false });
      socket.ping();
      const answered = new Promise<'open'>(resolve => socket.once('pong', () => resolve('open')));
      return Promise.race([answered, closed.then(() => 'closed' as const)]);
    },
    /** Waits for the frame after those that were already taken. */
    async next(count: number): Promise<Record<string, unknown>> {
      await until(() => frames.length >= count);
      return frames[count - 1] ?? {};
    },
    async [Symbol.asyncDispose]() {
      socket.terminate();
      await closed;
    },
  };
}

const hello = { type: 'hello', placeId: 7, capabilities: ['acknowledgedApply', 'stableIds', 'requestIds'] };
const portOf = (bridge: TestBridge): number => Number(new URL(bridge.studioUrl).port);

test('[P5] answers only the greeting to a peer without a proof, on every route and both ports', async () => {
  await using bridge = await startBridge(files);
  for (const url of [bridge.studioUrl, bridge.rojoUrl() ?? '']) {
    const plugin = new FakePlugin(url);
    assert.equal((await plugin.get('/api/rojo')).status, 200);
    for (const [method, path] of routes) {
      const answer = await (method === 'GET' ? plugin.get(path) : plugin.post(path, { removed: [] }));
      assert.equal(answer.status, 403, `${method} ${path}`);
      assert.match(detailsOf(answer), /^Atlas Bridge does not answer this request: this Studio is not paired/);
    }
    await assert.rejects(plugin.listen(0), /403/);
  }
  assert.equal(bridge.disk.text('src/Dock.luau'), 'return 1');
});

test('reads no body of a peer without a proof, and no version', async () => {
  await using bridge = await startBridge(files);
  const plugin = new FakePlugin(bridge.studioUrl);
  const body = { protocolVersion: 6, serverVersion: '9.9.9', placeId: 1, data: new Uint8Array(200_000), services: [] };
  assert.equal((await plugin.post('/api/mcp/syncback', body)).status, 403);
  const refused = await fetch(`${bridge.studioUrl}/api/write`, { method: 'POST', body: new Uint8Array(200_000) });
  assert.deepEqual([refused.status, refused.headers.get('connection')], [403, 'close']);
  await plugin.get('/api/rojo');
  const { body: greeting } = await plugin.get('/api/rojo');
  assert.equal((greeting as { serverVersion: string }).serverVersion, '8.5.10');
});

test('connects a Studio that proves the key, and answers its requests while it is connected', async () => {
  await using bridge = await startBridge(files);
  const studio = await bridge.connectStudio();
  const plugin = new FakePlugin(bridge.studioUrl, sessionHeaders(await studio.token));
  await plugin.connect();
  assert.equal(plugin.at('ServerScriptService/Dock').Name, 'Dock');
  await studio[Symbol.asyncDispose]();
  await until(() => bridge.studios.all().length === 0);
  const refused = await plugin.get(`/api/read/${plugin.info.rootInstanceId}`);
  assert.equal(refused.status, 403);
  assert.match(detailsOf(refused), /the session of this Studio has ended/);
});

test('sends no further changes to a feed after its Studio or all Studios were disconnected', async () => {
  const settings = defaultSettings({ studioUnpaired: () => 'allow' });
  await using bridge = await startBridge(files, { settings });
  const studio = await bridge.connectStudio();
  await using paired = new FakePlugin(bridge.studioUrl, sessionHeaders(await studio.token));
  await paired.connect();
  await paired.listen();
  await using other = await bridge.connectPlugin('rojo');
  await other.listen();
  await studio[Symbol.asyncDispose]();
  await until(() => !paired.isListening);
  assert.equal(other.isListening, true);
  bridge.disconnectStudios('the Studio key was changed');
  await until(() => bridge.liveStudios() === 0);
});

test('refuses a session that no Studio has', async () => {
  await using bridge = await startBridge(files);
  await bridge.connectStudio();
  for (const token of ['', 'x', '0'.repeat(64)])
    assert.equal((await new FakePlugin(bridge.studioUrl, sessionHeaders(token)).get(`/api/read/${ZERO}`)).status, 403);
});

test('refuses a wrong key, and lists no Studio', async () => {
  await using bridge = await startBridge(files);
  const wrong = { ...testKey, secret: '00'.repeat(32) };
  await using stream = await openStream(bridge);
  const frames = proofFrames(wrong, portOf(bridge));
  stream.send(frames.identify);
  stream.send(frames.proof(await stream.next(1)).proof);
  const answer = await stream.next(2);
  assert.equal(answer['type'], 'rejected');
  assert.match(String(answer['reason']), /did not prove its key/);
  await stream.closed;
  assert.deepEqual(bridge.studios.all(), []);
});

test('refuses an unknown key with the next step, without asking for a proof', async () => {
  await using bridge = await startBridge(files);
  await using stream = await openStream(bridge);
  stream.send({ ...proofFrames(testKey, 1).identify, keyIds: ['ffffffffffffffff'] });
  assert.equal((await stream.next(1))['keyId'], undefined);
  assert.match(String((await stream.next(2))['reason']), /has no key for this computer; run Install Studio Plugin/);
});

test('refuses a proof that was recorded on another connection or for another bridge', async () => {
  await using bridge = await startBridge(files);
  await using recorded = await openStream(bridge);
  const frames = proofFrames(testKey, portOf(bridge));
  recorded.send(frames.identify);
  const challenge = await recorded.next(1);
  const { proof } = frames.proof(challenge);
  recorded.send(proof);
  assert.equal((await recorded.next(2))['type'], 'proved');
  await using replayed = await openStream(bridge);
  replayed.send(frames.identify);
  await replayed.next(1);
  replayed.send(proof);
  assert.match(String((await replayed.next(2))['reason']), /did not prove its key/);
  await using elsewhere = await openStream(bridge);
  elsewhere.send(frames.identify);
  const other = { ...(await elsewhere.next(1)), sessionId: 'the session of another bridge' };
  elsewhere.send(frames.proof(other).proof);
  assert.match(String((await elsewhere.next(2))['reason']), /did not prove its key/);
});

test('refuses the installed key through a forwarded port, and accepts a paired one', async () => {
  await using bridge = await startBridge(files);
  for (const [key, expected] of [
    [testKey, 'rejected'],
    [pairedKey, 'proved'],
  ] as const) {
    await using stream = await openStream(bridge);
    const frames = proofFrames(key, 40_000);
    stream.send(frames.identify);
    stream.send(frames.proof(await stream.next(1)).proof);
    assert.equal((await stream.next(2))['type'], expected);
  }
});

test('refuses the old key after the keys were rotated', async () => {
  const studioKeys = memoryStudioKeys();
  await using bridge = await startBridge(files, { studioKeys });
  await bridge.connectStudio();
  await studioKeys.rotate();
  const { frames } = await bridge.connectStudio();
  assert.match(String(frames[0]?.['reason']), /has no key for this computer/);
});

test('refuses our plugin without a proof, and never asks about it', async () => {
  const asked: UnpairedStudio[] = [];
  await using bridge = await startBridge(files, { studioPrompts: prompts(asked, 'once') });
  await using stream = await openStream(bridge);
  stream.send(hello);
  assert.match(String((await stream.next(1))['reason']), /run Install Studio Plugin in VS Code, then restart Roblox/);
  assert.deepEqual(asked, []);
});

test('lets no plugin without a proof decide reviews, also when every plugin is allowed', async () => {
  await using bridge = await startBridge(files, {
    settings: defaultSettings({ studioUnpaired: () => 'allow' }),
  });
  const capabilities = [...hello.capabilities, 'review'];
  await using stream = await openStream(bridge);
  stream.send({ ...hello, capabilities, studioId: 'a' });
  await until(() => bridge.studios.all().length === 1);
  assert.equal(bridge.studios.all()[0]?.review, undefined);
  await bridge.connectStudio({}, { capabilities, studioId: 'b' });
  assert.ok(bridge.studios.all().some(({ review }) => review !== undefined));
});

test('neither displaces nor locks out a Studio by connections without a proof', async () => {
  await using bridge = await startBridge(files);
  const studio = await bridge.connectStudio({}, { studioId: 'a' });
  await using legacy = await LegacyStudio.connect(bridge.studioUrl, {});
  await legacy.closed;
  await using same = await openStream(bridge);
  same.send({ ...hello, studioId: 'a' });
  await same.closed;
  await using silent = new AsyncDisposableStack();
  const streams = [];
  for (let count = 0; count <= MAX_UNPROVED_STUDIOS; count += 1) streams.push(silent.use(await openStream(bridge)));
  // The oldest one, long before its time limit.
  await streams[0]?.closed;
  assert.match(String(streams[0]?.frames[0]?.['reason']), /too many Studios are connecting/);
  await bridge.connectStudio({}, { studioId: 'b' });
  assert.equal(bridge.studios.all().length, 2);
  assert.equal(studio.frames.length, 1);
});

test('ends a connection without a proof after 64 KB, also of a message that never ends', async () => {
  // No time limit ends it.
  await using bridge = await startBridge(files, { settings: defaultSettings({ timeoutMultiplier: () => 1000 }) });
  await using stream = await openStream(bridge);
  assert.equal(await stream.sendUnfinished(60_000), 'open');
  // The ping in the bytes above the limit may still be answered.
  await stream.sendUnfinished(10_000);
  assert.equal(await stream.sendUnfinished(1), 'closed');
});

test('replaces the connection of a Studio that reconnects, and ends its session', async () => {
  await using bridge = await startBridge(files);
  const before = await bridge.connectStudio({}, { studioId: 'a' });
  const plugin = new FakePlugin(bridge.studioUrl, sessionHeaders(await before.token));
  await plugin.connect();
  await bridge.connectStudio({}, { studioId: 'a' });
  await before.closed;
  assert.equal((await plugin.get(`/api/read/${plugin.info.rootInstanceId}`)).status, 403);
});

test('writes nothing without a live session, also for an allowed plugin', async () => {
  const settings = defaultSettings({ studioUnpaired: () => 'allow' });
  await using bridge = await startBridge(files, { settings });
  const reader = await bridge.connectPlugin('atlas');
  const stranger = new FakePlugin(bridge.rojoUrl() ?? '');
  stranger.info = reader.info;
  stranger.tree = reader.tree;
  const refused = await stranger.writeSource('ServerScriptService/Dock', 'changed');
  assert.equal(refused.status, 403);
  assert.match(detailsOf(refused), /without a live session/);
  await reader.listen();
  reader.cut();
  await until(() => bridge.liveStudios() === 0);
  assert.equal((await reader.writeSource('ServerScriptService/Dock', 'changed')).status, 403);
  assert.equal(bridge.disk.text('src/Dock.luau'), 'return 1');
  await reader.listen();
  assert.equal((await reader.writeSource('ServerScriptService/Dock', 'changed')).status, 200);
  assert.equal(bridge.disk.text('src/Dock.luau'), 'changed');
});

test('writes nothing when the live session ends before the request has arrived', async () => {
  const settings = defaultSettings({ studioUnpaired: () => 'allow' });
  await using bridge = await startBridge(files, { settings });
  const plugin = await bridge.connectPlugin('atlas');
  await plugin.listen();
  const { sessionId } = plugin.info;
  const updated = [
    { id: plugin.at('ServerScriptService/Dock').Id, changedProperties: { Source: { String: 'changed' } } },
  ];
  const bytes = encodeMsgpack({ sessionId, removed: [], updated, added: {} });
  const headers = { 'content-length': bytes.length, expect: '100-continue' };
  const sent = request(`${bridge.studioUrl}/api/write`, { method: 'POST', headers });
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  sent.write(bytes.subarray(0, 10));
  await once(sent, 'continue');
  // Connections are checked in their order: when later ones were answered, this one was accepted.
  for (let later = 0; later < 3; later += 1) {
    const [greeting] = (await once(get(`${bridge.studioUrl}/api/rojo`, { agent: false }), 'response')) as [
      IncomingMessage,
    ];
    greeting.resume();
  }
  plugin.cut();
  await until(() => bridge.liveStudios() === 0);
  sent.end(bytes.subarray(10));
  const [response] = await answered;
  assert.equal(response.statusCode, 403);
  assert.equal(bridge.disk.text('src/Dock.luau'), 'return 1');
});

/** Answers every question with `answer`, and records the questions. */
function prompts(asked: UnpairedStudio[], answer: 'once' | 'always' | 'block' | undefined): StudioPrompts {
  return {
    isAlwaysAllowed: () => false,
    async allowUnpaired(studio) {
      asked.push(studio);
      return answer;
    },
  };
}

test('asks once about an unmodified plugin, names its place, and connects it when allowed', async () => {
  const asked: UnpairedStudio[] = [];
  await using bridge = await startBridge(files, { studioPrompts: prompts(asked, 'once') });
  await using refused = await LegacyStudio.connect(bridge.studioUrl, {}, { placeName: 'Harbor' });
  await refused.closed;
  assert.deepEqual(asked, [{ dialect: 'atlas', place: 'Harbor (7)' }]);
  await using studio = await LegacyStudio.connect(bridge.studioUrl, {}, { placeName: 'Harbor' });
  await until(() => bridge.studios.all().length === 1);
  await studio.plugin.connect();
  assert.equal(studio.plugin.at('ServerScriptService/Dock').Name, 'Dock');
  assert.equal(asked.length, 1);
  assert.equal((await new FakePlugin(bridge.rojoUrl() ?? '').get(`/api/read/${ZERO}`)).status, 403);
  assert.deepEqual(asked[1], { dialect: 'rojo', place: undefined });
});

test('keeps an unmodified plugin out when the person blocks it or the setting says block', async () => {
  for (const studioUnpaired of ['ask', 'block'] as const) {
    const asked: UnpairedStudio[] = [];
    const settings = defaultSettings({ studioUnpaired: () => studioUnpaired });
    await using bridge = await startBridge(files, { settings, studioPrompts: prompts(asked, 'block') });
    for (let tries = 0; tries < 3; tries += 1) {
      await using studio = await LegacyStudio.connect(bridge.studioUrl, {});
      await studio.closed;
    }
    assert.equal(asked.length, studioUnpaired === 'ask' ? 1 : 0);
    assert.deepEqual(bridge.studios.all(), []);
  }
});
