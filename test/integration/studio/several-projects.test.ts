import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { createFileJournalStore } from '../../../src/adapters/node/journal/file-journal-store.ts';
import { createProjectGroup } from '../../../src/app/project-group.ts';
import type { ProjectPath } from '../../../src/base/brand.ts';
import { projectStorage } from '../../../src/app/project-storage.ts';
import { connectHeadless } from '../../harness/connect-headless.ts';
import { callTool, connectClient } from '../../harness/mcp-client.ts';
import { MemoryFileSystem } from '../../harness/memory-file-system.ts';
import { startBridge, type TestBridge } from '../../harness/start-bridge.ts';
import { tempFolder } from '../../harness/temp-folder.ts';
import { until } from '../../harness/until.ts';

const places = { lobby: 11, match: 22 };
type Name = keyof typeof places;

const projectOf = (name: Name): string =>
  JSON.stringify({
    name,
    servePlaceIds: [places[name]],
    tree: {
      $className: 'DataModel',
      ServerScriptService: { $path: `${name}/server` },
      ReplicatedStorage: { Shared: { $path: 'shared' } },
    },
  });
const files = {
  'lobby.project.json': projectOf('lobby'),
  'match.project.json': projectOf('match'),
  'lobby/server/Main.luau': 'return "lobby"\n',
  'match/server/Main.luau': 'return "match"\n',
  'shared/Both.luau': 'return "both"\n',
};
const placeOf = (source: string) => ({
  ServerScriptService: { className: 'ServerScriptService' },
  'ServerScriptService/Main': { className: 'ModuleScript', source },
  ReplicatedStorage: { className: 'ReplicatedStorage' },
  'ReplicatedStorage/Shared': { className: 'Folder' },
  'ReplicatedStorage/Shared/Both': { className: 'ModuleScript', source: 'return "both"\n' },
});
const hello = (name: Name) => ({ placeName: name, placeId: places[name], studioId: name });

interface Window extends AsyncDisposable {
  readonly disk: MemoryFileSystem;
  readonly lobby: TestBridge;
  readonly match: TestBridge;
  /** Calls a tool at the address that serves all projects. */
  readonly call: (name: string, args?: Record<string, unknown>) => ReturnType<typeof callTool>;
  readonly client: Awaited<ReturnType<typeof connectClient>>['client'];
}

const state = new Map<string, unknown>();
const memento = {
  get: <T>(key: string): T | undefined => state.get(key) as T | undefined,
  update: (key: string, value: unknown) => (state.set(key, value), Promise.resolve()),
};
const journalFolder = async (storage: string, name: Name): Promise<string> => {
  const key = `file:///game/${name}.project.json`;
  return join((await projectStorage(storage, memento, key, name === 'lobby')).folder, 'journal');
};

/** A window with two projects in one folder. @param storage the workspace's storage on disk; default: journals in memory */
async function openWindow(storage?: string): Promise<Window> {
  await using owned = new AsyncDisposableStack();
  const disk = new MemoryFileSystem(files);
  const projects = createProjectGroup();
  const serve = async (name: Name): Promise<TestBridge> => {
    const file = `${name}.project.json` as ProjectPath;
    const options = { project: { projectFile: file }, group: { projects, file } };
    const host = { files: disk, watcher: disk, reviewSurface: { show: async () => undefined } };
    const journal =
      storage === undefined ? {} : { journal: createFileJournalStore(await journalFolder(storage, name)) };
    return owned.use(await startBridge({}, { ...host, ...journal }, options));
  };
  const lobby = await serve('lobby');
  const match = await serve('match');
  const { client } = owned.use(await connectClient(lobby.projectsUrl ?? '', lobby.token));
  const all = owned.move();
  return {
    disk,
    lobby,
    match,
    client,
    call: (name, args) => callTool(client, name, args),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

const errorOf = (answer: Record<string, unknown>) =>
  answer['error'] as { readonly code: string; readonly message: string; readonly details: Record<string, unknown> };

test('[P1] syncs each Studio with the files of its project alone', async () => {
  await using window = await openWindow();
  const setup = (name: Name): string => `
    game:SetPlaceId(${places[name]})
    local main = Instance.new("ModuleScript")
    main.Name, main.Source, main.Parent = "Main", "return 'old'", game:GetService("ServerScriptService")
    local shared = Instance.new("Folder")
    shared.Name, shared.Parent = "Shared", game:GetService("ReplicatedStorage")
    local both = Instance.new("ModuleScript")
    both.Name, both.Source, both.Parent = "Both", 'return "both"\\n', shared`;
  const lobby = await connectHeadless(window.lobby, setup('lobby'));
  await using _lobby = lobby.studio;
  const match = await connectHeadless(window.match, setup('match'));
  await using _match = match.studio;
  while (window.lobby.studios.all().length + window.match.studios.all().length < 2) await lobby.lua('task.wait()');

  const dry = (await window.call('atlas_diff', { project: 'lobby' })).answer;
  assert.equal(dry['project'], 'lobby');
  const main = (dry['changes'] as { id: string; path: string; studioHash?: string }[]).find(({ path }) =>
    path.endsWith('Main'),
  );
  const pull = { id: main?.id, direction: 'pull', studioHash: main?.studioHash };
  const before = structuredClone(files);
  const pulled = (await window.call('atlas_sync', { project: 'lobby', mode: 'fastfail', overrides: [pull] })).answer;
  assert.equal(pulled['status'], 'success', JSON.stringify(pulled));
  assert.equal(window.disk.text('lobby/server/Main.luau'), "return 'old'");
  assert.equal(window.disk.text('match/server/Main.luau'), before['match/server/Main.luau']);
  assert.deepEqual(await match.lua('return game.ServerScriptService.Main.Source'), ["return 'old'"]);

  const other = (await window.call('atlas_diff', { project: 'match' })).answer;
  const its = (other['changes'] as { id: string; path: string; studioHash?: string }[]).find(({ path }) =>
    path.endsWith('Main'),
  );
  const push = { id: its?.id, direction: 'push', studioHash: its?.studioHash };
  const pushed = (await window.call('atlas_sync', { project: 'match', mode: 'fastfail', overrides: [push] })).answer;
  assert.equal(pushed['status'], 'success', JSON.stringify(pushed));
  assert.deepEqual(await match.lua('return game.ServerScriptService.Main.Source'), [files['match/server/Main.luau']]);
  assert.deepEqual(await lobby.lua('return game.ServerScriptService.Main.Source'), ["return 'old'"]);

  // The run of another project is a resource too.
  const { contents } = await window.client.readResource({ uri: `atlas://runs/${String(pushed['runId'])}` });
  assert.match(JSON.stringify(contents), /match\/server\/Main/);

  // Each project has its own records.
  const history = async (project: Name) => (await window.call('sync_history', { project })).answer['runs'] as object[];
  assert.deepEqual([(await history('lobby')).length, (await history('match')).length], [1, 1]);
});

test('keeps the records of two projects of one folder in two journals on disk', async () => {
  await using storage = await tempFolder();
  const runs = async (window: Window, project: Name): Promise<readonly string[]> => {
    const found = (await window.call('sync_history', { project })).answer['runs'] as { runId: string }[];
    return found.map(({ runId }) => runId);
  };
  const pullMain = async (window: Window, name: Name): Promise<string> => {
    await window[name].connectStudio(placeOf('old'), hello(name));
    const changes = (await window.call('atlas_diff', { project: name })).answer['changes'] as {
      id: string;
      path: string;
      studioHash?: string;
    }[];
    const main = changes.find(({ path }) => path.endsWith('Main'));
    const pull = { id: main?.id, direction: 'pull', studioHash: main?.studioHash };
    const { answer } = await window.call('atlas_sync', { project: name, mode: 'fastfail', overrides: [pull] });
    assert.equal(answer['status'], 'success', JSON.stringify(answer));
    return String(answer['runId']);
  };
  let lobby: string;
  {
    await using window = await openWindow(storage.path);
    lobby = await pullMain(window, 'lobby');
    assert.deepEqual([await runs(window, 'lobby'), await runs(window, 'match')], [[lobby], []]);
    const match = await pullMain(window, 'match');
    assert.deepEqual([await runs(window, 'lobby'), await runs(window, 'match')], [[lobby], [match]]);
  }
  // The next window reads both from disk.
  await using window = await openWindow(storage.path);
  const [own, others] = [await runs(window, 'lobby'), await runs(window, 'match')];
  assert.deepEqual(own, [lobby]);
  assert.equal(others.length, 1);
  assert.notDeepEqual(own, others);
});

test('refuses a Studio whose place the project does not list', async () => {
  await using window = await openWindow();
  const refused = await window.lobby.connectStudio({}, hello('match'));
  assert.match(await refused.closed, /place 22 is not listed in servePlaceIds of project lobby/);
  assert.deepEqual(window.lobby.studios.all(), []);
});

test('rejects a connected Studio when a project that lists its place is found', async () => {
  const claims = { servePlaceIds: undefined, blockedPlaceIds: undefined, placeId: undefined };
  const projects = createProjectGroup();
  const tree = { $className: 'DataModel', ServerScriptService: { $path: 'lobby/server' } };
  const any = { 'default.project.json': JSON.stringify({ name: 'any', tree }), ...files };
  await using bridge = await startBridge(any, {}, { group: { projects, file: 'default.project.json' } });
  const studio = await bridge.connectStudio({}, hello('match'));
  assert.equal(bridge.studios.all().length, 1);
  projects.expect('other.project.json', { ...claims, name: 'other', servePlaceIds: [places.lobby] });
  assert.equal(bridge.studios.all().length, 1);
  projects.expect('match.project.json', { ...claims, name: 'match', servePlaceIds: [places.match] });
  assert.match(await studio.closed, /place 22 belongs to project match, not to project any/);
  const greeting = (await bridge.studioGet('/api/rojo')).body as Record<string, unknown>;
  assert.deepEqual(greeting['unexpectedPlaceIds'], [places.lobby, places.match]);
});

test('lists the projects to an agent that names none of several', async () => {
  await using window = await openWindow();
  await window.lobby.connectStudio(placeOf('a'), hello('lobby'));
  await window.match.connectStudio(placeOf('b'), hello('match'));
  const { answer, isError } = await window.call('atlas_sync', { mode: 'dryrun' });
  assert.ok(isError);
  assert.equal(errorOf(answer).code, 'PROJECT_AMBIGUOUS');
  assert.equal(answer['outcome'], 'refused');
  assert.deepEqual(errorOf(answer).details['projects'], [
    { project: 'lobby', file: 'lobby.project.json', studios: ['studio-1'] },
    { project: 'match', file: 'match.project.json', studios: ['studio-2'] },
  ]);
  const unknown = await window.call('atlas_sync', { mode: 'dryrun', project: 'arena' });
  assert.equal(errorOf(unknown.answer).code, 'UNKNOWN_PROJECT');
  assert.match(errorOf(unknown.answer).message, /lobby \(lobby\.project\.json, studio-1\), match/);
});

test('finds the project by its file, a Studio, a run, or the only Studio', async () => {
  await using window = await openWindow();
  await window.match.connectStudio(placeOf('b'), hello('match'));
  const projectOf = async (name: string, args: Record<string, unknown>): Promise<unknown> =>
    (await window.call(name, args)).answer['project'];
  const dry = await window.call('atlas_diff', {});
  assert.equal(dry.answer['project'], 'match');
  assert.match(dry.text, /^Project: match\n/);

  await window.lobby.connectStudio(placeOf('a'), hello('lobby'));
  assert.equal(await projectOf('atlas_diff', { project: 'lobby.project.json' }), 'lobby');
  assert.equal(await projectOf('atlas_diff', { studio: 'studio-1' }), 'match');
  assert.equal(await projectOf('operation_get', { operationId: dry.answer['runId'] }), 'match');
  const script = (await window.call('get_script', { project: 'lobby', fsPath: 'lobby/server/Main.luau' })).answer;
  assert.deepEqual([script['project'], script['source']], ['lobby', 'a']);
  // A Studio of another project is unknown to the named one.
  const wrong = (await window.call('atlas_diff', { project: 'lobby', studio: 'studio-1' })).answer;
  assert.equal(errorOf(wrong).code, 'UNKNOWN_STUDIO');
});

test('offers the projects as an argument, and only at the address of the window', async () => {
  await using window = await openWindow();
  const { tools } = await window.client.listTools();
  const offered = new Map(tools.map(({ name, inputSchema }) => [name, inputSchema.properties?.['project']]));
  const { enum: names } = (offered.get('atlas_sync') ?? {}) as { readonly enum?: readonly string[] };
  assert.deepEqual(names, ['lobby', 'match']);
  assert.equal(offered.get('list_dir'), undefined);

  await window.match.connectStudio(placeOf('b'), hello('match'));
  const own = await window.match.call('atlas_sync', { mode: 'dryrun' });
  assert.equal(own.answer['status'], 'dryrun');
  assert.equal(own.answer['project'], undefined);
  assert.equal((await window.lobby.call('atlas_sync', { mode: 'dryrun' })).answer['status'], 'not_connected');
});

test('reads, completes and follows the resources of all projects at the address of the window', async () => {
  await using window = await openWindow();
  const { client } = window;
  await window.match.connectStudio(placeOf('b'), hello('match'));
  const seen: string[] = [];
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void seen.push(params.uri));
  await client.subscribeResource({ uri: 'atlas://runs' });
  await window.call('atlas_diff', { project: 'match' });
  await until(() => seen.includes('atlas://runs'));

  const textOf = async (uri: string): Promise<string> => {
    const [content] = (await client.readResource({ uri })).contents;
    return content !== undefined && 'text' in content ? content.text : '';
  };
  assert.equal(await textOf('atlas://scripts/match/server/Main.luau'), 'b');
  await assert.rejects(textOf('atlas://scripts/match/server/None.luau'));
  // Lists name the project that they belong to.
  assert.equal((JSON.parse(await textOf('atlas://scripts')) as { project: string }).project, 'lobby');
  const valuesOf = async (uri: string, name: string, value: string): Promise<readonly string[]> =>
    (await client.complete({ ref: { type: 'ref/resource', uri }, argument: { name, value } })).completion.values;
  assert.deepEqual(await valuesOf('atlas://scripts/{+fsPath}', 'fsPath', 'main'), [
    'lobby/server/Main.luau',
    'match/server/Main.luau',
  ]);
  assert.deepEqual(
    (await client.listPrompts()).prompts.map(({ name }) => name),
    ['resolve-conflicts', 'review-sync'],
  );
});

test('offers the new name of a project when its file is edited', async () => {
  await using window = await openWindow();
  const names = async (): Promise<unknown> => {
    const { tools } = await window.client.listTools();
    return tools.find(({ name }) => name === 'atlas_sync')?.inputSchema.properties?.['project'];
  };
  window.disk.set('match.project.json', projectOf('match').replace('"name":"match"', '"name":"arena"'));
  await until(() => window.match.session()?.info.name === 'arena');
  assert.deepEqual(((await names()) as { enum: readonly string[] }).enum, ['lobby', 'arena']);
  assert.equal((await window.call('atlas_diff', { project: 'arena' })).answer['status'], 'not_connected');
  // Two projects of one name are called by their files.
  window.disk.set('match.project.json', projectOf('match').replace('"name":"match"', '"name":"lobby"'));
  await until(() => window.match.session()?.info.name === 'lobby');
  assert.deepEqual(((await names()) as { enum: readonly string[] }).enum, ['lobby.project.json', 'match.project.json']);
});

test('accepts a Studio in each of two projects that list its place', async () => {
  await using window = await openWindow();
  window.disk.set('lobby.project.json', projectOf('lobby').replace('[11]', '[11,22]'));
  await until(() => window.lobby.session()?.info.servePlaceIds?.includes(22) === true);
  await using _match = await window.match.connectStudio(placeOf('b'), hello('match'));
  await using _lobby = await window.lobby.connectStudio(placeOf('b'), { ...hello('match'), studioId: 'other' });
  assert.deepEqual([window.match.studios.all().length, window.lobby.studios.all().length], [1, 1]);
});

test('serves one project as before when the other one has stopped', async () => {
  await using window = await openWindow();
  await window.match.stop();
  const { tools } = await window.client.listTools();
  assert.ok(tools.every(({ inputSchema }) => inputSchema.properties?.['project'] === undefined));
  await window.lobby.connectStudio(placeOf('a'), hello('lobby'));
  assert.equal((await window.call('atlas_diff', {})).answer['status'], 'dryrun');
});

test('allows one run at a time in a window, and names its project', async () => {
  await using window = await openWindow();
  await window.lobby.connectStudio(placeOf('a'), hello('lobby'));
  await window.match.connectStudio(placeOf('b'), hello('match'));
  const run = window.lobby.engine.start({ mode: 'manual', overrides: [], requestedBy: 'the test' });
  await until(() => run.phase() === 'reviewing');
  const blocked = (await window.call('atlas_sync', { project: 'match', mode: 'fastfail' })).answer;
  assert.equal(blocked['status'], 'sync_in_progress');
  assert.match(errorOf(blocked).message, /of project lobby is in progress in this window/);
  run.cancel();
  await run.result;
  const free = (await window.call('atlas_sync', { project: 'match', mode: 'fastfail' })).answer;
  assert.equal(free['status'], 'fastfail_unresolved');
});
