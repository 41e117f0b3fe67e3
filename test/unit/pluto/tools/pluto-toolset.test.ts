import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLazyPlutoToolset, type LazyPlutoToolsetDeps } from '../../../../src/pluto/tools/pluto-toolset.ts';
import { memoryLog } from '../../../harness/memory-log.ts';

const open = (list: () => Promise<readonly never[]>) => {
  const log = memoryLog();
  // The other ports are for an open toolset.
  const deps = {
    log,
    files: { list },
    watcher: { watch: () => ({ [Symbol.dispose]: () => undefined }) },
    load: async () => assert.fail('must not load'),
    version: '1.0.0',
    onOpened: () => undefined,
  } as unknown as LazyPlutoToolsetDeps;
  return { log, toolset: createLazyPlutoToolset(deps) };
};

test('logs why the search for modules failed when a folder cannot be read', async () => {
  const { log, toolset } = open(() => Promise.reject(new Error('permission denied')));
  await toolset.openIfModulesExist();
  assert.match(log.lines.join('\n'), /failed to look for Pluto modules.*permission denied/s);
  toolset[Symbol.dispose]();
});

test('logs nothing when the search for modules was cancelled', async () => {
  const { log, toolset } = open(async () => {
    toolset[Symbol.dispose]();
    throw new Error('cancelled');
  });
  await toolset.openIfModulesExist();
  assert.deepEqual(log.lines, []);
});
