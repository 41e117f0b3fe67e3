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

test('completes a pull that a crash interrupted while a file had no name', async () => {
  await using folder = await tempFolder({
    'a.luau': 'new a',
    '.atlas-bridge-0123456789abcdef.b.luau.tmp': 'old b',
    '.atlas-bridge-fedcba9876543210.tmp': 'new b',
  });
  const [clock, journal] = [new ManualClock(), new MemoryJournalStore()];
  const names = ['a', 'b'];
  const items = names.map(name => ({
    id: name,
    path: `ServerScriptService/${name}`,
    className: 'ModuleScript',
    patchType: 'Edit',
    choice: 'pull',
    fsPath: `${name}.luau`,
    files: [],
    studio: null,
  }));
  const writes = names.map(name => ({
    ids: [name],
    path: `${name}.luau`,
    kind: 'write',
    before: hashOf(`old ${name}`),
    after: hashOf(`new ${name}`),
    blob: hashOf(`new ${name}`),
  }));
  const blobs = new Map(names.map(name => [hashOf(`new ${name}`), new TextEncoder().encode(`new ${name}`)]));
  const place = { name: 'Game', placeId: 0 };
  const record = { version: 1, runId: 'run', at: clock.date(), mode: 'standard', requestedBy: 'test', place };
  await journal.append('run', { ...record, items, writes }, blobs);
  await journal.note('run', { kind: 'confirmed', ids: names, applied: [] });
  journal.crash();
  const files = createNodeFileSystem(folder.path, nodeHasher);
  await recoverInterrupted({ files, journal, hasher: nodeHasher, clock, log: memoryLog() });
  const ending = (await journal.find('run'))?.ending as JournalEnding;
  assert.deepEqual(
    ending.outcomes.map(({ outcome }) => outcome),
    ['written', 'written'],
    ending.summary,
  );
  assert.deepEqual(readdirSync(folder.path), ['a.luau', 'b.luau']);
  assert.equal(readFileSync(join(folder.path, 'b.luau'), 'utf8'), 'new b');
});
