import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import type { ProjectPath } from '../../../../src/base/brand.ts';
import { TimeSlice } from '../../../../src/base/time-slice.ts';
import { type DiskFindings, DiskReader } from '../../../../src/project/session/disk-reader.ts';
import { type DiskEntry, DiskIndex } from '../../../../src/project/tree/disk-index.ts';
import { ManualClock } from '../../../harness/manual-clock.ts';
import { MemoryFileSystem } from '../../../harness/memory-file-system.ts';
import { openProject } from '../../../harness/project-world.ts';

const PROJECT = {
  'default.project.json': '{"name":"g","tree":{"$className":"DataModel","ReplicatedStorage":{"$path":"src"}}}',
};

/** Counts the files that are being read. */
class CountingFiles extends MemoryFileSystem {
  most = 0;
  #reading = 0;

  override async readWithStat(path: ProjectPath) {
    this.#reading += 1;
    this.most = Math.max(this.most, this.#reading);
    await new Promise(resolve => setImmediate(resolve));
    this.#reading -= 1;
    return super.readWithStat(path);
  }
}

test('[P6] reads few files at the same time, however deep the folders are', async () => {
  const names = Array.from({ length: 6 }, (_, index) => `f${index}`);
  const paths = names.flatMap(a =>
    names.flatMap(b => names.flatMap(c => names.map(d => `src/${a}/${b}/${c}/${d}.luau`))),
  );
  const files = new CountingFiles({ ...PROJECT, ...Object.fromEntries(paths.map(path => [path, 'return 1'])) });
  using world = await openProject(files);
  assert.equal(world.at('ReplicatedStorage/f5/f5/f5/f5').className, 'ModuleScript');
  assert.ok(files.most > 8 && files.most <= 40, `${files.most}`);
});

test('[P6] takes the files that a scan has read in short turns', async () => {
  const clock = new ManualClock();
  const entry: DiskEntry = { kind: 'absent' };
  const path = 'src/a.luau' as ProjectPath;
  const read = new Map([[path, { bytes: new Uint8Array(1), seen: entry }]]);
  const found: DiskFindings = { changed: new Set(), read, listed: new Set() };
  const ports = { files: new MemoryFileSystem(), clock, hasher: nodeHasher };
  const disk = new DiskReader(ports, new DiskIndex(), found, new TimeSlice(clock));
  assert.equal((await disk.read(path))?.length, 1);
  assert.equal(clock.pending, 0);
  clock.advance(5);
  let isRead = false;
  const reading = disk.read(path).then(bytes => {
    isRead = true;
    return bytes;
  });
  await new Promise(resolve => setImmediate(resolve));
  assert.equal(isRead, false, 'the slice is used up, so the file waits for the next turn');
  clock.advance(0);
  assert.equal((await reading)?.length, 1);
});
