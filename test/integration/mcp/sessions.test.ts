import assert from 'node:assert/strict';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import {
  MAX_BODY_BYTES,
  MAX_DEPTH,
  MAX_MCP_SESSIONS,
  MCP_SESSION_ACTIVE_MS,
  MCP_SESSION_EVICTABLE_MS,
  MCP_SESSION_IDLE_MS,
} from '../../../src/protocol/limits.ts';
import { ManualClock } from '../../harness/manual-clock.ts';
import { initialize, listTools, rawMcp } from '../../harness/raw-mcp.ts';
import { startEndpoint } from '../../harness/start-endpoint.ts';
import { until } from '../../harness/until.ts';

async function start(clock?: ManualClock) {
  const server = await startEndpoint(clock);
  const send = (options?: Parameters<typeof rawMcp>[2], path = ''): ReturnType<typeof rawMcp> =>
    rawMcp(`${server.url}${path}`, server.token, options);
  return { ...server, send, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

test('accepts only the token', async () => {
  await using server = await start();
  assert.equal((await server.send({ body: initialize })).status, 200);
  for (const Authorization of ['', 'Bearer wrong', `Basic ${server.token}`, server.token])
    for (const path of ['', '/sync', '/docs']) {
      const { status, text: body } = await server.send({ body: initialize, headers: { Authorization } }, path);
      assert.equal(status, 401);
      assert.match(body, /token is missing or invalid/);
    }
});

test('refuses a call without a tool name or with arguments that are not an object', async () => {
  await using server = await start();
  const { session } = await server.send({ body: initialize });
  for (const params of [undefined, {}, { name: 7 }, { name: 'atlas_sync', arguments: [] }]) {
    const body = { jsonrpc: '2.0', id: 3, method: 'tools/call', params };
    const { status, text: answer } = await server.send({ body, session: session ?? '' });
    assert.equal(status, 200);
    assert.match(answer, /"code":-32602,"message":"[^"]*Invalid tools\/call request/);
  }
});

test('[P5] refuses a web page even with the right token', async () => {
  await using server = await start();
  for (const headers of [
    { Origin: 'https://evil.example' },
    { Origin: new URL(server.url).origin },
    { Origin: 'null' },
    { 'Sec-Fetch-Site': 'same-origin' },
  ]) {
    const { status, text: body } = await server.send({ body: initialize, headers });
    assert.deepEqual([status, body], [403, '']);
  }
});

test('accepts a session only on its path, and answers 400 without id and 404 for an unknown id', async () => {
  await using server = await start();
  const { session } = await server.send({ body: initialize }, '/sync');
  const list = (id: string | undefined, path: string) =>
    server.send({ body: listTools, ...(id === undefined ? {} : { session: id }) }, path);
  assert.equal((await list(session, '/sync')).status, 200);
  assert.equal((await list(session, '')).status, 404);
  assert.equal((await list('6f1f7e0e-0000-4000-8000-000000000000', '/sync')).status, 404);
  assert.equal((await list(undefined, '/sync')).status, 400);
  for (const method of ['GET', 'DELETE', 'PUT']) assert.equal((await server.send({ method })).status, 400, method);
});

test('answers 404 for unknown toolsets', async () => {
  await using server = await start();
  for (const path of ['/pluto', '/nope']) {
    const { status, text: body } = await server.send({ body: initialize }, path);
    assert.equal(status, 404);
    assert.match(body, /Unknown toolset/);
  }
  assert.equal((await server.send({ body: initialize }, '/sync/more')).status, 404);
});

test('ends a session at DELETE', async () => {
  await using server = await start();
  const { session } = await server.send({ body: initialize });
  assert.equal((await server.send({ method: 'DELETE', session: session! })).status, 200);
  assert.equal((await server.send({ body: listTools, session: session! })).status, 404);
});

test('answers 413 for a body over the limit, and 400 for invalid or too deep JSON', async () => {
  await using server = await start();
  // Only announced: a client that is still sending may see the closed connection before the response.
  const request = httpRequest(server.url, { method: 'POST', headers: { Authorization: `Bearer ${server.token}` } });
  request.setHeader('Content-Length', MAX_BODY_BYTES + 1).flushHeaders();
  const refused = await new Promise<IncomingMessage>(resolve => request.on('response', resolve));
  assert.equal(refused.statusCode, 413);
  assert.match(await text(refused), /limit of 67108864 bytes/);
  request.destroy();
  assert.equal((await server.send({ body: '{"jsonrpc"' })).status, 400);
  const deep = {
    ...initialize,
    params: { ...initialize.params, _meta: { deep: JSON.parse('['.repeat(MAX_DEPTH) + ']'.repeat(MAX_DEPTH)) } },
  };
  assert.equal((await server.send({ body: deep })).status, 400);
  assert.equal((await server.send({ body: initialize, headers: { 'Content-Type': 'text/plain' } })).status, 415);
});

test('creates no session for a refused first request', async () => {
  await using server = await start();
  for (let count = 0; count <= MAX_MCP_SESSIONS; count += 1)
    assert.equal((await server.send({ body: initialize, headers: { Accept: 'text/plain' } })).status, 406);
  assert.equal((await server.send({ body: initialize })).status, 200);
  assert.ok(!server.log.lines.some(line => line.includes('evicted')));
});

test('ends the longest idle session beyond the limit, and reports the reason to its client', async () => {
  const clock = new ManualClock();
  await using server = await start(clock);
  // Each idle session has a timer, so the count shows when the server has noticed the end of the last request.
  const open = async (idle: number): Promise<string> => {
    clock.advance(1);
    const { session } = await server.send({ body: initialize });
    await until(() => clock.pending === idle);
    return session!;
  };
  const first = await open(1);
  const second = await open(2);
  clock.advance(1);
  await server.send({ body: listTools, session: first });
  await until(() => clock.pending === 2);
  for (let count = 3; count <= MAX_MCP_SESSIONS; count += 1) await open(count);
  // Two are idle long enough, the second one for longer.
  clock.advance(MCP_SESSION_EVICTABLE_MS - MAX_MCP_SESSIONS + 2);
  await open(MAX_MCP_SESSIONS);
  const gone = await server.send({ body: listTools, session: second });
  assert.equal(gone.status, 404);
  assert.match(gone.text, /was idle, and another client needed one of 32 places/);
  assert.equal((await server.send({ body: listTools, session: first })).status, 200);
});

test('does not end a session that was used recently', async () => {
  const clock = new ManualClock();
  await using server = await start(clock);
  const sessions: string[] = [];
  for (let count = 1; count <= MAX_MCP_SESSIONS; count += 1) {
    sessions.push((await server.send({ body: initialize })).session!);
    await until(() => clock.pending === count);
  }
  clock.advance(MCP_SESSION_EVICTABLE_MS - 1);
  const { status, text: body } = await server.send({ body: initialize });
  assert.equal(status, 503);
  assert.match(body, /maximum 32.*idle for 10 minutes/);
  for (const session of sessions) assert.equal((await server.send({ body: listTools, session })).status, 200);
});

test('ends a session sooner when its client has closed the stream', async () => {
  const clock = new ManualClock();
  await using server = await start(clock);
  for (let count = 1; count <= MAX_MCP_SESSIONS; count += 1) {
    const { session } = await server.send({ body: initialize });
    await until(() => clock.pending === count);
    if (count > 1) continue;
    const stream = new AbortController();
    await fetch(server.url, {
      headers: { Authorization: `Bearer ${server.token}`, Accept: 'text/event-stream', 'Mcp-Session-Id': session! },
      signal: stream.signal,
    });
    await until(() => clock.pending === 0);
    stream.abort();
    await until(() => clock.pending === 1);
  }
  assert.equal((await server.send({ body: initialize })).status, 503);
  clock.advance(MCP_SESSION_ACTIVE_MS);
  assert.equal((await server.send({ body: initialize })).status, 200);
});

test('accepts its own origin only with a token and without headers of a browser', async () => {
  await using server = await start();
  const { host, origin } = new URL(server.url);
  const post = (headers: Record<string, string>): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const request = httpRequest(server.url, { method: 'POST', headers }, answer => {
        answer.resume();
        resolve(answer.statusCode);
      });
      request.on('error', reject).end(JSON.stringify(initialize));
    });
  const common = { Accept: 'application/json, text/event-stream', 'Content-Type': 'application/json', Host: host };
  const authorized = { ...common, Authorization: `Bearer ${server.token}` };
  assert.equal(await post({ ...authorized, Origin: origin }), 200);
  assert.equal(await post({ ...common, Origin: origin }), 403);
  assert.equal(await post({ ...authorized, Origin: 'http://localhost:1' }), 403);
  for (const header of ['Sec-Fetch-Site', 'Sec-Fetch-Mode', 'Sec-Fetch-Dest'])
    assert.equal(await post({ ...authorized, Origin: origin, [header]: 'same-origin' }), 403, header);
});

test('refuses another session with a reason when all are busy', async () => {
  const clock = new ManualClock();
  await using server = await start(clock);
  const calls = [];
  for (let count = 0; count < MAX_MCP_SESSIONS; count += 1) {
    const { session } = await server.send({ body: initialize });
    const body = { jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'atlas_sync' } };
    calls.push(server.send({ body, session: session! }));
    await until(() => server.engine.runs.length === count + 1);
  }
  const { status, text: body } = await server.send({ body: initialize });
  assert.equal(status, 503);
  assert.match(body, /Too many clients/);
  for (const run of server.engine.runs) run.end();
  await Promise.all(calls);
  await until(() => clock.pending === MAX_MCP_SESSIONS);
  clock.advance(MCP_SESSION_EVICTABLE_MS);
  assert.equal((await server.send({ body: initialize })).status, 200);
});

test('ends a session that is idle for long, but not one with an open stream', async () => {
  const clock = new ManualClock();
  await using server = await start(clock);
  // Each idle session has a timer, so the count shows when the server has noticed the end of the last request.
  const idle = (await server.send({ body: initialize })).session!;
  await until(() => clock.pending === 1);
  const busy = (await server.send({ body: initialize })).session!;
  await until(() => clock.pending === 2);
  const stream = new AbortController();
  await fetch(server.url, {
    headers: { Authorization: `Bearer ${server.token}`, Accept: 'text/event-stream', 'Mcp-Session-Id': busy },
    signal: stream.signal,
  });
  await until(() => clock.pending === 1);
  clock.advance(MCP_SESSION_IDLE_MS);
  assert.equal((await server.send({ body: listTools, session: idle })).status, 404);
  assert.equal((await server.send({ body: listTools, session: busy })).status, 200);
  stream.abort();
});

test('ends open streams when the endpoint closes', async () => {
  await using server = await start();
  const { session } = await server.send({ body: initialize });
  const stream = await fetch(server.url, {
    headers: { Authorization: `Bearer ${server.token}`, Accept: 'text/event-stream', 'Mcp-Session-Id': session! },
  });
  await server.endpoint.close();
  assert.equal(await stream.text(), '');
});
