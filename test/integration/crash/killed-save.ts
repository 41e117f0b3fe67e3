/**
 * A process that saves a rename over many Pluto modules, or writes many files of a place file, and is killed at one of its writes:
 * `node killed-save.ts <pluto|syncback> <project> <state> <write> <moment>`. Started by `kill-transactions.test.ts`.
 */
import { createNodeFileSystem } from '../../../src/adapters/fs/node-file-system.ts';
import { nodeClock } from '../../../src/adapters/node/clock.ts';
import { nodeHasher } from '../../../src/adapters/node/hasher.ts';
import { createFileJournalStore } from '../../../src/adapters/node/journal/file-journal-store.ts';
import { nodeRandom } from '../../../src/adapters/node/random.ts';
import { PlutoSession } from '../../../src/pluto/session/pluto-session.ts';
import { renameDeclaration } from '../../../src/pluto/session/edits/rename-declaration.ts';
import type { FileEdit, FileSystem } from '../../../src/ports/file-system.ts';
import { writeEdits } from '../../../src/project/writeback/write-edits.ts';
import { createFileTransactions } from '../../../src/sync/transactions/file-transactions.ts';
import { memoryLog } from '../../harness/memory-log.ts';
import { projectPath } from '../../harness/project-world.ts';
import { diskText, studioText } from './texts.ts';
import { reasonText } from '../../../src/protocol/reason.ts';

const [what = '', folder = '', journalFolder = '', write = '', moment = ''] = process.argv.slice(2);
const killAt = Number(write);
const never = new AbortController().signal;

/** Kills this process; nothing runs afterwards. */
const die = (): void => void process.kill(process.pid, 'SIGKILL');

function deadly(files: FileSystem): FileSystem {
  let count = 0;
  const killing = async (work: () => Promise<void>): Promise<void> => {
    count += 1;
    if (count !== killAt) return await work();
    if (moment === 'before') die();
    const writing = work();
    if (moment === 'during') nodeClock.after(count % 4, die);
    await writing;
    die();
  };
  return {
    ...files,
    replace: (path, bytes, precondition) => killing(() => files.replace(path, bytes, precondition)),
    remove: (path, precondition) => killing(() => files.remove(path, precondition)),
  };
}

const files = deadly(createNodeFileSystem(folder, nodeHasher));
const transactions = createFileTransactions({
  files,
  journal: createFileJournalStore(journalFolder),
  limits: () => ({ maxBytes: 1e9, maxDays: 30 }),
  hasher: nodeHasher,
  random: nodeRandom,
  clock: nodeClock,
  log: memoryLog(),
});

if (what === 'pluto') {
  const ports = { files, hasher: nodeHasher, random: nodeRandom, transactions };
  using session = await PlutoSession.open(ports, { tool: { name: 'test', version: '0' } }, never);
  const { module } = await session.module(projectPath('lib.pluto'));
  const [item] = module.tree.items;
  if (item === undefined || !('id' in item) || item.id === undefined) throw new Error('lib.pluto has no declaration');
  const { id } = item;
  await renameDeclaration(session, { id, newName: 'renamed' }, never);
  for (const result of await session.save(never)) if (result.kind === 'failed') throw result.error;
} else {
  const names = (await files.list(projectPath('src'))).map(entry => entry.name);
  const edits = names.map((name, index): FileEdit => {
    const path = projectPath(`src/${name}`);
    const key = name.replace('.luau', '');
    const bytes = new TextEncoder().encode(diskText(key));
    const precondition = { kind: 'hash', gitBlob: nodeHasher.gitBlob(bytes) } as const;
    return index % 5 === 4
      ? { kind: 'remove', path, precondition }
      : { kind: 'write', path, bytes: new TextEncoder().encode(studioText(key)), precondition };
  });
  const transaction = await transactions.begin({ requestedBy: 'test', title: 'Syncback', edits });
  const { problem } = await writeEdits(edits, files);
  if (problem !== undefined) throw new Error(reasonText(problem));
  await transaction.finish(new Map());
}
process.stdout.write('done');
