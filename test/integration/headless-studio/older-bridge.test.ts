import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { bundledFiles } from '../../../src/headless-studio/bundled-files.ts';
import { startHeadlessStudio } from '../../../src/headless-studio/headless-studio.ts';
import type { RunResult } from '../../../src/protocol/run-result.ts';
import { reasonOf } from '../../../src/protocol/reason.ts';
import { pairedKey } from '../../harness/memory-studio-keys.ts';
import { memoryLog } from '../../harness/memory-log.ts';
import { startBridge } from '../../harness/start-bridge.ts';
import { StudioProxy } from '../../harness/studio-proxy.ts';
import { until } from '../../harness/until.ts';

const place = fileURLToPath(new URL('../../../examples/places/baseplate-566.rbxlx', import.meta.url));
const outdated = '0'.repeat(40);

/** Compares with an override that quotes an outdated hash. @param reads the form of reasons that the bridge seems to read */
async function verdictOf(reads: 'codes' | 'text'): Promise<RunResult['overrides'][number] | undefined> {
  await using ends = new AsyncDisposableStack();
  const bridge = ends.use(
    await startBridge({
      'default.project.json': JSON.stringify({
        name: 'Game',
        tree: { $className: 'DataModel', ServerScriptService: { $path: 'src' } },
      }),
      'src/Main.luau': 'disk',
    }),
  );
  const proxy = ends.use(await StudioProxy.start(bridge.studioUrl));
  if (reads === 'text')
    proxy.edit = ({ capabilities, ...message }) =>
      message['type'] === 'welcome' ? message : { ...message, ...(capabilities !== undefined && { capabilities }) };
  const studio = ends.use(
    await startHeadlessStudio({ ...bundledFiles(), place, key: async () => pairedKey, log: memoryLog() }),
  );
  await studio.run(
    'local main = Instance.new("ModuleScript") main.Name = "Main" main.Source = "studio" main.Parent = game:GetService("ServerScriptService")',
  );
  studio.connect(proxy.port, '127.0.0.1');
  await until(() => bridge.studios.all().length > 0);
  const compare = { mode: 'dryrun', requestedBy: 'test' } as const;
  const { changes } = await bridge.engine.start({ ...compare, overrides: [] }).result;
  const id = changes.find(({ path }) => path.endsWith('Main'))?.id ?? '';
  const overrides = [{ id, direction: 'push' as const, studioHash: outdated }];
  return (await bridge.engine.start({ ...compare, overrides }).result).overrides[0];
}

test('reports reasons as codes to a bridge that reads them, and as text to an older one', async () => {
  const coded = await verdictOf('codes');
  const [hash] = coded?.reason?.args ?? [];
  assert.ok(typeof hash === 'string' && /^[0-9a-f]{40}$/.test(hash));
  assert.deepEqual(coded?.reason, reasonOf('studio_hash_now', hash));
  const text = await verdictOf('text');
  assert.deepEqual(text?.reason, reasonOf('quoted', `the hash in Studio is ${hash}`));
});
