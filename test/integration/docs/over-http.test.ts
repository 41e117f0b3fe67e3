import assert from 'node:assert/strict';
import { readFileSync, globSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { callTool, connectClient } from '../../harness/mcp-client.ts';
import { docsClient } from '../../harness/docs-client.ts';
import { rootHost, rootVariables } from '../../harness/root-host.ts';
import { startBridge } from '../../harness/start-bridge.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

test('serves the current docs tools at /mcp and /mcp/docs with any variables', async () => {
  await using folder = await tempFolder({ 'docs/a.md': 'needle\n' });
  await using bridge = await startBridge({}, { roots: rootHost({ DOCS_ROOT: join(folder.path, 'docs') }) });
  for (const url of [bridge.mcpUrl, `${bridge.mcpUrl}/docs`]) {
    await using connected = await connectClient(url, bridge.token);
    const found = await callTool(connected.client, 'search', { query: 'needle' });
    assert.equal(found.isError, false);
    assert.deepEqual(found.answer['result'], [
      { root: 'docs-default', type: 'docs', path: 'a.md', line: 1, preview: 'needle' },
    ]);
    for (const [name, args] of [
      ['list_dir', {}],
      ['open_file', { path: 'a.md' }],
      ['get_snippet', { path: 'a.md', start_line: 1, end_line: 1 }],
      ['smart_search', { query: 'needle' }],
      ['roots_list', {}],
    ] as const)
      assert.equal((await callTool(connected.client, name, args)).isError, false, name);
    const refused = await callTool(connected.client, 'search', { query: 'needle', repo: 'docs' });
    assert.equal((refused.answer['error'] as { code: string }).code, 'LEGACY_INPUT');
  }
});

test('serves workspace folders by default, and reads changed variables on the next call', async () => {
  await using folder = await tempFolder({
    'game/a.luau': 'needle\n',
    'game/docs/b.md': 'needle\n',
    'other/c.md': 'needle\n',
  });
  let environment: Record<string, string> = {};
  const folders = async () => [{ name: 'game', path: join(folder.path, 'game'), hasDocs: true }];
  await using bridge = await startBridge({}, { roots: rootHost({}, { folders, environment: () => environment }) });
  const hits = async () =>
    ((await bridge.call('search', { query: 'needle' })).answer['result'] as { root: string; path: string }[]).map(
      hit => `${hit.root}:${hit.path}`,
    );
  assert.deepEqual(await hits(), ['game-docs:b.md', 'game:a.luau']);
  environment = rootVariables(folder.path, { docs: ['other'] });
  assert.deepEqual(await hits(), ['other:c.md']);
  assert.equal((await bridge.retrieval.listRoots()).roots.length, 1);
});

test('finds each file of nested workspace folders under one root only', async () => {
  await using folder = await tempFolder({
    'game/a.md': 'needle\n',
    'game/docs/b.md': 'needle\n',
    'game/docs-old/c.md': 'needle\n',
    'game/part/d.md': 'needle\n',
    'game/part/docs/e.md': 'needle\n',
  });
  const at = (path: string, hasDocs: boolean) => ({ name: path, path: join(folder.path, path), hasDocs });
  const folders = async () => [at('game', true), at('game/docs', false), at('game/part', true)];
  const docs = docsClient({}, { folders });
  for (const tool of ['search', 'smart_search']) {
    const { hits } = await docs.call(tool, { query: 'needle' });
    assert.deepEqual(hits.map(hit => `${hit.root}:${hit.path}`).toSorted(), [
      'game-docs:b.md',
      'game-part-docs:e.md',
      'game-part:d.md',
      'game:a.md',
      'game:docs-old/c.md',
    ]);
  }
  const inCode = await docs.call('search', { query: 'needle', scope: 'game' });
  assert.equal(inCode.hits.length, 5, 'a root alone in scope includes its inner roots');
  assert.deepEqual((await docs.retrieval.listRoots()).warnings, []);
  assert.equal((await docs.call('open_file', { path: 'docs/b.md', scope: 'game' })).isError, false);
});

test('FR-011 retrieval does not import the code that syncs', () => {
  const root = resolve(fileURLToPath(import.meta.url), '../../../..');
  // These folders contain both retrieval and the sync of git roots.
  const exclude = ['src/docs/{adapters/git-roots,adapters/node,tools,vscode,ports}/**'];
  const files = globSync('src/docs/**/*.ts', { cwd: root, exclude });
  assert.ok(files.length > 20);
  const guilty = files.filter(file =>
    /git-roots|run-git|node:(?:net|http|https|dns|dgram|tls)|\bfetch\(/.test(readFileSync(join(root, file), 'utf8')),
  );
  assert.deepEqual(guilty, []);
});
