import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { gitRemote } from '../../harness/git-remote.ts';
import { tempFolder } from '../../harness/temp-folder.ts';
import { cliEntry } from '../../harness/cli-entry.ts';

interface Body {
  readonly result: readonly Readonly<Record<string, unknown>>[];
  readonly meta: Readonly<Record<string, unknown>>;
}

/** The official client, which starts the program as an agent does, configured by variables only. */
async function stdioClient(environment: Readonly<Record<string, string>>) {
  const client = new Client({ name: 'agent', version: '1' });
  const { PATH = '' } = process.env;
  const args = [cliEntry, 'mcp', '--stdio', '--toolset', 'docs'];
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, env: { PATH, ...environment }, stderr: 'ignore' }),
  );
  const steps: string[] = [];
  return {
    client,
    steps,
    async call(name: string, args: Record<string, unknown>): Promise<Body> {
      const answer = await client.callTool({ name, arguments: args }, undefined, {
        onprogress: ({ message }) => steps.push(message ?? ''),
      });
      assert.equal(answer.isError ?? false, false, JSON.stringify(answer));
      return answer.structuredContent as Body;
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

test('US2 US3 an agent syncs a git root with progress, reads it and searches all roots', async () => {
  await using folder = await tempFolder({ 'game/a.luau': '-- needle\n', 'bots/b.luau': 'needle\n' });
  await using remote = await gitRemote({ 'api/errors.md': '# Errors\n\nneedle one\n' });
  await using agent = await stdioClient({
    DOCS_ROOTS: 'api-ref',
    CODE_ROOTS: 'game',
    HARNESS_ROOTS: 'bots',
    ROOT_API_REF_GIT_URL: remote.url,
    ROOT_API_REF_SUBDIR: 'api',
    ROOT_GAME_PATH: join(folder.path, 'game'),
    ROOT_BOTS_PATH: join(folder.path, 'bots'),
    WORKSPACE_DOCS_CACHE: join(folder.path, 'cache'),
    WORKSPACE_DOCS_GIT_PROTOCOLS: 'file',
  });
  const before = await agent.call('search', { query: 'needle' });
  assert.deepEqual(
    [before.result.map(hit => hit['root']), before.meta['skipped']],
    [['game', 'bots'], [{ root: 'api-ref', reason: 'ROOT_NOT_SYNCED' }]],
  );
  const first = remote.git('rev-parse', 'HEAD');
  const [synced] = (await agent.call('repo_sync', { root: 'all' })).result;
  assert.deepEqual([synced?.['before'], synced?.['after'], synced?.['status']], [null, first, 'initialised']);
  assert.equal(agent.steps[0], 'api-ref: contacting the remote');
  await remote.commit({ 'api/errors.md': '# Errors\n\nneedle two\n' });
  const found = await agent.call('search', { query: 'needle', scope: ['docs', 'harness'] });
  assert.deepEqual(
    found.result.map(hit => [hit['root'], hit['path'], hit['line'], hit['preview']]),
    [
      ['api-ref', 'errors.md', 3, 'needle one'],
      ['bots', 'b.luau', 1, 'needle'],
    ],
  );
  assert.deepEqual(found.meta['commits'], { 'api-ref': first });
  const [status] = (await agent.call('repo_status', { root: 'api-ref' })).result;
  assert.deepEqual([status?.['commit'], status?.['state'], status?.['dirty']], [first, 'clean', false]);
  await agent.call('repo_sync', { root: 'api-ref' });
  const [hit] = (await agent.call('smart_search', { query: 'needle two' })).result;
  assert.deepEqual([hit?.['root'], hit?.['preview']], ['api-ref', 'needle two']);
});

test('keeps the served commit when the agent cancels a sync', async () => {
  await using folder = await tempFolder();
  await using remote = await gitRemote();
  await using agent = await stdioClient({
    DOCS_ROOTS: 'kept',
    ROOT_KEPT_GIT_URL: remote.url,
    WORKSPACE_DOCS_CACHE: join(folder.path, 'cache'),
    WORKSPACE_DOCS_GIT_PROTOCOLS: 'file',
  });
  await agent.call('repo_sync', { root: 'kept' });
  await remote.commit({ 'a.md': 'two\n' });
  const cancel = new AbortController();
  const request = { name: 'repo_sync', arguments: { root: 'kept' } };
  const cancelled = agent.client.callTool(request, undefined, {
    signal: cancel.signal,
    // The first step contacts the remote; nothing is written yet.
    onprogress: () => cancel.abort(),
  });
  await assert.rejects(cancelled);
  const { result } = await agent.call('search', { query: 'one' });
  assert.equal(result.length, 1);
  assert.equal((await agent.call('repo_sync', { root: 'kept' })).result[0]?.['status'], 'updated');
});
