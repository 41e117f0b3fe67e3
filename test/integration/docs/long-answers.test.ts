import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { docsClient } from '../../harness/docs-client.ts';
import { rootVariables } from '../../harness/root-host.ts';
import { tempFolder } from '../../harness/temp-folder.ts';
import { cliEntry } from '../../harness/cli-entry.ts';

async function world(files: Readonly<Record<string, string>>) {
  const folder = await tempFolder(Object.fromEntries(Object.entries(files).map(([path, text]) => [`a/${path}`, text])));
  return {
    ...docsClient(rootVariables(folder.path, { docs: ['a'] })),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}
interface Snippet {
  readonly lines: readonly { readonly line: number; readonly text: string; readonly text_truncated?: true }[];
}

test('cuts a line that exceeds the answer limit, and continues after it', async () => {
  await using docs = await world({ 'bundle.js': `${'é'.repeat(600_000)}\nsecond\nthird\n` });
  const ask = { path: 'bundle.js', start_line: 1, end_line: 3 };
  const first = await docs.call('get_snippet', ask);
  const [long, ...others] = (first.result as Snippet).lines;
  assert.deepEqual([long?.line, long?.text_truncated, others, first.meta['truncated']], [1, true, [], true]);
  assert.match(long?.text ?? '', /^é{1000,}$/);
  assert.equal((first.result as { encoding: string }).encoding, 'utf-8');
  const next = await docs.call('get_snippet', { ...ask, cursor: first.meta['next'] });
  assert.deepEqual((next.result as Snippet).lines, [
    { line: 2, text: 'second' },
    { line: 3, text: 'third' },
  ]);
  assert.equal(next.meta['truncated'], false);
  const alone = await docs.call('get_snippet', { ...ask, end_line: 1 });
  assert.equal((alone.result as Snippet).lines[0]?.text_truncated, true);
});

test('FR-002 accepts any limit from 1, and returns more than a page with the cursor', async () => {
  await using docs = await world({ 'a.md': 'needle\n'.repeat(1500) });
  for (const tool of ['search', 'smart_search']) {
    const first = await docs.call(tool, { query: 'needle', limit: 1_000_000 });
    assert.deepEqual([first.hits.length, first.meta['truncated']], [tool === 'search' ? 1000 : 500, tool === 'search']);
  }
  const { meta } = await docs.call('search', { query: 'needle', limit: 1_000_000 });
  const rest = await docs.call('search', { query: 'needle', limit: 1_000_000, cursor: meta['next'] });
  assert.deepEqual([rest.hits.length, rest.hits[0]?.line, rest.meta['truncated']], [500, 1001, false]);
});

test('never sends an old client a message that the official client rejects', async () => {
  await using folder = await tempFolder({
    'docs/short-lines.md': '\n'.repeat(400_000),
    'docs/long.md': 'x'.repeat(5_000_000),
    'docs/hits.md': `${'needle '.repeat(60)}\n`.repeat(12_000),
    'docs/fine.md': 'fine\n'.repeat(20_000),
  });
  const client = new Client({ name: 'old', version: '1' });
  const args = [cliEntry, 'mcp', '--stdio', '--toolset', 'docs'];
  const { PATH = '' } = process.env;
  const env = { PATH, DOCS_ROOT: join(folder.path, 'docs') };
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
  try {
    const call = async (name: string, given: Record<string, unknown>) => {
      const { structuredContent } = await client.callTool({ name, arguments: given });
      return structuredContent as { result: { lines: unknown[] } & unknown[]; meta: { truncated: boolean } };
    };
    for (const path of ['short-lines.md', 'long.md'])
      for (const [name, more] of [
        ['open_file', {}],
        ['get_snippet', { start_line: 1, end_line: 1_000_000 }],
      ] as const)
        await assert.rejects(call(name, { path, ...more }), (error: Error & { data?: unknown }) => {
          assert.match(JSON.stringify(error.data), /"FILE_TOO_LARGE"/, `${name} ${path}`);
          return true;
        });
    const found = await call('search', { query: 'needle', limit: 10_000 });
    assert.ok(found.meta.truncated && found.result.length > 1000 && found.result.length < 10_000);
    assert.equal((await call('open_file', { path: 'fine.md' })).result.lines.length, 20_001);
  } finally {
    await client.close();
  }
});
