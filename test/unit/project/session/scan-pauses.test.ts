import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProjectPath } from '../../../../src/base/brand.ts';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import { DiagnosticStore } from '../../../../src/project/session/diagnostic-store.ts';
import { EmptiedFiles } from '../../../../src/project/session/emptied-files.ts';
import { scanDisk } from '../../../../src/project/session/disk-scan.ts';
import { DiskIndex } from '../../../../src/project/tree/disk-index.ts';
import { ManualClock } from '../../../harness/manual-clock.ts';
import { MemoryFileSystem } from '../../../harness/memory-file-system.ts';
import { openProject, projectPath, smallProject } from '../../../harness/project-world.ts';
import { until } from '../../../harness/until.ts';
import { WorkingClock } from '../../../harness/working-clock.ts';

test('pauses while it looks for many new files', async () => {
  const paths = Array.from({ length: 300 }, (_, at) => projectPath(`src/S${at}.luau`));
  const files = new MemoryFileSystem(Object.fromEntries(paths.map(path => [path, 'return 1'])));
  let turns = 0;
  const clock = new (class extends WorkingClock {
    override after(ms: number, fn: () => void): () => void {
      turns += 1;
      return super.after(ms, fn);
    }
  })();
  const index = new DiskIndex();
  index.set(projectPath('src'), { kind: 'directory', entries: [] });
  const ports = { files, clock, hasher: nodeHasher };
  const { changed } = await scanDisk(ports, index, paths, new AbortController().signal);
  assert.equal(changed.size, paths.length + 1);
  // The clock advances so fast that every second path ends a slice.
  assert.ok(turns >= paths.length / 2, `${turns} turns`);
});

test('pauses at each of many changed files while it accepts their content', () => {
  const readings = Array.from({ length: 300 }, () => ({ reported: new Map(), children: new Map() }));
  assert.ok(Array.from(new DiagnosticStore().accept(readings)).length >= readings.length);
  const changed = new Set(Array.from({ length: 300 }, (_, at) => projectPath(`src/S${at}.luau`)));
  const findings = { changed, read: new Map(), listed: new Set<ProjectPath>() };
  const believed = new EmptiedFiles(new ManualClock()).withoutRecentlyEmptied(findings, new DiskIndex(), true);
  assert.ok(Array.from(believed).length >= changed.size);
});

test('reads the project once after many hints that arrive while files are written', async () => {
  using world = await openProject(smallProject({ 'src/A.luau': 'return 1' }));
  const { clock, files, session } = world;
  const written = Promise.withResolvers<void>();
  const writing = session.writeAlone([], () => written.promise);
  let scans = 0;
  const date = clock.date.bind(clock);
  clock.date = () => {
    scans += 1;
    return date();
  };
  for (let at = 0; at < 100; at += 1) {
    files.set(`src/S${at}.luau`, 'return 1');
    clock.advance(1_000);
  }
  written.resolve();
  await writing;
  await until(() => session.idsAtPath(projectPath('src/S99.luau')).length > 0);
  assert.ok(scans < 10, `${scans} looks at the clock`);
});
