import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createNodeFileSystem } from '../../../src/adapters/fs/node-file-system.ts';
import { nodeClock } from '../../../src/adapters/node/clock.ts';
import { nodeHasher } from '../../../src/adapters/node/hasher.ts';
import { createFileJournalStore } from '../../../src/adapters/node/journal/file-journal-store.ts';
import { recoverInterrupted } from '../../../src/sync/recover/recover-interrupted.ts';
import { memoryLog } from '../../harness/memory-log.ts';
import { type TempFolder, tempFolder } from '../../harness/temp-folder.ts';
import { bundleProgram } from './bundle-program.ts';
import { diskText, studioText } from './texts.ts';

const MODULES = 10;
const moments = ['before', 'during', 'after'] as const;
let root: TempFolder;
let program = '';

before(async () => {
  root = await tempFolder();
  program = await bundleProgram(new URL('killed-save.ts', import.meta.url));
});
after(() => root[Symbol.asyncDispose]());

async function run(args: readonly string[]): Promise<string | null> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  return await new Promise(resolve => child.on('close', (_code, signal) => resolve(signal)));
}

async function texts(folder: string): Promise<ReadonlyMap<string, string>> {
  const found = await readdir(folder);
  const read = found.map(async name => [name, await readFile(join(folder, name), 'latin1')] as const);
  return new Map(await Promise.all(read));
}

async function recover(folder: string, journalFolder: string): Promise<void> {
  const log = memoryLog();
  const files = createNodeFileSystem(folder, nodeHasher);
  const journal = createFileJournalStore(journalFolder);
  await recoverInterrupted({ files, journal, hasher: nodeHasher, clock: nodeClock, log });
}

test('renames all modules or none when the save is killed at any write', async () => {
  const project = join(root.path, 'pluto');
  await mkdir(project);
  await writeFile(join(project, 'lib.pluto'), 'pub fn original() int {\n    return 1\n}\n');
  for (let at = 1; at < MODULES; at += 1)
    await writeFile(join(project, `m${at}.pluto`), 'import lib\n\nfn g() int {\n    return lib.original()\n}\n');
  for (let write = 1; write <= MODULES; write += 1) {
    const moment = moments[write % 3] ?? 'during';
    const where = `killed ${moment} write ${write}`;
    const [folder, journal] = [join(root.path, `pluto-${write}`), join(root.path, `journal-${write}`)];
    await cp(project, folder, { recursive: true });
    assert.equal(await run(['pluto', folder, journal, String(write), moment]), 'SIGKILL', where);
    await recover(folder, journal);
    const found = await texts(folder);
    assert.equal(found.size, MODULES, where);
    const renamed = Array.from(found.values(), text => text.includes('renamed'));
    assert.equal(new Set(renamed).size, 1, `${where}: ${renamed.filter(Boolean).length} of ${MODULES} are renamed`);
    const isBegun = write > 1 || moment === 'after';
    if (moment !== 'during') assert.equal(renamed[0], isBegun, where);
  }
});

test('completes or undoes a syncback that is killed at any write', async () => {
  const names = Array.from({ length: 20 }, (_, n) => `m${String(n).padStart(2, '0')}`);
  const project = join(root.path, 'syncback');
  await mkdir(join(project, 'src'), { recursive: true });
  for (const name of names) await writeFile(join(project, 'src', `${name}.luau`), diskText(name));
  const before = new Map(names.map(name => [`${name}.luau`, diskText(name)]));
  const whole = new Map(names.flatMap((name, at) => (at % 5 === 4 ? [] : [[`${name}.luau`, studioText(name)]])));
  for (let write = 1; write <= names.length; write += 1) {
    const moment = moments[write % 3] ?? 'during';
    const where = `killed ${moment} write ${write}`;
    const [folder, journal] = [join(root.path, `syncback-${write}`), join(root.path, `syncback-journal-${write}`)];
    await cp(project, folder, { recursive: true });
    assert.equal(await run(['syncback', folder, journal, String(write), moment]), 'SIGKILL', where);
    await recover(folder, journal);
    const found = await texts(join(folder, 'src'));
    assert.deepEqual(found, found.get('m00.luau') === diskText('m00') ? before : whole, where);
  }
});
