import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { WebSocketServer } from 'ws';
import { AppError } from '../../../src/base/errors.ts';
import { readXmlModel } from '../../../src/roblox/formats/rbxmx/read.ts';
import { bundledFiles } from '../../../src/headless-studio/bundled-files.ts';
import { type HeadlessStudio, startHeadlessStudio } from '../../../src/headless-studio/headless-studio.ts';
import { testKey } from '../../harness/memory-studio-keys.ts';
import { memoryLog } from '../../harness/memory-log.ts';
import { reflection } from '../../harness/reflection.ts';

const place = fileURLToPath(new URL('../../../examples/places/baseplate-566.rbxlx', import.meta.url));
const start = (file = place): Promise<HeadlessStudio> =>
  startHeadlessStudio({ ...bundledFiles(), place: file, key: async () => testKey, log: memoryLog() });

/** The return values of the chunk, as JSON. */
async function values(studio: HeadlessStudio, luau: string): Promise<readonly unknown[]> {
  const result = await studio.run(luau);
  assert.ok(result.ok, result.ok ? '' : result.error.message);
  return result.values.map(value => value.json);
}

/** Each test starts its own Studio, because tests run in any order. */
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headless-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('returns results and prints of a chunk of the command bar, and sends them to the output', async () => {
  await using studio = await start();
  const logs: string[] = [];
  using _listening = studio.onLog(line => logs.push(`${line.level} ${line.message}`));
  const result = await studio.run(
    'print("a") task.wait() warn("b") return game.Name, workspace.Baseplate, nil, { x = 1 }',
  );
  assert.ok(result.ok);
  assert.deepEqual(
    result.values.map(value => value.json),
    ['baseplate-566', 'Baseplate', null, { x: 1 }],
  );
  assert.deepEqual(
    result.values.slice(0, 3).map(value => value.text),
    ['baseplate-566', 'Baseplate', 'nil'],
  );
  assert.deepEqual(result.printed, ['a', 'b']);
  assert.deepEqual(logs, ['output a', 'warning b']);
  assert.ok(studio.instances > 50);
});

test('requires a module of the place in the command bar', async () => {
  await using studio = await start();
  const result = await studio.run(`local module = Instance.new("ModuleScript")
    module.Source = "return { answer = 6 * 7 }"
    module.Parent = workspace
    return require(module).answer`);
  assert.ok(result.ok);
  assert.deepEqual(result.values[0]?.json, 42);
});

test('answers line and stack for a chunk that fails or does not compile', async () => {
  await using studio = await start();
  const failed = await studio.run('local function f()\n  error("oh")\nend\nf()');
  assert.deepEqual(failed, {
    ok: false,
    error: { message: 'command:2: oh', traceback: 'command:2 function f\ncommand:4' },
    printed: [],
  });
  const broken = await studio.run('local = 1');
  assert.ok(!broken.ok);
  assert.match(broken.error.message, /^command:1: Expected identifier/);
  assert.deepEqual(await values(studio, 'return "fine"'), ['fine']);
});

test('runs the next chunk while another one waits', async () => {
  await using studio = await start();
  const slow = studio.run('shared.go = false repeat task.wait() until shared.go return "slow"');
  assert.deepEqual(await values(studio, 'shared.go = true return "quick"'), ['quick']);
  const result = await slow;
  assert.ok(result.ok);
  assert.equal(result.values[0]?.json, 'slow');
});

test('formats the place as it is', async () => {
  await using studio = await start();
  await studio.run('workspace.Baseplate.Name = "Floor"');
  await studio.format('saved.rbxlx');
  await studio.run('workspace.Floor.Name = "Ground"');
  const model = readXmlModel(new TextDecoder().decode(await studio.format('saved.rbxlx')), reflection);
  assert.ok(model.ok);
  assert.ok(model.value.roots[0]?.children.some(child => child.name === 'Ground'));
});

test('opens and saves a binary place', async () => {
  const file = join(folder, 'binary.rbxl');
  {
    await using studio = await start(place.replace('xml.rbxlx', 'binary.rbxl'));
    await studio.run('workspace.Baseplate.Name = "Floor"');
    await writeFile(file, await studio.format(file));
  }
  await using again = await start(file);
  assert.deepEqual(await values(again, 'return workspace.Floor.ClassName, workspace.Floor.Size.X'), ['Part', 2048]);
  await rm(file);
});

for (const [name, from] of [
  ['saved.rbxm', 'axes/xml.rbxmx'],
  ['saved.rbxmx', 'axes/binary.rbxm'],
  ['saved.rbxl', 'axes/binary.rbxm'],
  ['saved.rbxlx', 'axes/xml.rbxmx'],
] as const)
  test(`opens a model (${from}) in Workspace and saves it as ${name} with added instances`, async () => {
    const file = join(folder, name);
    const say =
      'local all = workspace:GetChildren() local a = all[1] return #all, a.Name, tostring(a.Axes), workspace.New.Value == a';
    const model = fileURLToPath(new URL(`../../fixtures/models/${from}`, import.meta.url));
    let before: readonly unknown[];
    {
      await using studio = await start(model);
      await studio.run(
        'local new = Instance.new("ObjectValue") new.Name = "New" new.Value = workspace:GetChildren()[1] new.Parent = workspace',
      );
      before = await values(studio, say);
      await writeFile(file, await studio.format(file));
    }
    await using again = await start(file);
    assert.deepEqual(await values(again, say), before);
    assert.deepEqual(await readdir(folder), [name]);
  });

test('refuses to save what a model file cannot contain, or under another name, and keeps running', async () => {
  await using studio = await start();
  await assert.rejects(
    studio.format('kept.rbxm'),
    /only contains Workspace, and the place has more \(.*Terrain\); save it as \.rbxl/,
  );
  await assert.rejects(studio.format('x.txt'), /the name must end in \.rbxl, \.rbxlx/);
  assert.deepEqual(await values(studio, 'return 1'), [1]);
});

test('refuses a file with a reason when it is not a place', async () => {
  const unreadable = (error: unknown): boolean => AppError.is(error, 'MODEL_UNREADABLE');
  await assert.rejects(start(join(folder, 'missing.rbxlx')), unreadable);
  const broken = join(folder, 'broken.rbxlx');
  await writeFile(broken, '<roblox version="4"><Item');
  await assert.rejects(start(broken), /broken\.rbxlx could not be read: 1:\d+/);
  await writeFile(broken, '<roblox!\u0089\u00ff');
  await assert.rejects(start(broken), /broken\.rbxlx could not be read: /);
});

test('kills an endless loop and fails the waiting call', async () => {
  await using studio = await start();
  const endless = studio.run('while true do end');
  const refused = assert.rejects(endless, error => AppError.is(error, 'STUDIO_DISCONNECTED'));
  await studio.kill();
  await refused;
  assert.deepEqual(await studio.terminated, { kind: 'killed', reason: 'it was killed' });
  await assert.rejects(studio.run('return 1'), error => AppError.is(error, 'STUDIO_DISCONNECTED'));
});

test('ends, and names the memory that it has, when a place needs more', async t => {
  await using studio = await start();
  // An open connection would keep its thread alive, and the bridge would wait for its answers.
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  t.after(() => {
    silent.closeAllConnections();
    silent.close();
  });
  await once(silent, 'listening');
  const asked = once(silent, 'request');
  studio.connect((silent.address() as AddressInfo).port, '127.0.0.1');
  await asked;
  const eater = studio.run('local all = {} while true do table.insert(all, buffer.create(16 * 1024 * 1024)) end');
  const outcome = await Promise.race([studio.terminated, eater.catch(() => studio.terminated)]);
  assert.ok('kind' in outcome, JSON.stringify(outcome));
  assert.equal(outcome.kind, 'failed');
  assert.match(outcome.reason, /needs more than 750 MB of memory/);
});

test('does not report a failure when it is stopped', async () => {
  const studio = await start();
  await studio[Symbol.asyncDispose]();
  assert.equal((await studio.terminated).kind, 'stopped');
});

async function serve(): Promise<{ server: Server; port: number } & AsyncDisposable> {
  const server = createServer((request, response) => {
    const body: Buffer[] = [];
    request.on('data', (chunk: Buffer) => body.push(chunk));
    request.on('end', () => {
      response.writeHead(request.url === '/missing' ? 404 : 200, { 'x-method': request.method ?? '' });
      response.end(Buffer.concat(body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    server,
    port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

test('sends requests with any bytes to this machine, and to no other one', async () => {
  await using studio = await start();
  await using world = await serve();
  const chunk = `local Http = game:GetService("HttpService")
    local sent = Http:RequestAsync({ Url = "http://127.0.0.1:${world.port}/x", Method = "POST", Body = "\\0\\255\\1" })
    local missing = Http:RequestAsync({ Url = "http://localhost:${world.port}/missing" })
    local ok, problem = pcall(Http.RequestAsync, Http, { Url = "http://example.invalid/" })
    local refused, refusal = pcall(Http.RequestAsync, Http, { Url = "http://127.0.0.1:1/" })
    return sent.Body == "\\0\\255\\1", sent.Headers["x-method"], missing.StatusCode, missing.Success, missing.StatusMessage,
      ok, problem, refused, string.match(refusal, "ConnectFail")`;
  const [same, method, status, success, message, ok, problem, refused, refusal] = await values(studio, chunk);
  assert.deepEqual([same, method, status, success, message], [true, 'POST', 404, false, 'Not Found']);
  assert.equal(ok, false);
  assert.match(String(problem), /connects only to this computer, not to example\.invalid/);
  assert.deepEqual([refused, refusal], [false, 'ConnectFail']);
});

test('opens a web stream, sends text in both directions, and reports its end', async () => {
  await using studio = await start();
  await using world = await serve();
  const sockets = new WebSocketServer({ server: world.server });
  sockets.on('connection', socket => {
    socket.on('message', (data: Buffer, isBinary) => {
      assert.equal(isBinary, false);
      const text = data.toString('utf8');
      socket.send(`echo ${text}`);
      if (text === 'bye') socket.close();
    });
  });
  const chunk = `local client = game:GetService("HttpService"):CreateWebStreamClient(
      Enum.WebStreamClientType.WebSocket, { Url = "ws://localhost:${world.port}/" })
    local events, thread = {}, coroutine.running()
    table.insert(events, client.ConnectionState.Name)
    client.Opened:Connect(function(status) table.insert(events, "opened " .. status) client:Send("ä\\0b") end)
    client.MessageReceived:Connect(function(text)
      table.insert(events, text)
      if text == "echo ä\\0b" then client:Send("bye") end
    end)
    client.Closed:Connect(function() table.insert(events, "closed") task.spawn(thread) end)
    coroutine.yield()
    local ok = pcall(client.Send, client, "late")
    return events, client.ConnectionState.Name, ok`;
  assert.deepEqual(await values(studio, chunk), [
    ['Connecting', 'opened 101', 'echo ä\0b', 'echo bye', 'closed'],
    'Closed',
    false,
  ]);
  sockets.close();
});

test('fails with a reason when no server accepts a web stream', async () => {
  await using studio = await start();
  const chunk = `local client = game:GetService("HttpService"):CreateWebStreamClient(
      Enum.WebStreamClientType.WebSocket, { Url = "ws://127.0.0.1:1/" })
    local status, problem = client.Error:Wait()
    return status, problem, client.ConnectionState.Name`;
  const [status, problem, state] = await values(studio, chunk);
  assert.deepEqual([status, state], [0, 'Error']);
  assert.match(String(problem), /ECONNREFUSED|connect/);
});
