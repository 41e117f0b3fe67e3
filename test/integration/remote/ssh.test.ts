import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startGroup } from '../../../scripts/set-up/process-group.ts';
import { createJsonStudioKeys, studioKeysFile } from '../../../src/adapters/node/json-studio-keys.ts';
import { bundledFiles } from '../../../src/headless-studio/bundled-files.ts';
import { startHeadlessStudio } from '../../../src/headless-studio/headless-studio.ts';
import { callTool, connectClient } from '../../harness/mcp-client.ts';
import { pairedKey } from '../../harness/memory-studio-keys.ts';
import { memoryLog } from '../../harness/memory-log.ts';
import { startRemoteMachine, whyNoRemoteMachine } from '../../harness/remote-machine.ts';
import { tempFolder } from '../../harness/temp-folder.ts';
import { until } from '../../harness/until.ts';
import { cliEntry } from '../../harness/cli-entry.ts';

const place = fileURLToPath(new URL('../../../examples/places/baseplate-566.rbxlx', import.meta.url));
const BOOT = 'src/Boot.server.luau';
const source = 'game.ServerScriptService.Boot.Source';

test(
  'syncs local Studio with a remote bridge over ssh, also after a lost connection',
  {
    skip: whyNoRemoteMachine(),
  },
  async t => {
    await using remote = await startRemoteMachine();
    t.diagnostic(remote.isIsolated ? 'the remote machine has a separate network' : 'both machines share one network');
    await using project = await tempFolder({
      'default.project.json': JSON.stringify({
        name: 'harbor',
        tree: { $className: 'DataModel', ServerScriptService: { $path: 'src' } },
      }),
      [BOOT]: 'print(1)\n',
    });
    await using state = await tempFolder();
    const [command, ...args] = remote.there(process.execPath, cliEntry, 'serve', project.path, '--port', '0', '--json');
    await using serving = startGroup(command, args, { env: { ...process.env, XDG_STATE_HOME: state.path } });
    const [line] = await serving.printed(/^\{.*\}$/m, 30_000);
    const { studioUrl, tokenFile } = JSON.parse(line) as { studioUrl: string; tokenFile: string };
    if (remote.isIsolated) await assert.rejects(fetch(`${studioUrl}/api/rojo`), 'only ssh reaches the bridge');

    // As after pairing by a code: this computer has another key than the remote one.
    await createJsonStudioKeys(studioKeysFile(join(state.path, 'atlas-bridge'))).addPaired(pairedKey);
    await using connections = new AsyncDisposableStack();
    const connect = async (here?: number) =>
      connections.use(await remote.forward(Number(new URL(studioUrl).port), here));
    const forwarded = await connect();
    assert.notEqual(String(forwarded.port), new URL(studioUrl).port);
    await using studio = await startHeadlessStudio({
      ...bundledFiles(),
      place,
      key: async () => pairedKey,
      log: memoryLog(),
    });
    const lua = async (luau: string): Promise<unknown> => {
      const result = await studio.run(luau);
      assert.ok(result.ok, result.ok ? '' : result.error.message);
      return result.values[0]?.json;
    };
    studio.connect(forwarded.port);
    await until(() => studio.status() === 'connected');

    const token = (await readFile(tokenFile, 'utf8')).trim();
    const agent = connections.use(await connectClient(`http://127.0.0.1:${forwarded.port}/mcp`, token));
    const looked = await callTool(agent.client, 'atlas_sync', { mode: 'dryrun' });
    const changes = looked.answer['changes'] as readonly { readonly id: string; readonly path: string }[];
    assert.deepEqual(
      changes.map(change => change.path),
      ['ServerScriptService/Boot'],
    );
    const overrides = changes.map(({ id }) => ({ id, direction: 'push' }));
    const pushed = await callTool(agent.client, 'atlas_sync', { mode: 'fastfail', overrides });
    assert.equal(pushed.answer['status'], 'success', pushed.text);
    assert.equal(await lua(`return ${source}`), 'print(1)\n');

    await forwarded[Symbol.asyncDispose]();
    await until(() => studio.status() !== 'connected');
    await lua(`${source} = 'print("while disconnected")\\n'`);
    await connect(forwarded.port);
    await until(() => studio.status() === 'connected');
    const again = connections.use(await connectClient(`http://127.0.0.1:${forwarded.port}/mcp`, token));
    const pulled = await callTool(again.client, 'atlas_sync', { mode: 'fastfail' });
    assert.equal(pulled.answer['status'], 'success', pulled.text);
    assert.equal(await readFile(join(project.path, BOOT), 'utf8'), 'print("while disconnected")\n');
  },
);
