import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { IncomingMessage, request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { nodeClock } from '../../../../src/adapters/node/clock.ts';
import { HTTP_LIMITS } from '../../../../src/protocol/limits.ts';
import { type Listener, type Routes, refuseUpgrade, startListener } from '../../../../src/transport/http/listener.ts';
import { ManualClock } from '../../../harness/manual-clock.ts';
import { memoryLog } from '../../../harness/memory-log.ts';

const echo: Routes = {
  async request(_request, response, path) {
    response.end(path);
  },
  upgrade: (_request, socket) => refuseUpgrade(socket, 409, 'text/plain', 'taken'),
};

async function start(routes: Routes = echo, limits: Partial<Record<keyof typeof HTTP_LIMITS, number>> = {}) {
  const log = memoryLog();
  const listener = await startListener({ preferredPort: 0, routes, clock: nodeClock, log, limits });
  return { ...listener, log, [Symbol.asyncDispose]: () => listener.stop() };
}

async function get(
  { port }: Listener,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number | undefined; body: string; headers: IncomingMessage['headers'] }> {
  const request = httpRequest({ host: '127.0.0.1', port, path, headers, agent: false });
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request.on('response', resolve);
  request.on('upgrade', resolve);
  request.on('error', reject);
  request.end();
  const response = await promise;
  return { status: response.statusCode, body: await text(response), headers: response.headers };
}
const upgrade = { Connection: 'Upgrade', Upgrade: 'websocket' };

test('passes a request with its raw path', async () => {
  await using listener = await start();
  const { status, body } = await get(listener, '/a%2fb//c?query=1');
  assert.deepEqual([status, body], [200, '/a%2fb//c']);
});

test('[P5] rejects and logs requests and upgrades of a web page and of a foreign host', async () => {
  const seen: string[] = [];
  await using listener = await start({
    async request(_request, response, path) {
      seen.push(path);
      response.end();
    },
    upgrade(_request, socket, _head, path) {
      seen.push(path);
      socket.destroy();
    },
  });
  for (const headers of [{ Origin: 'https://evil.example' }, { 'Sec-Fetch-Site': 'none' }, { Host: 'evil.example' }])
    for (const extra of [{}, upgrade]) {
      const answer = await get(listener, '/api/rojo', { ...headers, ...extra });
      assert.deepEqual([answer.status, answer.body], [403, '']);
      assert.equal(answer.headers['access-control-allow-origin'], undefined);
    }
  assert.deepEqual(seen, []);
  assert.ok(listener.log.lines.some(line => line.startsWith('warn request rejected')));
});

test('logs one rejected request per second, and at most 200 characters of a header', async () => {
  const clock = new ManualClock();
  const log = memoryLog();
  const listener = await startListener({ preferredPort: 0, routes: echo, clock, log });
  await using _stop = {
    async [Symbol.asyncDispose]() {
      const stopped = listener.stop();
      clock.advance(HTTP_LIMITS.stopMs);
      await stopped;
    },
  };
  const origin = `https://${'x'.repeat(1_000)}`;
  for (let page = 0; page < 5; page++) await get(listener, '/', { Origin: origin });
  clock.advance(1_000);
  await get(listener, '/', { Origin: origin });
  const rejected = log.lines.filter(line => line.startsWith('warn request rejected'));
  assert.equal(rejected.length, 2);
  assert.match(rejected[1] ?? '', /"others":4/);
  assert.ok(rejected.every(line => line.length < 400));
});

test('refuses an upgrade with status and body', async () => {
  await using listener = await start();
  const { status, body } = await get(listener, '/api/mcp/stream', upgrade);
  assert.deepEqual([status, body], [409, 'taken']);
});

for (const [why, host] of [
  ['by the guard', 'a'],
  ['by a route', '127.0.0.1'],
] as const)
  test(`closes an upgrade that was refused ${why}, also when its client keeps the connection open`, async () => {
    const listener = await start(echo, { stopMs: 60_000 });
    const socket = connect({ port: listener.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
    assert.match(await text(socket), /^HTTP\/1.1 4\d\d /);
    const stopped = await Promise.race([listener.stop().then(() => 'stopped'), delay(5_000, 'waits', { ref: false })]);
    socket.destroy();
    assert.equal(stopped, 'stopped');
  });

test('answers 500 without details and logs the error when a handler fails', async () => {
  await using listener = await start({ ...echo, request: () => Promise.reject(new Error('secret path')) });
  const { status, body } = await get(listener, '/x');
  assert.deepEqual([status, body], [500, '']);
  assert.ok(listener.log.lines.some(line => line.includes('secret path')));
});

test('refuses headers over the limit', async () => {
  await using listener = await start();
  const { status } = await get(listener, '/', { 'X-Long': 'x'.repeat(HTTP_LIMITS.headerBytes) });
  assert.equal(status, 431);
});

test('closes a connection whose headers do not arrive in time', async () => {
  await using listener = await start(echo, { headersMs: 50 });
  const socket = connect(listener.port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: ');
  let answer = '';
  socket.setEncoding('utf8').on('data', piece => (answer += String(piece)));
  // The connection ends with a reset when the listener has unread data.
  socket.on('error', () => undefined);
  await new Promise(resolve => socket.once('close', resolve));
  assert.match(answer, /^HTTP\/1\.1 408 /);
});

const opened = (socket: Socket) => new Promise(resolve => socket.once('connect', resolve));
/** A connection that stays open fails the test, which would never end otherwise. */
const MAX_WAIT_MS = 20_000;
const ended = (socket: Socket) =>
  new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => {
      reject(new Error('the listener keeps the connection'));
      socket.destroy();
    }, MAX_WAIT_MS);
    // The connection ends with a reset when the listener has unread data.
    socket
      .on('error', () => undefined)
      .once('close', () => {
        clearTimeout(late);
        resolve();
      });
  });

test('closes a new connection when the limit is reached and every client waits for its answer', async () => {
  const arrived = Promise.withResolvers<void>();
  await using listener = await start(
    { ...echo, request: async () => arrived.resolve() },
    { connections: 1, stopMs: 20 },
  );
  const first = connect(listener.port, '127.0.0.1');
  first.on('error', () => undefined);
  first.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
  await arrived.promise;
  const second = connect(listener.port, '127.0.0.1');
  await ended(second);
  assert.equal(first.destroyed, false);
});

for (const [what, host] of [
  ['requests', '127.0.0.1'],
  ['requests that are refused', 'a'],
] as const)
  test(`parses no more than two of the ${what} that a connection sends without waiting for answers`, async t => {
    await using listener = await start();
    const parsed = t.mock.method(EventEmitter.prototype, 'emit');
    const socket = connect(listener.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(1000));
    await ended(socket.resume());
    const requests = parsed.mock.calls.filter(
      ({ arguments: [name, first] }) =>
        ['request', 'upgrade'].includes(String(name)) && first instanceof IncomingMessage,
    );
    assert.ok(requests.length >= 1 && requests.length <= 2, `${requests.length} requests`);
  });

test('closes a connection that sends requests without waiting for answers', async () => {
  let requests = 0;
  const release = Promise.withResolvers<void>();
  await using listener = await start({
    ...echo,
    async request(_request, response) {
      requests += 1;
      await release.promise;
      response.end();
    },
  });
  const socket = connect(listener.port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.repeat(1000));
  await ended(socket);
  assert.equal(requests, 1);
  release.resolve();
  assert.equal((await get(listener, '/')).status, 200);
});

test('answers at once when as many clients as allowed have sent half a request', async () => {
  await using listener = await start();
  const halves = ['', 'GET /', 'POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n1'];
  const sockets = Array.from({ length: HTTP_LIMITS.connections }, () => connect(listener.port, '127.0.0.1'));
  const ends = Array.from(sockets, ended);
  await Promise.all(sockets.map(opened));
  for (const [index, socket] of sockets.entries()) socket.write(halves[index % halves.length] ?? '');
  for (let call = 0; call < 5; call++) assert.equal((await get(listener, '/still-here')).body, '/still-here');
  for (const socket of sockets) socket.destroy();
  await Promise.all(ends);
});

test('completes a response in progress and refuses new requests when stopped', async () => {
  const arrived = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const listener = await start({
    ...echo,
    async request(_request, response) {
      arrived.resolve();
      await released.promise;
      response.end('finished');
    },
  });
  const answer = get(listener, '/');
  await arrived.promise;
  const stopped = listener.stop();
  released.resolve();
  assert.equal((await answer).body, 'finished');
  await stopped;
  await assert.rejects(get(listener, '/'), { code: 'ECONNREFUSED' });
});

test('limits how long stopping waits', async () => {
  const arrived = Promise.withResolvers<void>();
  const listener = await start({ ...echo, request: async () => arrived.resolve() }, { stopMs: 20 });
  const answer = assert.rejects(get(listener, '/'), { code: 'ECONNRESET' });
  await arrived.promise;
  await listener.stop();
  await answer;
});
