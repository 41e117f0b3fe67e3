import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createProjectGroup, type ProjectMember } from '../../../src/app/project-group.ts';
import { AppError } from '../../../src/base/errors.ts';
import type { RunLock } from '../../../src/ports/run-lock.ts';
import { createToolRegistry } from '../../../src/mcp/registry.ts';

const member = (name: string): ProjectMember => ({
  file: `${name}.project.json`,
  root: '/game',
  name: () => name,
  info: () => undefined,
  studios: { all: () => [] },
  engine: { find: () => undefined, recorded: async () => undefined },
  registry: createToolRegistry([], undefined),
});

test('holds the lock of the window until the lock of the run is released', async () => {
  const group = createProjectGroup();
  const releasing = Promise.withResolvers<void>();
  const lock: RunLock = {
    holder: async () => undefined,
    take: async () => ({ holder: undefined, release: () => releasing.promise }),
  };
  const lobby = group.lock(lock, () => 'Lobby');
  const match = group.lock(lock, () => 'Match');
  const held = await lobby.take('1');
  assert.equal(held.holder, undefined);
  const released = held.release();
  await assert.rejects(match.take('2'), (error: unknown) => AppError.is(error, 'SYNC_IN_PROGRESS'));
  releasing.resolve();
  await released;
  assert.equal((await match.take('2')).holder, undefined);
});

test('removes only the disposed project when it is disposed twice', () => {
  const group = createProjectGroup();
  const lobby = group.join(member('lobby'));
  group.join(member('match'));
  lobby[Symbol.dispose]();
  lobby[Symbol.dispose]();
  assert.deepEqual(group.labels(), ['match']);
});
