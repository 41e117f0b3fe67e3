import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createNodeFileSystem } from '../../../src/adapters/fs/node-file-system.ts';
import { nodeClock as clock } from '../../../src/adapters/node/clock.ts';
import { nodeHasher as hasher } from '../../../src/adapters/node/hasher.ts';
import { nodeRandom as random } from '../../../src/adapters/node/random.ts';
import { startWorkerRpcClient } from '../../../src/vscode/worker-rpc-client.ts';
import type { ProjectPath } from '../../../src/base/brand.ts';
import { DisposableStore } from '../../../src/base/disposable-store.ts';
import { Emitter } from '../../../src/base/emitter.ts';
import type { ToolCall } from '../../../src/mcp/tool.ts';
import type { StartModulesWorker } from '../../../src/pluto/tools/worker/modules-client.ts';
import type { ModulesRpc, Notice } from '../../../src/pluto/tools/worker/messages.ts';
import { openWorkerToolset } from '../../../src/pluto/tools/worker/open-worker-toolset.ts';
import { defaultSettings } from '../../harness/default-settings.ts';
import { startModulesInThisThread } from '../../harness/load-pluto.ts';
import { memoryLog } from '../../harness/memory-log.ts';
import { containerOf } from '../../harness/pluto-container.ts';
import { toolCall } from '../../harness/tool-call.ts';
import { until } from '../../harness/until.ts';

const worker = new URL('../../../src/pluto/workers/modules-worker.ts', import.meta.url);

const inThread =
  (folder: string): StartModulesWorker =>
  (onNotice, onFailure) =>
    startWorkerRpcClient<ModulesRpc>(
      worker,
      {
        name: 'modules',
        workerData: { folder, version: '1' },
        onNotice: notice => onNotice(notice as Notice),
      },
      onFailure,
    );

/** A toolset over a new folder. By default its modules are in a worker thread. */
async function open(texts: Readonly<Record<string, string>>, start?: (folder: string) => StartModulesWorker) {
  const store = new DisposableStore();
  const folder = mkdtempSync(join(tmpdir(), 'atlas-modules-'));
  store.defer(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(texts))
    writeFileSync(join(folder, path), path.endsWith('.pluto') ? containerOf(text) : text);
  const hints = new Emitter<ProjectPath>();
  const files = createNodeFileSystem(folder, hasher);
  const ports = { files, hasher, random, clock, settings: defaultSettings(), log: memoryLog() };
  const toolset = store.add(
    await openWorkerToolset(
      { ...ports, watcher: { watch: listener => hints.event(listener) } },
      start?.(folder) ?? inThread(folder),
    ),
  );
  const call = (name: string, args: object = {}, how: Partial<ToolCall> = {}) => {
    const tool = toolset.tools.find(({ listing }) => listing.name === name);
    assert.ok(tool !== undefined);
    return tool.call(undefined, args, toolCall(how));
  };
  const idOf = async (name: string): Promise<string> => {
    const { structuredContent } = await call('find_declaration', { name });
    const [found] = structuredContent['result'] as readonly { readonly id: string }[];
    assert.ok(found !== undefined, name);
    return found.id;
  };
  return { folder, hints, toolset, call, idOf, log: ports.log, [Symbol.dispose]: () => store[Symbol.dispose]() };
}

test('runs the tools in the worker, and reports and saves their edits here', async () => {
  using world = await open({
    'a.pluto': 'pub fn f() int {\n    return 1\n}\n',
    'b.pt': 'import a\n\nfn g() int {\n    return a.f()\n}\n',
  });
  const { toolset, call, idOf } = world;
  assert.equal(toolset.moduleCount, 2);
  const callers = await call('callers_of', { id: await idOf('f') });
  assert.deepEqual(
    (callers.structuredContent['result'] as readonly { readonly caller_name: string }[]).map(one => one.caller_name),
    ['g'],
  );
  const changes: unknown[] = [];
  using _listening = toolset.unsaved.onDidChange(change => changes.push(change));
  const renamed = await call('rename_declaration', { id: await idOf('f'), new_name: 'h' });
  assert.equal(renamed.isError, false, renamed.content[0].text);
  assert.deepEqual(toolset.unsaved.paths(), ['a.pluto', 'b.pt']);
  assert.deepEqual(changes, [{ cause: 'edit', modules: ['a.pluto', 'b.pt'] }]);
  assert.match((await toolset.unsaved.module('b.pt' as ProjectPath)).text, /a\.h\(\)/);
  // Another program has written one of the two.
  writeFileSync(join(world.folder, 'b.pt'), 'import a\n');
  const saved = await toolset.unsaved.save(toolset.unsaved.paths(), new AbortController().signal);
  assert.deepEqual(
    saved.map(one => (one.kind === 'saved' ? one.path : `${one.path} ${one.error.code}`)),
    ['a.pluto', 'b.pt FILE_CHANGED'],
  );
  assert.deepEqual(toolset.unsaved.paths(), ['b.pt']);
});

test('reads resources from the worker, and fails for a missing module', async () => {
  using world = await open({ 'a.pt': 'fn f() {}\n' });
  const { resources } = world.toolset.extras;
  const { signal } = new AbortController();
  assert.equal((await resources?.read('pluto://source/a.pt', signal))?.text, 'fn f() {}\n');
  assert.equal(await resources?.read('atlas://other', signal), undefined);
  await assert.rejects(async () => resources?.read('pluto://source/b.pt', signal), { code: 'PLUTO_MODULE_NOT_FOUND' });
  const { isError, structuredContent } = await world.call('get_source', { path: 'b.pt' });
  assert.deepEqual([isError, (structuredContent['error'] as { code: string }).code], [true, 'PLUTO_MODULE_NOT_FOUND']);
});

test('refreshes modules in the worker when files change on disk', async () => {
  using world = await open({ 'a.pt': 'fn f() {}\n' });
  await world.idOf('f');
  const changes: unknown[] = [];
  using _listening = world.toolset.unsaved.onDidChange(change => changes.push(change));
  writeFileSync(join(world.folder, 'a.pt'), 'fn g() {}\n');
  world.hints.fire('a.pt' as ProjectPath);
  await until(() => changes.length > 0);
  assert.deepEqual(changes, [{ cause: 'disk', modules: ['a.pt'] }]);
  await world.idOf('g');
});

test('reports progress of a program, and stops it when its call is cancelled', async () => {
  using world = await open({ 'a.pt': 'fn main() {\n    while true {\n    }\n}\n' });
  const abort = new AbortController();
  const progress = (message: string): void => {
    assert.equal(message, 'Running a.pt.');
    abort.abort();
  };
  const { isError } = await world.call('run', { path: 'a.pt', timeout: 60 }, { signal: abort.signal, progress });
  assert.equal(isError, true);
});

test('syncs a .pt in the worker', async () => {
  using world = await open({ 'a.pluto': 'fn f() {\n}\n' });
  await world.call('generate_pt');
  const view = join(world.folder, 'a.pt');
  writeFileSync(view, `${readFileSync(view, 'utf8')}\nfn g() {\n}\n`);
  const { structuredContent } = await world.call('sync_pt', { path: 'a.pt' });
  assert.deepEqual([structuredContent['status'], structuredContent['new_declarations']], ['synced', 1]);
  await world.idOf('g');
});

test('finishes a running save when the toolset is closed', async () => {
  using world = await open({ 'a.pt': 'fn f() {}\n' });
  await world.call('add_declaration', { path: 'a.pt', source: 'fn g() {}' });
  const saving = world.call('save');
  world.toolset[Symbol.dispose]();
  assert.equal((await saving).isError, false);
  assert.match(readFileSync(join(world.folder, 'a.pt'), 'utf8'), /fn g\(\)/);
});

test('starts no worker when the toolset is closed', async () => {
  let starts = 0;
  const world = await open({ 'a.pt': 'fn f() {}\n' }, folder =>
    startModulesInThisThread({ files: createNodeFileSystem(folder, hasher), hasher, random }, '1', () => (starts += 1)),
  );
  world[Symbol.dispose]();
  assert.equal((await world.call('check')).isError, true);
  assert.equal(starts, 1);
});

test('reads the modules again and reports lost edits when the worker crashes', async () => {
  let end = (_error: Error): void => assert.fail('nothing was started');
  using world = await open({ 'a.pt': 'fn f() {}\n' }, folder =>
    startModulesInThisThread(
      { files: createNodeFileSystem(folder, hasher), hasher, random },
      '1',
      ended => (end = ended),
    ),
  );
  await world.call('add_declaration', { path: 'a.pt', source: 'fn g() {}' });
  assert.deepEqual(world.toolset.unsaved.paths(), ['a.pt']);
  const asked = world.call('check');
  end(new Error('no memory'));
  const { isError, structuredContent } = await asked;
  assert.deepEqual([isError, (structuredContent['error'] as { code: string }).code], [true, 'INTERNAL']);
  assert.deepEqual(world.toolset.unsaved.paths(), []);
  const failed = await world.call('save');
  assert.match(failed.content[0].text, /Unsaved edits to a\.pt were lost/);
  assert.equal((await world.call('check')).isError, false);
});
