import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { createNodeFileSystem } from '../../../../src/adapters/fs/node-file-system.ts';
import { createNodeWatcher } from '../../../../src/adapters/fs/node-watcher.ts';
import { nodeClock } from '../../../../src/adapters/node/clock.ts';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import { nodeInflate } from '../../../../src/adapters/node/inflate.ts';
import { inProcessConverter } from '../../../../src/project/file-kinds/convert-data.ts';
import type { ProjectPath } from '../../../../src/base/brand.ts';
import type { FileWatch } from '../../../../src/ports/file-watcher.ts';
import type { ProjectSession } from '../../../../src/project/project-session.ts';
import { openProjectSession } from '../../../../src/project/session/open-project-session.ts';
import { MemoryFileSystem } from '../../../harness/memory-file-system.ts';
import { never, openProject, smallProject, strictLog } from '../../../harness/project-world.ts';
import { reflection } from '../../../harness/reflection.ts';
import { sequentialRandom } from '../../../harness/sequential-random.ts';
import { settle } from '../../../harness/settle.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';
import { until } from '../../../harness/until.ts';

/** Drops the hints for one file, as an operating system does whose queue of events is full. */
class ForgetfulFiles extends MemoryFileSystem {
  missed = 0;

  override watch(onHint: (path: ProjectPath) => void): FileWatch {
    const watch = super.watch(path => void (path.endsWith('Dropped.luau') || onHint(path)));
    return { ...watch, watchMissed: async () => void (this.missed += 1) };
  }
}

for (const { count, isFound } of [
  { count: 999, isFound: false },
  { count: 1_000, isFound: true },
  { count: 3_000, isFound: true },
])
  test(`${isFound ? 'finds' : 'does not look for'} a file without a hint after a burst of ${count} hints`, async () => {
    const files = new ForgetfulFiles(smallProject({ 'src/A.luau': '' }));
    using world = await openProject(files);
    files.set('src/Dropped.luau', 'return 1');
    for (let at = 0; at < count; at += 1) files.set('src/A.luau', String(at));
    for (let at = 0; at < 30; at += 1) {
      world.clock.advance(100);
      await settle(20);
    }
    const names = world.at('ReplicatedStorage').children.map(id => world.session.get(id)?.name);
    assert.equal(names.includes('Dropped'), isFound, names.join());
    assert.equal(files.missed, isFound ? 1 : 0);
    assert.equal(world.clock.pending, 0);
  });

/** The project of roblox-ts: compiled modules, the runtime and the packages of npm. */
const robloxTs = {
  'default.project.json': JSON.stringify({
    name: 'game',
    globIgnorePaths: ['**/package.json', '**/tsconfig.json'],
    tree: {
      $className: 'DataModel',
      ReplicatedStorage: {
        rbxts_include: {
          $path: 'include',
          node_modules: { $className: 'Folder', '@rbxts': { $path: 'node_modules/@rbxts' } },
        },
        TS: { $path: 'out' },
      },
    },
  }),
  'include/RuntimeLib.lua': 'return {}',
  'node_modules/@rbxts/services/init.lua': 'return {}',
  'node_modules/@rbxts/services/package.json': '{}',
  'out/main.luau': 'return 0',
};

test('2,000 files that the compiler of roblox-ts writes in a second arrive as one change', async () => {
  const files = new MemoryFileSystem(robloxTs);
  using world = await openProject(files);
  assert.deepEqual(world.session.diagnostics(), []);
  assert.equal(world.at('ReplicatedStorage/rbxts_include/node_modules/@rbxts/services').className, 'ModuleScript');
  let changes = 0;
  using _changes = world.session.onDidChange(() => (changes += 1));
  for (let at = 0; at < 2_000; at += 1) {
    files.set(`out/systems-${at % 20}/module-${at}.luau`, `return ${at}`);
    // Half a millisecond for each file, with a pause where the compiler prepares the next folder.
    if (at % 100 === 99) {
      world.clock.advance(50);
      await settle(5);
    }
  }
  for (let at = 0; at < 20; at += 1) {
    world.clock.advance(100);
    await settle(50);
  }
  await until(() => world.at('ReplicatedStorage/TS').children.length === 21);
  assert.equal(changes, 1);
  assert.equal(world.clock.pending, 0);
});

/** Changes more files than the system keeps events for, while this process cannot read them, then creates a folder. */
const CHECKOUT = `const { utimesSync, writeFileSync, mkdirSync } = require('fs');
for (let at = 0; at < 20000; at += 1) utimesSync(at % 2 ? 'src/A.luau' : 'src/B.luau', at, at);
mkdirSync('src/late/deep', { recursive: true });
writeFileSync('src/late/deep/C.luau', 'return 1');`;

test(
  'finds a folder that a checkout created while the bridge was busy, and watches it',
  { timeout: 120_000 },
  async () => {
    await using folder = await tempFolder(smallProject({ 'src/A.luau': '', 'src/B.luau': '' }));
    let hints = 0;
    const watcher = createNodeWatcher(folder.path, strictLog);
    using session: ProjectSession = await openProjectSession(
      {
        files: createNodeFileSystem(folder.path, nodeHasher),
        watcher: {
          watch: onHint =>
            watcher.watch(path => {
              hints += 1;
              onHint(path);
            }),
        },
        clock: nodeClock,
        random: sequentialRandom(),
        hasher: nodeHasher,
        inflate: nodeInflate,
        converter: inProcessConverter,
        reflection,
        log: strictLog,
      },
      never,
    );
    await until(() => hints > 0);
    await session.refresh(never);
    const path = 'src/late/deep/C.luau' as ProjectPath;
    spawnSync(process.execPath, ['-e', CHECKOUT], { cwd: folder.path });
    await until(() => session.idsAtPath(path).length === 1);
    const [id] = session.idsAtPath(path);
    assert.ok(id);
    await folder.write({ [path]: 'return 2' });
    await until(() => session.get(id)?.properties.get('Source')?.value === 'return 2');
  },
);
