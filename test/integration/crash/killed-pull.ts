/**
 * A process that pulls everything and is killed at one of its writes: `node killed-pull.ts <project> <journal> <write> <moment>`.
 * Started by `kill.test.ts`.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createNodeFileSystem } from '../../../src/adapters/fs/node-file-system.ts';
import { nodeClock } from '../../../src/adapters/node/clock.ts';
import { nodeHasher } from '../../../src/adapters/node/hasher.ts';
import { createFileJournalStore } from '../../../src/adapters/node/journal/file-journal-store.ts';
import type { FileSystem } from '../../../src/ports/file-system.ts';
import { syncWorld } from '../../harness/sync-world.ts';
import { studioText } from './texts.ts';

const [folder = '', journalFolder = '', write = '', moment = ''] = process.argv.slice(2);
const killAt = Number(write);

/** Kills this process; nothing runs afterwards. */
const die = (): void => void process.kill(process.pid, 'SIGKILL');

function deadly(files: FileSystem): FileSystem {
  let count = 0;
  return {
    ...files,
    async replace(path, bytes, precondition) {
      count += 1;
      if (count !== killAt) return await files.replace(path, bytes, precondition);
      if (moment === 'before') die();
      const writing = files.replace(path, bytes, precondition);
      // Somewhere between the temporary file and the rename; the exact point is random.
      if (moment === 'during') nodeClock.after(count % 4, die);
      await writing;
      die();
    },
  };
}

const names = readdirSync(join(folder, 'src')).map(name => name.replace('.luau', ''));
const world = await syncWorld({
  git: 'none',
  disk: deadly(createNodeFileSystem(folder, nodeHasher)),
  journalStore: createFileJournalStore(journalFolder),
  place: Object.fromEntries(
    names.map(name => [`ServerScriptService/${name}`, { className: 'ModuleScript', source: studioText(name) }]),
  ),
});
const { changes } = await world.sync({ mode: 'dryrun' });
const result = await world.sync({ overrides: changes.map(({ id }) => ({ id, direction: 'pull' as const })) });
process.stdout.write(`${result.summary}\n`);
