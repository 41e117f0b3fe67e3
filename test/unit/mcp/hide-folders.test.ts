import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { nodeClock } from '../../../src/adapters/node/clock.ts';
import { AppError } from '../../../src/base/errors.ts';
import { toolFailure, toolResult } from '../../../src/mcp/result.ts';
import { relayStdio } from '../../../src/transport/mcp/relay/relay.ts';
import { refusalOf } from '../../../src/transport/studio/routes.ts';
import { memoryLog } from '../../harness/memory-log.ts';
import { until } from '../../harness/until.ts';
import { toErrorBody } from '../../../src/protocol/error-body.ts';

const state = '/people/bertha/.local/state/atlas-bridge/journal';
const failures = [
  new AppError('STATE_NOT_WRITABLE', { folder: state, reason: `the disk is full: ${state}/1.log` }),
  new AppError('FS_WRITE_FAILED', { file: 'C:\\People\\bertha\\Plugins\\Atlas.rbxm', reason: 'it is read-only' }),
  new AppError('FS_ACCESS_FAILED', { file: '/people/bertha/.config/a.json', reason: 'permission denied' }),
];

test('keeps the folders of the computer from agents when a tool fails', () => {
  for (const error of failures) {
    const result = JSON.stringify(toolFailure(error, true));
    assert.ok(!/bertha|people/i.test(result), result);
    assert.match(result, /journal|Atlas\.rbxm|a\.json/);
    // A person sees the path.
    assert.match(error.message, /bertha/);
  }
});

test('keeps the folders of the computer from agents when a part of an answer failed', () => {
  const body = toErrorBody(new AppError('STATE_NOT_WRITABLE', { folder: state, reason: 'the disk is full' }));
  const failed = [{ path: 'a.pt', error: body }];
  const result = toolResult({ status: 'partial', failed, error: body, other: 1 }, `a.pt: ${body.message}`, true);
  assert.ok(!JSON.stringify(result).includes('bertha'));
  assert.equal(result.structuredContent['other'], 1);
});

test('hides the folders of the computer when a relay or a request of Studio fails', async () => {
  for (const error of failures) {
    const { message } = refusalOf(error);
    assert.doesNotMatch(message, /bertha|people/i);
    assert.match(message, /journal|Atlas\.rbxm|a\.json/);
    const input = new PassThrough();
    const output = new PassThrough();
    const stop = new AbortController();
    const deps = { clock: nodeClock, log: memoryLog(), version: '1', instructions: '' };
    const relayed = relayStdio({ ...deps, target: () => Promise.reject(error) }, { input, output }, stop.signal);
    const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } };
    for (const request of [
      { id: 0, method: 'initialize', params: client },
      { id: 1, method: 'resources/list' },
      { id: 2, method: 'tools/call', params: { name: 'atlas_sync', arguments: {} } },
    ])
      input.write(`${JSON.stringify({ jsonrpc: '2.0', ...request })}\n`);
    let said = '';
    output.on('data', chunk => (said += String(chunk)));
    await until(() => /"id":1\b/.test(said) && /"id":2\b/.test(said));
    assert.doesNotMatch(said, /bertha|people/i);
    assert.match(said, /journal|Atlas\.rbxm|a\.json/);
    stop.abort();
    await relayed;
  }
});

test('leaves paths that an agent sent, and paths of the project, as they are', () => {
  const outside = toolFailure(new AppError('PATH_OUTSIDE_ROOT', { path: '/etc/passwd' }), false);
  assert.match(JSON.stringify(outside), /\/etc\/passwd/);
  const inside = toolFailure(
    new AppError('FS_WRITE_FAILED', { file: 'src/Main.luau', reason: 'it is read-only' }),
    true,
  );
  assert.match(JSON.stringify(inside), /src\/Main\.luau/);
});
