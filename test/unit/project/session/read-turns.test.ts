import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import type { ProjectPath } from '../../../../src/base/brand.ts';
import { TimeSlice } from '../../../../src/base/time-slice.ts';
import type { Clock } from '../../../../src/ports/clock.ts';
import { type DiskFindings, DiskReader } from '../../../../src/project/session/disk-reader.ts';
import type { DiskEntry } from '../../../../src/project/tree/disk-entries.ts';
import { DiskIndex } from '../../../../src/project/tree/disk-index.ts';
import { MemoryFileSystem } from '../../../harness/memory-file-system.ts';
import { openProject } from '../../../harness/project-world.ts';
import { settle } from '../../../harness/settle.ts';
import { WorkingClock } from '../../../harness/working-clock.ts';

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
  let time = 0;
  const timers: (() => void)[] = [];
  const clock: Clock = {
    now: () => time,
    date: () => new Date(time).toISOString(),
    after(_, fn) {
      timers.push(fn);
      return () => undefined;
    },
  };
  const seen: DiskEntry = { kind: 'absent' };
  const paths = ['a', 'b', 'c'].map(name => `src/${name}.luau` as ProjectPath);
  const read = new Map(paths.map(path => [path, { bytes: new Uint8Array(1), seen }]));
  const found: DiskFindings = { changed: new Set(), read, listed: new Set() };
  const ports = { files: new MemoryFileSystem(), clock, hasher: nodeHasher };
  const disk = new DiskReader(ports, new DiskIndex(), found, new TimeSlice(clock));
  let used = 0;
  const parse = (): void => {
    used += 1;
    // As long as a slice.
    time += 4;
  };
  const reading = Promise.all(paths.map(path => disk.readFor(path, parse)));
  const turns: number[] = [];
  for (let turn = 0; turn < paths.length; turn += 1) {
    await settle();
    turns.push(used);
    for (const timer of timers.splice(0)) {
      timer();
      await settle();
    }
  }
  assert.deepEqual(turns, [1, 2, 3]);
  await reading;
});

test('[P6] takes the entries of a folder with thousands in many turns', async () => {
  const names = Array.from({ length: 1_000 }, (_, index) => `S${index}.luau`);
  const files = new MemoryFileSystem(Object.fromEntries(names.map(name => [`src/${name}`, ''])));
  const clock = new CountingClock();
  const found: DiskFindings = { changed: new Set(), read: new Map(), listed: new Set() };
  const disk = new DiskReader({ files, clock, hasher: nodeHasher }, new DiskIndex(), found, new TimeSlice(clock));
  assert.equal((await disk.list('src' as ProjectPath))?.length, names.length);
  assert.ok(clock.turns > names.length / 4, `${clock.turns}`);
});

/** Counts the requested turns of the event loop. */
class CountingClock extends WorkingClock {
  turns = 0;

  override after(ms: number, fn: () => void): () => void {
    this.turns += 1;
    return super.after(ms, fn);
  }
}
