import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { DoctorFinding } from '../../src/setup/vscode/doctor.ts';
import { createJsonStudioKeys, studioKeysFile } from '../../src/adapters/node/json-studio-keys.ts';
import { bundledFiles } from '../../src/headless-studio/bundled-files.ts';
import { startHeadlessStudio } from '../../src/headless-studio/headless-studio.ts';
import type { SyncResult } from '../../src/protocol/sync-result.ts';
import { pairedKey } from '../harness/memory-studio-keys.ts';
import { memoryLog } from '../harness/memory-log.ts';
import { startRemoteMachine, whyNoRemoteMachine } from '../harness/remote-machine.ts';
import { tempFolder } from '../harness/temp-folder.ts';
import { atlasExports } from './harness/atlas-exports.ts';
import { startVsCode } from './harness/start-vscode.ts';
import { until } from './harness/until.ts';

const place = fileURLToPath(new URL('../../examples/places/baseplate-566.rbxlx', import.meta.url));
const skip =
  process.env['ATLAS_HOST'] === 'desktop'
    ? 'a desktop VS Code connects to another machine itself'
    : whyNoRemoteMachine();
const SOURCE = 'game.ServerScriptService.Boot.Source';

/** Runs in the page. Replaces the browser's native file dialog with a fixed choice. */
const saveInBrowser = `globalThis.showSaveFilePicker = async ({ suggestedName }) =>
  (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true });`;
/** Truncates the next written file without an error. */
const loseHalf = `{
  const { prototype } = FileSystemWritableFileStream;
  const { write } = prototype;
  prototype.write = function (bytes) {
    prototype.write = write;
    return write.call(this, bytes.slice(0, bytes.length / 2));
  };
}`;
const savedInBrowser = `navigator.storage.getDirectory()
  .then(folder => folder.getFileHandle('AtlasBridge.rbxmx'))
  .then(async file => (await file.getFile()).text())`;

test(
  'continues Live Sync after a cut connection when VS Code is on another machine',
  {
    skip,
  },
  async t => {
    await using remote = await startRemoteMachine();
    t.diagnostic(remote.isIsolated ? 'the other machine has a separate network' : 'both machines share one network');
    await using game = await tempFolder({
      'default.project.json': JSON.stringify({
        name: 'Harbor',
        tree: { $className: 'DataModel', ServerScriptService: { $path: 'src' } },
      }),
      'src/Boot.server.luau': 'print(1)\n',
    });
    const boot = join(game.path, 'src/Boot.server.luau');
    await using home = await tempFolder();
    await using vscode = await startVsCode({
      folder: game.path,
      remote,
      settings: { 'atlas.port': 0, 'atlas.timeoutMultiplier': 4, 'atlas.live': 'twoWay' },
      env: { HOME: home.path, XDG_STATE_HOME: home.path, WINEPREFIX: home.path },
    });
    const execute = <T>(command: string, ...args: readonly unknown[]): Promise<T> =>
      vscode.driver.call('execute', { command, args }) as Promise<T>;
    const doctor = (): Promise<readonly DoctorFinding[]> => execute('atlas.doctor', { quiet: true });
    const said = async (id: string): Promise<string> => {
      const found = (await doctor()).find(one => one.id === id);
      return found === undefined ? '' : `${found.state}: ${found.text}`;
    };
    const studioUrl = await until('the bridge', 30_000, async () => (await atlasExports(vscode)).studioUrl);
    const { port } = new URL(studioUrl);
    if (remote.isIsolated) await assert.rejects(fetch(`${studioUrl}/api/rojo`), 'nothing but ssh leads there');

    // The notification explains what to do.
    const advice = await said('remote');
    assert.ok(advice.includes(`ssh -L ${port}:127.0.0.1:${port} ${hostname()}`), advice);
    assert.match(await said('plugin'), /^todo: Roblox Studio was not found on this computer/);

    // The plugin is saved on the browser's machine, where Studio runs, and not on the remote machine.
    const { page } = vscode;
    await page.evaluate(saveInBrowser);
    const save = async (): Promise<void> => {
      assert.deepEqual(await execute('atlas.installStudioPlugin'), { outcome: 'refused' });
      // The hover of an earlier message under the mouse would cover the button.
      await page.mouse.move(0, 0);
      await page.getByRole('button', { name: 'Save Plugin…' }).click();
    };
    await page.evaluate(loseHalf);
    await save();
    await page.getByText('could not be written: the saved file has different content').first().waitFor();
    assert.equal(await page.getByText('was saved on your computer').count(), 0, 'half a plugin is none');
    await save();
    await page.getByText('The Studio plugin was saved on your computer.').first().waitFor();
    assert.equal(await page.evaluate(savedInBrowser), await readFile('dist/AtlasBridge.rbxmx', 'utf8'));

    // As after pairing by a code: this computer has another key than the remote one.
    await createJsonStudioKeys(studioKeysFile(join(home.path, 'atlas-bridge'))).addPaired(pairedKey);
    await using connections = new AsyncDisposableStack();
    const forwarded = connections.use(await remote.forward(Number(port)));
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
    await lua(
      `local boot = Instance.new("Script") boot.Name = "Boot" boot.Source = 'print(1)\\n' boot.Parent = game.ServerScriptService`,
    );
    studio.connect(forwarded.port);
    await until('Studio seen', 30_000, async () => ((await said('studio')).startsWith('ok') ? true : undefined));
    assert.match(await said('place'), /^ok: The place matches the project: baseplate-566/);
    assert.equal((await execute<SyncResult>('atlas.sync')).status, 'empty');

    const inStudio = (text: string) =>
      until(`${text} in Studio`, 30_000, async () => ((await lua(`return ${SOURCE}`)) === text ? true : undefined));
    const onDisk = (text: string) =>
      until(`${text} on disk`, 30_000, async () => ((await readFile(boot, 'utf8')) === text ? true : undefined));
    await writeFile(boot, 'print(2)\n');
    await inStudio('print(2)\n');
    await lua(`${SOURCE} = 'print(3)\\n'`);
    await onDisk('print(3)\n');

    await forwarded[Symbol.asyncDispose]();
    await until('Studio gone', 30_000, async () => ((await said('studio')).startsWith('todo') ? true : undefined));
    await lua(`${SOURCE} = 'print(4)\\n'`);
    connections.use(await remote.forward(Number(port), forwarded.port));
    await onDisk('print(4)\n');
    await writeFile(boot, 'print(5)\n');
    await inStudio('print(5)\n');
  },
);
