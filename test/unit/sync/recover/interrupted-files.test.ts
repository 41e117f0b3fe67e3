import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createNodeFileSystem } from '../../../../src/adapters/fs/node-file-system.ts';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import type { JournalEnding } from '../../../../src/protocol/journal/journal-record.ts';
import { recoverInterrupted } from '../../../../src/sync/recover/recover-interrupted.ts';
import { ManualClock } from '../../../harness/manual-clock.ts';
import { MemoryJournalStore } from '../../../harness/memory-journal-store.ts';
import { memoryLog } from '../../../harness/memory-log.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

const hashOf = (text: string): string => nodeHasher.gitBlob(new TextEncoder().encode(text));

/** Recovers a pull of `a` and `b` that was interrupted. The files in `paths` were to become `new <path>` from `old <path>`. Returns the outcomes. */
async function recoverPull(root: string, paths: readonly string[]): Promise<readonly string[]> {
  const [clock, journal] = [new ManualClock(), new MemoryJournalStore()];
  const ids = ['a', 'b'];
  const items = ids.map(id => ({
    id,
    path: `ServerScriptService/${id}`,
    className: 'ModuleScript',
    patchType: 'Edit',
    choice: 'pull',
    fsPath: `${id}.luau`,
    files: [],
    studio: null,
  }));
  const writes = paths.map(path => ({
    ids: [path.slice(0, 1)],
    path,
    kind: 'write',
    before: hashOf(`old ${path}`),
    after: hashOf(`new ${path}`),
    blob: hashOf(`new ${path}`),
  }));
  const blobs = new Map(paths.map(path => [hashOf(`new ${path}`), new TextEncoder().encode(`new ${path}`)]));
  const place = { name: 'Game', placeId: 0 };
  const record = { version: 1, runId: 'run', at: clock.date(), mode: 'standard', requestedBy: 'test', place };
  await journal.append('run', { ...record, items, writes }, blobs);
  await journal.note('run', { kind: 'confirmed', ids, applied: [] });
  journal.crash();
  const files = createNodeFileSystem(root, nodeHasher);
  await recoverInterrupted({ files, journal, hasher: nodeHasher, clock, log: memoryLog() });
  const ending = (await journal.find('run'))?.ending as JournalEnding;
  return ending.outcomes.map(({ outcome }) => outcome);
}

const contentsOf = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(readdirSync(folder).map(name => [name, readFileSync(join(folder, name), 'utf8')]));

test('completes a pull that a crash interrupted while a file had no name', async () => {
  await using folder = await tempFolder({
    'a.luau': 'new a.luau',
    '.atlas-bridge-0123456789abcdef.b.luau.tmp': 'old b.luau',
    '.atlas-bridge-fedcba9876543210.tmp': 'new b.luau',
  });
  assert.deepEqual(await recoverPull(folder.path, ['a.luau', 'b.luau']), ['written', 'written']);
  assert.deepEqual(contentsOf(folder.path), { 'a.luau': 'new a.luau', 'b.luau': 'new b.luau' });
});

test('writes no file of an instance of which another file was edited since the interruption', async () => {
  await using folder = await tempFolder({
    'a.luau': 'new a.luau',
    'b.luau': 'edited',
    'b.meta.json': 'old b.meta.json',
  });
  assert.deepEqual(await recoverPull(folder.path, ['a.luau', 'b.luau', 'b.meta.json']), ['written', 'failed']);
  assert.deepEqual(contentsOf(folder.path), {
    'a.luau': 'new a.luau',
    'b.luau': 'edited',
    'b.meta.json': 'old b.meta.json',
  });
});
