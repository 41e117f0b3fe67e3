import assert from 'node:assert/strict';
import { chmod } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { rgPath } from '@vscode/ripgrep';
import { gitRemote } from '../../harness/git-remote.ts';
import { folderHash, gitRootWorld } from '../../harness/git-root-world.ts';
import { rootVariables } from '../../harness/root-host.ts';
import { callTool, greet, runStdio } from '../../harness/run-stdio.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

const files = { 'docs/a.md': 'needle\nlast', 'code/b.ts': 'needle' };
const result = (message: Record<string, unknown>) => message['result'] as Record<string, unknown>;

test('writes only the protocol to stdout, and one line of JSON per call to stderr', async () => {
  await using folder = await tempFolder(files);
  const run = await runStdio(
    {
      ...rootVariables(folder.path, { docs: ['docs-a'] }),
      ROOT_DOCS_A_PATH: `${folder.path}/docs`,
      WORKSPACE_DOCS_API: 'auto',
    },
    [
      greet,
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 'list', method: 'tools/list' },
      callTool(1, 'search', { query: 'needle' }),
      callTool(2, 'open_file', { path: 'gone.md' }),
      callTool(3, 'search', { query: 'x', repo: 'docs' }),
      callTool(4, 'dance', {}),
      { jsonrpc: '2.0', id: 'ping', method: 'ping' },
      JSON.stringify(callTool('last', 'roots_list', {})),
    ],
  );
  assert.equal(run.exitCode, 0);
  assert.ok(run.out.every(message => message['jsonrpc'] === '2.0'));
  const { tools } = result(run.answer('list')) as { tools: { name: string; annotations: { readOnlyHint: boolean } }[] };
  assert.deepEqual(
    tools.map(tool => tool.name),
    ['list_dir', 'open_file', 'get_snippet', 'search', 'smart_search', 'roots_list', 'repo_status', 'repo_sync'],
  );
  const structured = result(run.answer(1))['structuredContent'] as { result: unknown };
  assert.deepEqual(structured.result, [{ root: 'docs-a', type: 'docs', path: 'a.md', line: 1, preview: 'needle' }]);
  assert.equal(result(run.answer(2))['isError'], true);
  assert.match(JSON.stringify(result(run.answer(3))['structuredContent']), /LEGACY_INPUT/);
  assert.ok('error' in run.answer(4));
  assert.deepEqual(result(run.answer('ping')), {});
  assert.equal(result(run.answer('last'))['isError'], false);
  const records = run.err.map(line => JSON.parse(line) as Record<string, unknown>);
  const of = (event: string, tool: string) => ({
    ...records.find(record => record['event'] === event && record['tool'] === tool),
    duration_ms: 0,
  });
  assert.deepEqual(of('tool_request', 'search'), {
    level: 'info',
    event: 'tool_request',
    tool: 'search',
    repo: 'docs',
    scope: ['docs-a'],
    duration_ms: 0,
  });
  assert.deepEqual(of('tool_error', 'open_file'), {
    level: 'error',
    event: 'tool_error',
    tool: 'open_file',
    code: 'FILE_NOT_FOUND',
    message: 'File not found',
    duration_ms: 0,
  });
  assert.equal(records.length, 4);
});

test('US1 serves old clients if only the old variables are set', async () => {
  await using folder = await tempFolder(files);
  const environment = { DOCS_ROOT: join(folder.path, 'docs'), CODE_ROOT: join(folder.path, 'code') };
  const run = await runStdio(environment, [
    callTool(1, 'search', { query: 'needle', repo: 'code' }),
    { jsonrpc: '2.0', id: 2, method: 'initialize' },
    callTool(3, 'open_file', { path: 'gone.md' }),
    callTool(4, 'dance', {}),
    { tool: 'get_snippet', params: { path: 'a.md', start_line: 2, end_line: 2 }, id: 5 },
    { tool: 'open_file', params: { path: 'gone.md' }, id: 6 },
    { tool: 'dance', id: 7 },
    { id: 8 },
    'not json\n',
    '\r\n',
    { jsonrpc: '2.0', id: null, method: 'tools/list' },
    { jsonrpc: '2.0', method: 'whatever' },
  ]);
  assert.equal(run.exitCode, 0);
  const data = result(run.answer(1))['data'] as { result: unknown; meta: Record<string, unknown> };
  assert.deepEqual([data.result, data.meta['repo']], [[{ path: 'b.ts', line: 1, preview: 'needle' }], 'code']);
  assert.equal(result(run.answer(2))['protocolVersion'], '2024-11-05');
  assert.deepEqual(run.answer(3)['error'], {
    code: -32_000,
    message: 'File not found',
    data: { error: { code: 'FILE_NOT_FOUND', message: 'File not found', details: { repo: 'both', path: 'gone.md' } } },
  });
  assert.equal((run.answer(4)['error'] as { code: number }).code, -32_601);
  assert.deepEqual(run.answer(5)['result'], {
    path: 'a.md',
    start_line: 2,
    end_line: 2,
    lines: [{ line: 2, text: 'last' }],
  });
  assert.equal((run.answer(6)['error'] as { code: string }).code, 'FILE_NOT_FOUND');
  assert.equal((run.answer(7)['error'] as { code: string }).code, 'TOOL_NOT_FOUND');
  assert.equal((run.answer(8)['error'] as { code: string }).code, 'INVALID_REQUEST');
  assert.equal((run.answer(null)['error'] as { code: number }).code, -32_700);
  const first = JSON.parse(run.err[0] ?? '') as Record<string, unknown>;
  assert.equal(typeof first['tool'], 'string');
  const search = run.err
    .map(line => JSON.parse(line) as Record<string, unknown>)
    .find(line => line['tool'] === 'search');
  assert.deepEqual(search?.['deprecated'], ['repo']);
});

test('WORKSPACE_DOCS_API overrides the choice in both directions', async () => {
  await using folder = await tempFolder(files);
  const environment = { DOCS_ROOT: join(folder.path, 'docs'), CODE_ROOT: join(folder.path, 'code') };
  const call = callTool(1, 'search', { query: 'needle', repo: 'docs' });
  const strict = await runStdio({ ...environment, WORKSPACE_DOCS_API: 'strict' }, [greet, call]);
  assert.match(JSON.stringify(strict.answer(1)), /LEGACY_INPUT/);
  const more = { HARNESS_ROOTS: 'h', ROOT_H_PATH: join(folder.path, 'code', '..', 'docs', '..') };
  const auto = await runStdio({ ...environment, ...more }, [greet, call]);
  assert.match(JSON.stringify(auto.answer(1)), /LEGACY_INPUT/);
  const compat = await runStdio({ ...environment, ...more, WORKSPACE_DOCS_API: 'compat' }, [greet, call]);
  assert.ok('data' in result(compat.answer(1)));
});

test('FR-013 FR-014 exits with 1 and logs all problems if the configuration is invalid', async () => {
  await using folder = await tempFolder(files);
  const run = await runStdio({ CODE_ROOT: join(folder.path, 'gone'), CODE_ROOTS: 'a,' }, [greet]);
  assert.equal(run.exitCode, 1);
  assert.deepEqual(run.out, []);
  const { code, details } = JSON.parse(run.err[0] ?? '') as {
    code: string;
    details: { problems: { variable: string; reason: string }[] };
  };
  assert.equal(code, 'CONFIG_INVALID');
  assert.deepEqual(details.problems.map(problem => `${problem.variable} ${problem.reason}`).toSorted(), [
    'CODE_ROOT ROOT_NOT_FOUND',
    'CODE_ROOTS EMPTY_ENTRY',
    'DOCS_ROOT MISSING_ROOT',
    'ROOT_A_PATH ROOT_SOURCE_MISSING',
  ]);
  for (const [path, reason] of [
    [join(folder.path, 'docs', 'a.md'), 'ROOT_NOT_DIRECTORY'],
    [join(folder.path, 'none'), 'ROOT_NOT_FOUND'],
  ] as const) {
    const one = await runStdio({ DOCS_ROOT: path }, [greet]);
    const parsed = JSON.parse(one.err[0] ?? '') as { details: Record<string, unknown> };
    assert.deepEqual(
      [parsed.details['reason'], parsed.details['repo'], parsed.details['path']],
      [reason, 'docs', path],
    );
  }
});

test('FR-013 exits with MISSING_ROOT without any variable', async () => {
  for (const environment of [{}, { DOCS_ROOT: '' }, { DOCS_ROOT: ' ', DOCS_ROOTS: '', CODE_ROOT: '' }]) {
    const run = await runStdio(environment, [greet]);
    const { code, details } = JSON.parse(run.err[0] ?? '') as {
      code: string;
      details: { reason: string; repo: string };
    };
    assert.deepEqual(
      [run.exitCode, run.out, code, details.reason, details.repo],
      [1, [], 'CONFIG_INVALID', 'MISSING_ROOT', 'docs'],
    );
  }
});

test('FR-002 ignores arguments of old clients that are not an object', async () => {
  await using folder = await tempFolder(files);
  const run = await runStdio({ DOCS_ROOT: join(folder.path, 'docs') }, [
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'search', arguments: 'needle' } },
    { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'list_dir', arguments: null } },
    { jsonrpc: '2.0', id: 3, method: 'tools/call' },
  ]);
  const failure = (id: number) => run.answer(id)['error'] as { code: number; data: object };
  assert.deepEqual([failure(1).code, failure(3).code], [-32_000, -32_601]);
  assert.match(JSON.stringify(failure(1).data), /QUERY_EMPTY/);
  assert.match(JSON.stringify(run.answer(2)), /"path":"docs"/);
});

test('FR-002 accepts the same folder in both old variables', async () => {
  await using folder = await tempFolder(files);
  const one = { DOCS_ROOT: folder.path, CODE_ROOT: `${folder.path}/` };
  const run = await runStdio(one, [
    greet,
    callTool(1, 'search', { query: 'last' }),
    callTool(2, 'roots_list', {}),
    callTool(3, 'search', { query: 'last', repo: 'code' }),
  ]);
  const hits = (id: number) => (result(run.answer(id))['structuredContent'] as { result: unknown }).result;
  const hit = { path: 'docs/a.md', line: 2, preview: 'last' };
  assert.deepEqual([hits(1), hits(3)], [[hit, hit], [hit]]);
  assert.match(JSON.stringify(run.answer(2)), /are the same folder, so hits appear under both ids/);
  const listed = { DOCS_ROOTS: 'a', CODE_ROOTS: 'b', ROOT_A_PATH: folder.path, ROOT_B_PATH: folder.path };
  const refused = await runStdio(listed, [greet]);
  assert.match(refused.err[0] ?? '', /ROOT_PATH_DUPLICATE/);
});

test('accepts a root with a trailing slash or reached through a link', async () => {
  await using folder = await tempFolder(files);
  const run = await runStdio({ DOCS_ROOT: `${folder.path}/docs/` }, [callTool(1, 'list_dir', { repo: 'docs' })]);
  assert.match(JSON.stringify(run.answer(1)), /a\.md/);
});

test('[P4] FR-011 SC-004 no call opens a socket or runs git or ssh, even for git roots', async () => {
  await using remote = await gitRemote({ 'kept.md': 'needle\n' });
  await using at = await gitRootWorld(remote);
  assert.equal((await at.sync()).status, 'initialised');
  // The remote now has a newer commit.
  await remote.commit({ 'kept.md': 'needle moved\n' });
  const served = await folderHash(at.cache);
  await using folder = await tempFolder({
    ...files,
    // Every network function of Node reports its use, and then fails.
    'watch.mjs': `import dgram from 'node:dgram'; import dns from 'node:dns'; import net from 'node:net'; import { writeSync } from 'node:fs';
const report = what => () => { writeSync(2, 'NETWORK ' + what + '\\n'); throw new Error('no network'); };
net.Socket.prototype.connect = report('connect'); net.Server.prototype.listen = report('listen'); dgram.createSocket = report('dgram');
for (const name of ['lookup', 'resolve', 'resolve4', 'resolve6']) { dns[name] = report(name); dns.promises[name] = report(name); }
globalThis.fetch = report('fetch'); globalThis.WebSocket = class { constructor() { report('websocket')(); } };
if (process.env.SELF_TEST) try { net.connect(9); } catch {}\n`,
  });
  const spies = ['git', 'ssh', 'curl'];
  for (const name of spies) {
    await folder.write({ [`bin/${name}`]: `#!/bin/sh\necho "RAN ${name}" >> "${folder.path}/ran"\nexit 1\n` });
    await chmod(join(folder.path, 'bin', name), 0o755);
  }
  const environment = {
    PATH: `${join(folder.path, 'bin')}${delimiter}${process.env['PATH'] ?? ''}`,
    DOCS_ROOT: join(folder.path, 'docs'),
    CODE_ROOTS: 'remote',
    ROOT_REMOTE_GIT_URL: 'https://git.example.test/x.git',
    ...at.environment,
  };
  const calls = [
    callTool(1, 'search', { query: 'needle' }),
    callTool(2, 'search', { query: 'need.e', regex: true, scope: 'all' }),
    callTool(3, 'smart_search', { query: 'needle' }),
    callTool(4, 'list_dir', {}),
    callTool(5, 'open_file', { path: 'a.md' }),
    callTool(6, 'get_snippet', { path: 'a.md', start_line: 1, end_line: 1 }),
    callTool(7, 'roots_list', {}),
    callTool(8, 'search', { query: 'needle', scope: 'remote' }),
    callTool(9, 'open_file', { path: 'kept.md', scope: 'kept' }),
  ];
  const watch = ['--import', join(folder.path, 'watch.mjs')];
  for (const ATLAS_RIPGREP of [rgPath, '']) {
    const run = await runStdio({ ...environment, ATLAS_RIPGREP }, [greet, ...calls], watch);
    assert.equal(run.exitCode, 0, run.err.join('\n'));
    assert.deepEqual(
      run.err.filter(line => line.includes('NETWORK')),
      [],
    );
    for (const id of [1, 2, 3, 4, 5, 6, 7, 9])
      assert.equal(result(run.answer(id))['isError'], false, JSON.stringify(run.answer(id)));
    assert.match(JSON.stringify(run.answer(1)), /kept\.md/);
    assert.match(JSON.stringify(run.answer(8)), /ROOT_NOT_SYNCED/);
  }
  const { existsSync } = await import('node:fs');
  assert.equal(existsSync(join(folder.path, 'ran')), false);
  assert.equal(await folderHash(at.cache), served);
  const selfTest = await runStdio({ ...environment, SELF_TEST: '1' }, [], watch);
  assert.deepEqual(selfTest.err, ['NETWORK connect'], 'the probe detects a socket');
});
