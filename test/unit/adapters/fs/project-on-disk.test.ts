import { test } from 'node:test';
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNodeFileSystem } from '../../../../src/adapters/fs/node-file-system.ts';
import { createNodeWatcher } from '../../../../src/adapters/fs/node-watcher.ts';
import { nodeClock } from '../../../../src/adapters/node/clock.ts';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import { nodeInflate } from '../../../../src/adapters/node/inflate.ts';
import { inProcessConverter } from '../../../../src/project/file-kinds/convert-data.ts';
import { nodeRandom } from '../../../../src/adapters/node/random.ts';
import { openProjectSession } from '../../../../src/project/session/open-project-session.ts';
import { never, projectPath, strictLog } from '../../../harness/project-world.ts';
import { reflection } from '../../../harness/reflection.ts';

test(
  'syncs a file that an editor replaces by renaming, and a folder that is moved in',
  { timeout: 30_000 },
  async () => {
    const root = await mkdtemp(join(tmpdir(), 'atlas-project-'));
    try {
      await mkdir(join(root, 'src'));
      await mkdir(join(root, 'elsewhere', 'deep'), { recursive: true });
      await writeFile(join(root, 'elsewhere', 'deep', 'B.luau'), 'b');
      await writeFile(join(root, 'src', 'A.luau'), 'one');
      await writeFile(
        join(root, 'default.project.json'),
        '{"tree": {"$className": "DataModel", "ReplicatedStorage": {"$path": "src"}}}',
      );
      const files = createNodeFileSystem(root, nodeHasher);
      const watcher = createNodeWatcher(root, strictLog);
      const ports = {
        files,
        watcher,
        clock: nodeClock,
        random: nodeRandom,
        hasher: nodeHasher,
        inflate: nodeInflate,
        converter: inProcessConverter,
        reflection,
        log: strictLog,
      };
      using session = await openProjectSession(ports, never);
      const until = async (holds: () => boolean): Promise<void> => {
        while (!holds()) {
          await new Promise<void>(resolve => {
            const heard = session.onDidChange(() => {
              heard[Symbol.dispose]();
              resolve();
            });
          });
        }
      };
      const [id] = session.idsAtPath(projectPath('src/A.luau'));
      assert.ok(id);
      await writeFile(join(root, 'src', 'A.luau.tmp'), 'two');
      await rename(join(root, 'src', 'A.luau.tmp'), join(root, 'src', 'A.luau'));
      await until(() => session.get(id)?.properties.get('Source')?.value === 'two');
      await rename(join(root, 'elsewhere'), join(root, 'src', 'moved'));
      await until(() => session.idsAtPath(projectPath('src/moved/deep/B.luau')).length === 1);
      await rm(join(root, 'src', 'moved'), { recursive: true });
      await session.refresh(never);
      assert.deepEqual(session.idsAtPath(projectPath('src/moved')), []);
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  },
);
