import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createNodeFileSystem } from '../../../../src/adapters/fs/node-file-system.ts';
import { nodeClock } from '../../../../src/adapters/node/clock.ts';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import { nodeInflate } from '../../../../src/adapters/node/inflate.ts';
import { inProcessConverter } from '../../../../src/project/file-kinds/convert-data.ts';
import { nodeRandom } from '../../../../src/adapters/node/random.ts';
import type { FileWatcher } from '../../../../src/ports/file-watcher.ts';
import { openProjectSession } from '../../../../src/project/session/open-project-session.ts';
import { never, projectPath, strictLog } from '../../../harness/project-world.ts';
import { reflection } from '../../../harness/reflection.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

const silentWatcher: FileWatcher = { watch: () => ({ [Symbol.dispose]: () => undefined }) };
/** Runs ahead, so that the files are too old to be compared by content. */
const laterClock = { ...nodeClock, date: () => new Date(Date.now() + 60_000).toISOString() };

for (const how of ['in place', 'by another file'] as const)
  test(`sees a file that is replaced ${how} with the size and time of the old one`, async () => {
    await using folder = await tempFolder({
      'default.project.json': '{"tree": {"$className": "DataModel", "ReplicatedStorage": {"$path": "src"}}}',
      'src/A.luau': 'one',
    });
    const session = await openProjectSession(
      {
        files: createNodeFileSystem(folder.path, nodeHasher),
        watcher: silentWatcher,
        clock: laterClock,
        random: nodeRandom,
        hasher: nodeHasher,
        inflate: nodeInflate,
        converter: inProcessConverter,
        reflection,
        log: strictLog,
      },
      never,
    );
    using _session = session;
    const [id] = session.idsAtPath(projectPath('src/A.luau'));
    assert.ok(id);
    const file = join(folder.path, 'src', 'A.luau');
    const { atime, mtime } = await stat(file);
    await utimes(file, atime, mtime);
    await session.refresh(never);
    const written = how === 'in place' ? file : join(folder.path, 'new');
    await writeFile(written, 'two');
    await utimes(written, atime, mtime);
    if (written !== file) renameSync(written, file);
    await session.refresh(never);
    assert.equal(session.get(id)?.properties.get('Source')?.value, 'two');
  });
