import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { toolCatalog } from '../../src/app/tool-catalog.ts';
import { connectFakeStudio } from '../harness/connect-fake-studio.ts';
import { atlasExports } from './harness/atlas-exports.ts';
import { type RunningVsCode, startVsCode } from './harness/start-vscode.ts';
import { toolCalls } from './harness/tool-calls.ts';
import { until } from './harness/until.ts';
import { type VsCodeAgent, vsCodeAgent } from './harness/vscode-agent.ts';

let dir = '';
let game = '';
let vscode: RunningVsCode;
let agent: VsCodeAgent;

before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'atlas-tools-'));
  game = join(dir, 'game');
  mkdirSync(join(game, 'docs'), { recursive: true });
  writeFileSync(join(game, 'docs/guide.md'), '# Guide\n\nThe lighthouse keeper is awake.\n');
  writeFileSync(join(game, 'boot.server.luau'), 'print(1)\n');
  writeFileSync(join(game, 'boot.spec.luau'), 'return function() it("starts", function() end) end\n');
  vscode = await startVsCode({ hasChat: true, folder: game, settings: { 'atlas.port': 0 } });
  agent = vsCodeAgent(vscode);
});
after(async () => {
  await vscode[Symbol.asyncDispose]();
  rmSync(dir, { recursive: true, force: true });
});

const namesOf = (...toolsets: readonly string[]): readonly string[] =>
  toolCatalog.flatMap(({ toolset, listing }) => (toolsets.includes(toolset) ? [listing.name] : [])).toSorted();
/** The tools of Atlas Bridge in `vscode.lm.tools`, by their MCP names. */
async function offered(): Promise<readonly string[]> {
  const { mcpUrl } = await atlasExports(vscode);
  assert.ok(mcpUrl !== undefined);
  const ours = new Set(toolCatalog.map(({ listing }) => listing.name));
  const full = (await vscode.driver.call('tools', {})).map(({ name }) => name).filter(name => name.startsWith('mcp_'));
  const short = [...ours].toSorted((a, b) => b.length - a.length);
  return [...new Set(full.flatMap(name => short.find(one => name.endsWith(`_${one}`)) ?? []))].toSorted();
}

test('offers the sync tools without a reload when a project file is created', async () => {
  // Nothing in the folder activates the extension, so activate it like opening the chat does.
  await vscode.driver.call('execute', { command: 'atlas.doctor', args: [{ quiet: true }] });
  await agent.tool('roots_list');
  assert.deepEqual(await offered(), namesOf('docs'));
  const tree = {
    $className: 'DataModel',
    ServerScriptService: { Boot: { $path: 'boot.server.luau' }, Test: { $path: 'boot.spec.luau' } },
  };
  writeFileSync(join(game, 'default.project.json'), JSON.stringify({ name: 'Harbor', tree }));
  await agent.tool('atlas_sync');
  const all = namesOf('docs', 'tests', 'sync');
  await until('all tools of a game', 15_000, async () => ((await offered()).length === all.length ? true : undefined));
  assert.deepEqual(await offered(), all);
});

test('calls every sync and docs tool through VS Code, with confirmation for changes', async () => {
  const { studioUrl = '' } = await atlasExports(vscode);
  await using studio = await connectFakeStudio(
    studioUrl,
    { ServerScriptService: { className: 'ServerScriptService' } },
    { placeName: 'Harbor' },
    await vscode.studioKey(),
  );
  const { call, holds, assertAllCalled } = toolCalls(agent, toolCatalog);
  const looked = await call('atlas_diff', {});
  const changes = looked['changes'] as readonly { readonly id: string }[];
  const synced = await call('atlas_sync', {
    overrides: changes.map(({ id }) => ({ id, direction: 'push' })),
    plan: 'Push 2 scripts, delete nothing',
  });
  assert.equal(synced['status'], 'success', JSON.stringify(synced));
  assert.equal(studio.studio.source('ServerScriptService/Boot'), 'print(1)\n');
  const runId = String(synced['runId']);
  assert.equal((await call('get_script', { fsPath: 'boot.server.luau' }))['source'], 'print(1)\n');
  const merged = await call('get_merge', { fsPath: 'boot.server.luau' });
  assert.ok(['merged', 'no_base'].includes(String(merged['status'])), JSON.stringify(merged));
  assert.match(JSON.stringify(await call('operation_get', { operationId: runId })), /"outcome":"done"/);
  assert.equal((await call('operation_wait', { operationId: runId }))['status'], 'success');
  assert.match(JSON.stringify((await call('sync_history', {}))['runs']), new RegExp(runId));
  assert.equal((await call('run_tests', {}))['status'], 'passed');
  const preview = await call('sync_restore', { runId, side: 'disk', preview: true });
  assert.ok(['dryrun', 'empty'].includes(String(preview['status'])), JSON.stringify(preview));

  const guide = { scope: 'docs', path: 'guide.md' };
  await holds('list_dir', { scope: 'docs', path: '' }, /guide\.md/);
  await holds('open_file', guide, /The lighthouse keeper is awake/);
  await holds('get_snippet', { ...guide, start_line: 3, end_line: 3 }, /The lighthouse keeper is awake/);
  await holds('search', { query: 'lighthouse' }, /guide\.md/);
  await holds('smart_search', { query: 'keeper of the lighthouse' }, /guide\.md/);
  await holds('roots_list', {}, /"kind":"local"/);
  await holds('repo_status', {}, /"kind":"local"/);
  await holds('repo_sync', { root: 'all' }, /"(result|error)"/);
  assertAllCalled();
});
