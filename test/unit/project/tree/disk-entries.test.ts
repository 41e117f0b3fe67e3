import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProjectPath } from '../../../../src/base/brand.ts';
import { DiskEntries, type DiskEntry } from '../../../../src/project/tree/disk-entries.ts';

const file = (seed: number): DiskEntry => ({
  kind: 'file',
  size: seed,
  mtimeMs: 1_795_000_000_000.25 + seed,
  ctimeMs: 1_795_000_000_001.5 + seed,
  inode: 2 ** 52 + seed,
  gitBlob: seed.toString(16).padStart(40, '0f'),
  settled: seed % 2 === 0,
});
const path = (seed: number) => `src/Script${seed}.luau` as ProjectPath;

test('returns the entries of thousands of files as they were set', () => {
  const entries = new DiskEntries();
  for (let seed = 0; seed < 2_000; seed += 1) entries.set(path(seed), file(seed));
  for (let seed = 0; seed < 2_000; seed += 3) entries.delete(path(seed));
  for (let seed = 0; seed < 2_000; seed += 5) entries.set(path(seed), file(seed + 7));
  const expected = new Map<ProjectPath, DiskEntry>();
  for (let seed = 0; seed < 2_000; seed += 1) {
    const entry = seed % 5 === 0 ? file(seed + 7) : seed % 3 === 0 ? undefined : file(seed);
    assert.deepEqual(entries.get(path(seed)), entry);
    assert.equal(entries.has(path(seed)), entry !== undefined);
    if (entry) expected.set(path(seed), entry);
  }
  assert.deepEqual(new Map(entries), expected);
});

test('replaces a file by a folder, a missing path or a file without a hash', () => {
  const entries = new DiskEntries();
  const others: readonly DiskEntry[] = [
    { kind: 'directory', entries: [{ name: 'a.luau', kind: 'file' }] },
    { kind: 'absent' },
    { kind: 'file', size: 1, mtimeMs: 2, ctimeMs: 3, inode: 4, gitBlob: '', settled: false },
  ];
  for (const other of others) {
    entries.set(path(1), file(1));
    entries.set(path(1), other);
    entries.set(path(2), file(2));
    assert.deepEqual([entries.get(path(1)), entries.get(path(2))], [other, file(2)]);
  }
});
