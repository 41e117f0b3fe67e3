import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runTestFile } from '../../../src/game-tests/host/run-test-file.ts';
import { startHeadlessStudio } from '../../../src/headless-studio/headless-studio.ts';
import { testKey } from '../../harness/memory-studio-keys.ts';
import { memoryLog } from '../../harness/memory-log.ts';

/** A thread with the code `workerData` and `parentPort`. */
const thread = (code: string): URL =>
  new URL(
    `data:text/javascript,import { parentPort, workerData } from 'node:worker_threads'; ${encodeURIComponent(code)}`,
  );
const luauCode = `{ pages: 1, module: { from: 'the first thread' } }`;

test('gives the machine code of Luau to the next headless Studio', async () => {
  const worker = thread(`
    const instances = workerData.luauCode?.module.from === 'the first thread' ? 1 : 0;
    parentPort.postMessage({ kind: 'loaded', instances, luauCode: ${luauCode} });
    parentPort.on('message', () => parentPort.close());
  `);
  const instances = async (): Promise<number> => {
    await using studio = await startHeadlessStudio({
      place: '/game/place.rbxl',
      luauFolders: { plugin: '', headless: '' },
      reflectionFile: '',
      key: async () => testKey,
      log: memoryLog(),
      worker,
    });
    return studio.instances;
  };
  assert.deepEqual([await instances(), await instances()], [0, 1]);
});

test('gives the machine code of Luau to the thread of the next test file', async () => {
  const worker = thread(`
    parentPort.postMessage({ kind: 'ready', luauCode: ${luauCode} });
    const names = [workerData.luauCode?.module.from ?? 'none'];
    parentPort.postMessage({ kind: 'started', names, line: 1, index: undefined });
    parentPort.postMessage({ kind: 'finished' });
  `);
  const request = { files: [], test: [], hooks: [], seconds: 60, file: 'a', filters: [] };
  const folders = { headlessFolder: '', testsFolder: '', reflectionFile: '' };
  const place = { placeName: '', placeId: 0, gameId: 0, place: new Uint8Array() };
  const received: string[] = [];
  for (let file = 1; file <= 2; file++)
    await runTestFile({
      worker,
      options: { ...folders, ...place, request },
      memoryMegabytes: 1,
      signal: new AbortController().signal,
      onStarted: ({ names }) => received.push(...names),
      onReport: () => undefined,
    });
  assert.deepEqual(received, ['none', 'the first thread']);
});
