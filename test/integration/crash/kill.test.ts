import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { formatSentence } from '../../../src/base/sentence.ts';
import { createNodeFileSystem } from '../../../src/adapters/fs/node-file-system.ts';
import { nodeHasher } from '../../../src/adapters/node/hasher.ts';
import { createFileJournalStore } from '../../../src/adapters/node/journal/file-journal-store.ts';
import { mapConcurrent } from '../../../src/base/map-concurrent.ts';
import { type InterruptedRun, recoverInterrupted } from '../../../src/sync/recover/recover-interrupted.ts';
import { JournalRecord } from '../../../src/protocol/journal/journal-record.ts';
import { ManualClock } from '../../harness/manual-clock.ts';
import { memoryLog } from '../../harness/memory-log.ts';
import { projectFile } from '../../harness/sync-world.ts';
import { bundleProgram } from './bundle-program.ts';
import { diskText, studioText } from './texts.ts';

const isEveryWrite = process.env['ATLAS_KILL'] === 'every write';
const FILES = isEveryWrite ? 200 : 60;
const names = Array.from({ length: FILES }, (_, n) => `m${String(n).padStart(3, '0')}`);
/** Testing every write of 200 takes minutes. A step that is not a multiple of three covers all moments. */
const STEP = isEveryWrite ? 1 : 2;
const moments = ['before', 'during', 'after'] as const;
let root = '';
let program = '';

before(async () => {
  root = await mkdtemp(join(tmpdir(), 'atlas-kill-'));
  await mkdir(join(root, 'project', 'src'), { recursive: true });
  await mkdir(join(root, 'project', 'shared'));
  await writeFile(join(root, 'project', 'default.project.json'), projectFile);
  for (const name of names) await writeFile(join(root, 'project', 'src', `${name}.luau`), diskText(name));
  program = await bundleProgram(new URL('killed-pull.ts', import.meta.url));
});
after(() => rm(root, { recursive: true, force: true }));

async function run(args: readonly string[]): Promise<{ signal: string | null; output: string }> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += String(chunk)));
  return await new Promise(resolve => child.on('close', (_code, signal) => resolve({ signal, output })));
}

async function textsIn(folder: string): Promise<ReadonlyMap<string, string>> {
  const found = await readdir(join(folder, 'src'));
  return new Map(
    await Promise.all(found.map(async name => [name, await readFile(join(folder, 'src', name), 'utf8')] as const)),
  );
}

async function killAt(write: number): Promise<void> {
  const moment = moments[write % 3] ?? 'during';
  const world = join(root, `kill-${write}`);
  const [folder, journalFolder] = [join(world, 'project'), join(world, 'journal')];
  await cp(join(root, 'project'), folder, { recursive: true });
  const { signal } = await run([folder, journalFolder, String(write), moment]);
  assert.equal(signal, 'SIGKILL');

  const where = `killed ${moment} write ${write}`;
  const torn = await textsIn(folder);
  for (const name of names) {
    const text = torn.get(`${name}.luau`);
    assert.ok(text === diskText(name) || text === studioText(name), `${where}: ${name} is half-written`);
  }
  const pulled = names.filter(name => torn.get(`${name}.luau`) === studioText(name)).length;
  assert.ok(pulled === write || pulled === write - 1, where);

  const journal = createFileJournalStore(journalFolder);
  const files = createNodeFileSystem(folder, nodeHasher);
  const log = memoryLog();
  const [interrupted] = await recoverInterrupted({ files, journal, hasher: nodeHasher, clock: new ManualClock(), log });
  assert.match(said(interrupted), /was interrupted/, where);
  const whole = await textsIn(folder);
  const expected = pulled === 0 ? diskText : studioText;
  for (const name of names) assert.equal(whole.get(`${name}.luau`), expected(name), where);
  assert.equal(whole.size, FILES, `${where}: a temporary file was left`);
  await everythingKept(journalFolder, where);
  await rm(world, { recursive: true });
}

/** Whether both sides of every change can be read from the journal, for any ending of the run. */
async function everythingKept(journalFolder: string, where: string): Promise<void> {
  const journal = createFileJournalStore(journalFolder);
  const [entry] = await journal.list();
  const record = JournalRecord.parse(entry?.record);
  assert.equal(record.items.length, FILES, where);
  for (const item of record.items) {
    const name = item.path.split('/').at(-1) ?? '';
    assert.equal(item.studio?.source, studioText(name), where);
    const bytes = await journal.readBlob(record.runId, item.files[0]?.blob ?? '');
    assert.equal(new TextDecoder().decode(bytes), diskText(name), where);
  }
}

const writes = Array.from({ length: FILES }, (_, n) => n + 1).filter(n => n % STEP === 0 || n === 1 || n === FILES);
/** Each case runs a process, a pull of all files and a recovery: half a second on an idle machine. */
const limit = { timeout: writes.length * 10_000 };

test('[P1] loses and half-writes no file and reports the run when a pull is killed at any write', limit, async () => {
  await mapConcurrent(writes, Math.min(4, availableParallelism()), killAt);
});

test('writes all files in a pull that is not killed', async () => {
  const folder = join(root, 'whole', 'project');
  await cp(join(root, 'project'), folder, { recursive: true });
  const { signal, output } = await run([folder, join(root, 'whole', 'journal'), '0', 'never']);
  assert.deepEqual([signal, output.trim()], [null, `Sync completed successfully: ${FILES} written to disk.`]);
  const texts = await textsIn(folder);
  for (const name of names) assert.equal(texts.get(`${name}.luau`), studioText(name));
});

const said = (run: InterruptedRun | undefined): string => (run === undefined ? '' : formatSentence(run.sentence));
