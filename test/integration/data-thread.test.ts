import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startWorkerRpcClient } from '../../src/vscode/worker-rpc-client.ts';
import { watchTurns } from '../../scripts/bench/project/longest-turn.ts';
import { nodeClock } from '../../src/adapters/node/clock.ts';
import { nodeHasher } from '../../src/adapters/node/hasher.ts';
import { nodeInflate } from '../../src/adapters/node/inflate.ts';
import { createThreadConverter, dataWorker } from '../../src/adapters/node/thread-converter.ts';
import type { DataConverter } from '../../src/ports/data-converter.ts';
import { openProjectSession } from '../../src/project/session/open-project-session.ts';
import { MemoryFileSystem } from '../harness/memory-file-system.ts';
import { never, strictLog } from '../harness/project-world.ts';
import { reflection } from '../harness/reflection.ts';
import { sequentialRandom } from '../harness/sequential-random.ts';
import type { Json5Language } from '../../src/roblox/formats/json5-language.ts';

const schemas = fileURLToPath(new URL('../../media/schemas', import.meta.url));
const worker = new URL('../../src/project/workers/data-worker.ts', import.meta.url);
const start = () =>
  startWorkerRpcClient<Json5Language>(worker, { name: 'JSON5', workerData: { schemas } }, error => assert.fail(error));

test('completes and checks JSON5 in a thread, in the order of the requests', async () => {
  using thread = start();
  const wrong = thread.ask('check', { kind: 'meta', text: '{ignoreUnknownInstances: 1}' });
  const offered = thread.ask('complete', { kind: 'project', text: '{tr', offset: 3 });
  assert.deepEqual(await wrong, [{ line: 1, column: 26, length: 1, severity: 'warning', expected: 'true or false' }]);
  assert.ok((await offered).some(({ label }) => label === 'tree'));
});

test('does not block the event loop during the check of a large document', async () => {
  using thread = start();
  await thread.ask('check', { kind: 'meta', text: '{}' });
  const part = '{className: "Part", properties: {Size: [1, 2, 3], Anchored: true}},\n';
  let turns = 0;
  const turn = setInterval(() => (turns += 1), 1);
  const found = await thread.ask('check', {
    kind: 'model',
    text: `{className: "Model", children: [${part.repeat(5000)}]}`,
  });
  clearInterval(turn);
  assert.deepEqual(found, []);
  assert.ok(turns > 5, `${turns} turns`);
});

const rows = (count: number, row: (index: number) => string): string =>
  Array.from({ length: count }, (_, n) => row(n)).join('');
/** Each takes 100 ms or more in one step. */
const large = {
  'src/yaml.yaml': rows(8_000, n => `k${n}:\n  a: ${n}\n  b: text\n`),
  'src/toml.toml': rows(15_000, n => `[k${n}]\na = ${n}\nb = "text"\n`),
  'src/csv.csv': `Key,Source,en\n${rows(15_000, n => `k${n},s,text ${n}\n`)}`,
  'src/json.json': `[${rows(50_000, n => `{"a": ${n}},\n`)}{}]`,
  'src/model.model.json': `{"ClassName": "Folder", "Comment": [${rows(50_000, n => `${n},\n`)} 0]}`,
};
const project = JSON.stringify({
  name: 'Game',
  tree: { $className: 'DataModel', Replicated: { $className: 'ReplicatedStorage', Src: { $path: 'src' } } },
});
const open = (files: Readonly<Record<string, string>>, converter: DataConverter) => {
  const disk = new MemoryFileSystem({ 'default.project.json': project, ...files });
  return openProjectSession(
    {
      files: disk,
      watcher: disk,
      clock: nodeClock,
      random: sequentialRandom(),
      hasher: nodeHasher,
      inflate: nodeInflate,
      converter,
      reflection,
      log: strictLog,
    },
    never,
  );
};

test('[P6] reads large data files in short turns', async t => {
  const turns = watchTurns();
  using session = await open(large, createThreadConverter({ worker: dataWorker() }));
  const { longest } = turns.end();
  const figures = `longest turn ${Math.round(longest.cpuMs)} ms (${Math.round(longest.gcMs)} ms garbage collection)`;
  t.diagnostic(figures);
  assert.deepEqual(
    session.diagnostics().map(({ file, message }) => `${file}: ${message}`),
    [],
  );
  // 20 ms on an idle machine; in one step each file takes 100 ms to 1 s.
  assert.ok(longest.cpuMs - longest.gcMs < 100, figures);
});

test('reads the rest of the project when the thread of data files runs out of time or memory', async () => {
  for (const [limits, exceeded] of [
    [{ maxMs: 1 }, '0.001 s'],
    [{ maxMegabytes: 8 }, '8 MB of memory'],
  ] as const) {
    using session = await open(
      { 'src/large.yaml': large['src/yaml.yaml'], 'src/small.json': '{"a": 1}' },
      createThreadConverter({ worker: dataWorker(), ...limits }),
    );
    assert.deepEqual(
      session.diagnostics().map(({ file, message }) => `${file}: ${message}`),
      [`src/large.yaml: expected a smaller or simpler file: converting it takes more than ${exceeded}`],
    );
  }
});

test('names the failure of the thread of data files, which is not a limit', async () => {
  const worker = new URL('missing-worker.ts', import.meta.url);
  using session = await open({ 'src/large.yaml': large['src/yaml.yaml'] }, createThreadConverter({ worker }));
  const [found] = session.diagnostics();
  assert.match(found?.message ?? '', /^cannot convert this file: /);
  assert.doesNotMatch(found?.message ?? '', /smaller/);
});
