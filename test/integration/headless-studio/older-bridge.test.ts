import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { bundledFiles } from '../../../src/headless-studio/bundled-files.ts';
import { startHeadlessStudio } from '../../../src/headless-studio/headless-studio.ts';
import { AppError } from '../../../src/base/errors.ts';
import { formatSentence } from '../../../src/base/sentence.ts';
import { reasonOf } from '../../../src/protocol/reason.ts';
import { pairedKey } from '../../harness/memory-studio-keys.ts';
import { memoryLog } from '../../harness/memory-log.ts';
import { startBridge } from '../../harness/start-bridge.ts';
import { StudioProxy } from '../../harness/studio-proxy.ts';
import { until } from '../../harness/until.ts';

const place = fileURLToPath(new URL('../../../examples/places/baseplate-566.rbxlx', import.meta.url));
const outdated = '0'.repeat(40);

/**
 * Compares with an override that quotes an outdated hash and with a value that Studio cannot read, and reads a script that does not exist.
 *
 * @param reads the form of reasons that the bridge seems to read
 */
async function reported(reads: 'codes' | 'text') {
  await using ends = new AsyncDisposableStack();
  const bridge = ends.use(
    await startBridge({
      'default.project.json': JSON.stringify({
        name: 'Game',
        tree: {
          $className: 'DataModel',
          ServerScriptService: {
            $path: 'src',
            Big: { $className: 'IntValue', $properties: { Value: { Int64: '9007199254740993' } } },
          },
        },
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
    `local main = Instance.new("ModuleScript") main.Name = "Main" main.Source = "studio"
    main.Parent = game:GetService("ServerScriptService")
    local big = Instance.new("IntValue") big.Name = "Big" big.Parent = main.Parent`,
  );
  studio.connect(proxy.port, '127.0.0.1');
  await until(() => bridge.studios.all().length > 0);
  const compare = { mode: 'dryrun', requestedBy: 'test' } as const;
  const { changes } = await bridge.engine.start({ ...compare, overrides: [] }).result;
  const id = changes.find(({ path }) => path.endsWith('Main'))?.id ?? '';
  const overrides = [{ id, direction: 'push' as const, studioHash: outdated }];
  const { overrides: verdicts, warnings = [] } = await bridge.engine.start({ ...compare, overrides }).result;
  const failure = await bridge.engine
    .readScript({ id: 'f'.repeat(32), fromDraft: false }, new AbortController().signal)
    .then(
      () => undefined,
      (error: unknown) => AppError.from(error),
    );
  return { verdict: verdicts[0], warnings, failure };
}

test('reports reasons as codes to a bridge that reads them, and as text to an older one', async () => {
  const coded = await reported('codes');
  const [hash] = coded.verdict?.reason?.args ?? [];
  assert.ok(typeof hash === 'string' && /^[0-9a-f]{40}$/.test(hash));
  assert.deepEqual(coded.verdict?.reason, reasonOf('studio_hash_now', hash));
  assert.match(coded.failure?.message ?? '', /\. Instance not found by id\. The sync session may be stale/);
  const text = await reported('text');
  assert.deepEqual(text.verdict?.reason, reasonOf('quoted', `the hash in Studio is ${hash}`));
  assert.match(text.failure?.message ?? '', /\. "Instance not found by id\. The sync session may be stale/);
  const why = 'Int64: expected a whole number of at most 53 bits';
  const warning = (reason: string) =>
    `Value of ServerScriptService/Big was not compared: Studio cannot read the value in the files (${reason}).`;
  assert.deepEqual(
    coded.warnings.map(one => formatSentence(one)),
    [warning(why)],
  );
  assert.deepEqual(
    text.warnings.map(one => formatSentence(one)),
    [warning(`"${why}"`)],
  );
});
