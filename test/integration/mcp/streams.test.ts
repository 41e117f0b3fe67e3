import assert from 'node:assert/strict';
import { createServer, request as send, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import {
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { MCP_EVENT_LIMITS } from '../../../src/protocol/limits.ts';
import { callTool, connectClient } from '../../harness/mcp-client.ts';
import { initialize, rawMcp } from '../../harness/raw-mcp.ts';
import { startBridge } from '../../harness/start-bridge.ts';
import { startEndpoint } from '../../harness/start-endpoint.ts';
import { until } from '../../harness/until.ts';

const callSync = { jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'atlas_sync' } };
const version = { 'MCP-Protocol-Version': '2025-11-25' };

/** A proxy whose open connections can be cut. */
async function cuttableProxy(target: string) {
  const { port, hostname } = new URL(target);
  const proxy: Server = createServer((request, response) => {
    const onward = send(
      { port, hostname, path: request.url, method: request.method, headers: request.headers },
      answer => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.on('error', () => response.destroy()).pipe(response);
      },
    );
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`,
    cut: () => proxy.closeAllConnections(),
    async [Symbol.asyncDispose]() {
      proxy.closeAllConnections();
      await new Promise(resolve => proxy.close(resolve));
    },
  };
}

test('delivers the answer of a call whose connection was cut', async () => {
  await using server = await startEndpoint();
  await using proxy = await cuttableProxy(server.url);
  await using connected = await connectClient(proxy.url, server.token);
  let reached = 0;
  const call = async (): Promise<unknown> => {
    let isReached = false;
    const onprogress = (): void => {
      if (!isReached) reached += 1;
      isReached = true;
    };
    return (await connected.client.callTool({ name: 'atlas_sync' }, undefined, { onprogress })).structuredContent;
  };
  const [before, after] = [call(), call()];
  await until(() => reached === 2);
  proxy.cut();
  server.engine.runs[0]!.end({ summary: 'Ended while the connection was cut.' });
  assert.partialDeepStrictEqual(await before, { summary: 'Ended while the connection was cut.' });
  server.engine.runs[1]!.end({ summary: 'Ended after the client was back.' });
  assert.partialDeepStrictEqual(await after, { summary: 'Ended after the client was back.' });
});

test('delivers the notifications that a client missed while its stream was cut', async () => {
  await using bridge = await startBridge({ 'default.project.json': '{"name":"a","tree":{"$className":"DataModel"}}' });
  await using proxy = await cuttableProxy(bridge.mcpUrl);
  await using connected = await connectClient(proxy.url, bridge.token);
  const seen: string[] = [];
  connected.client.setNotificationHandler(
    ResourceUpdatedNotificationSchema,
    ({ params }) => void seen.push(params.uri),
  );
  await connected.client.subscribeResource({ uri: 'atlas://changes' });
  proxy.cut();
  await bridge.call('atlas_sync', { mode: 'dryrun' });
  await until(() => seen.includes('atlas://changes'));
});

test('starts each stream with a priming event and the retry time', async () => {
  await using server = await startEndpoint();
  const { session } = await rawMcp(server.url, server.token, { body: initialize });
  const listed = await rawMcp(server.url, server.token, {
    body: { jsonrpc: '2.0', id: 2, method: 'ping' },
    session: session!,
    headers: version,
  });
  const priming = new RegExp(`^id: \\S+\\nretry: ${MCP_EVENT_LIMITS.retryMs}\\ndata: \\n\\n`);
  assert.match(listed.text, priming);
  const stop = new AbortController();
  const stream = await fetch(server.url, {
    headers: {
      Authorization: `Bearer ${server.token}`,
      Accept: 'text/event-stream',
      'Mcp-Session-Id': session!,
      ...version,
    },
    signal: stop.signal,
  });
  const { value } = await stream.body!.getReader().read();
  assert.match(new TextDecoder().decode(value), priming);
  stop.abort();
});

test('replays a complete stream once from any event, then answers 405', async () => {
  await using server = await startEndpoint();
  const { session } = await rawMcp(server.url, server.token, { body: initialize });
  const call = rawMcp(server.url, server.token, { body: callSync, session: session!, headers: version });
  await until(() => server.engine.runs.length === 1);
  server.engine.runs[0]!.end({ summary: 'Synced.' });
  const { text } = await call;
  const [first, last] = Array.from(text.matchAll(/^id: (\S+)$/gm), ([, id]) => id!);
  const resume = (id: string) =>
    rawMcp(server.url, server.token, {
      method: 'GET',
      session: session!,
      headers: { ...version, 'Last-Event-ID': id },
    });
  const again = await resume(first!);
  assert.equal(again.status, 200);
  assert.match(again.text, /"summary":"Synced\."/);
  assert.equal((await resume(last!)).status, 405);
  assert.equal((await resume('no-stream_3')).status, 405);
});

test('sends the log to a client that sets a level', async () => {
  await using bridge = await startBridge();
  await using connected = await connectClient(bridge.mcpUrl, bridge.token);
  const heard: unknown[] = [];
  connected.client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void heard.push(params));
  await callTool(connected.client, 'atlas_sync', { mode: 'dryrun' });
  assert.deepEqual(heard, []);
  await connected.client.setLoggingLevel('info');
  const { answer } = await callTool(connected.client, 'atlas_sync', { mode: 'dryrun' });
  const ended = { level: 'info', logger: 'sync', data: { message: 'run ended', runId: answer['runId'] } };
  await until(() => heard.length > 0);
  assert.partialDeepStrictEqual(heard.at(-1), ended);
});

test('completes arguments of prompts and resources, with the best matches first', async () => {
  const tree = {
    $className: 'DataModel',
    ServerScriptService: { $className: 'ServerScriptService', $path: 'src' },
  };
  await using bridge = await startBridge({
    'default.project.json': JSON.stringify({ name: 'harbor', tree }),
    'src/Boot.server.luau': '',
    'src/AfterBoot.luau': '',
  });
  await using connected = await connectClient(bridge.mcpUrl, bridge.token);
  const complete = async (ref: Parameters<typeof connected.client.complete>[0]['ref'], name: string, value: string) =>
    (await connected.client.complete({ ref, argument: { name, value } })).completion;
  const scripts = { type: 'ref/resource', uri: 'atlas://scripts/{+fsPath}' } as const;
  assert.deepEqual(await complete(scripts, 'fsPath', 'src/b'), {
    values: ['src/Boot.server.luau'],
    total: 1,
    hasMore: false,
  });
  const prompt = { type: 'ref/prompt', name: 'resolve-conflicts' } as const;
  assert.deepEqual((await complete(prompt, 'path', 'boot')).values.toSorted(), [
    'ServerScriptService/AfterBoot',
    'ServerScriptService/Boot',
    'src/AfterBoot.luau',
    'src/Boot.server.luau',
  ]);
  assert.deepEqual((await complete(prompt, 'path', 'serverscriptservice/b')).values, ['ServerScriptService/Boot']);
  assert.deepEqual((await complete({ type: 'ref/prompt', name: 'review-sync' }, 'x', '')).values, []);
  await assert.rejects(complete({ type: 'ref/prompt', name: 'make-coffee' }, 'x', ''), /Unknown reference make-coffee/);
});
