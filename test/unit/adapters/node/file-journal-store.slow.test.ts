import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { createFileJournalStore } from '../../../../src/adapters/node/journal/file-journal-store.ts';
import { shortHash } from '../../../../src/adapters/node/journal/frames.ts';
import { thisProcess } from '../../../../src/adapters/node/owner.ts';
import type { JournalStore } from '../../../../src/ports/journal-store.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const none: ReadonlyMap<string, Uint8Array> = new Map();
const DAY_MS = 24 * 60 * 60 * 1000;
const limits = { maxBytes: 1e9, maxDays: 2 };

const segmentsIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder))
    .filter(name => name.endsWith('.journal'))
    .toSorted()
    .map(name => join(folder, name));
const runsOf = async (journal: JournalStore): Promise<string[]> =>
  (await journal.list()).map(({ runId }) => runId).toReversed();
async function fill(journal: JournalStore, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    const blobs = new Map([['file', bytes(`before ${at} `.repeat(20))]]);
    await journal.append(`run-${at}`, { at, writes: ['x'] }, blobs);
    await journal.note(`run-${at}`, { note: at });
    await journal.finish(`run-${at}`, { status: at });
  }
}

test('keeps everything for the next process, and appends to the same segment', async () => {
  await using folder = await tempFolder();
  await fill(createFileJournalStore(folder.path), 20);
  const again = createFileJournalStore(folder.path);
  await fill(again, 1);
  assert.equal((await segmentsIn(folder.path)).length, 1);
  const [newest, ...others] = await again.list();
  assert.deepEqual([newest?.runId, others.length], ['run-0', 20]);
  assert.deepEqual(others[0]?.notes, [{ note: 19 }]);
  assert.equal(String(Buffer.from(await again.readBlob('run-3', 'file'))), 'before 3 '.repeat(20));
});

test('sees what another process appends, and two processes lose nothing of each other', async () => {
  await using folder = await tempFolder();
  const stores = [createFileJournalStore(folder.path), createFileJournalStore(folder.path)];
  const runs = Array.from({ length: 20 }, (_, at) => `run-${at}`);
  await Promise.all(runs.map(async (runId, at) => stores[at % 2]?.append(runId, at, none, {})));
  for (const store of stores) assert.deepEqual((await runsOf(store)).toSorted(), runs.toSorted());
});

test('calls a run interrupted when its process has ended or its id was reused', async () => {
  await using folder = await tempFolder();
  const journal = createFileJournalStore(folder.path);
  await journal.append('run', 1, none);
  assert.equal((await createFileJournalStore(folder.path).unfinished())[0]?.isRunning, true);
  const own = await thisProcess();
  for (const [owner, isRunning] of [
    [{ pid: process.ppid }, true],
    [{ pid: process.ppid, processStart: 'another' }, false],
    [{ ...own, instance: 'other', processStart: 'another' }, false],
    [{ pid: 2 ** 22 + 1 }, false],
  ] as const) {
    await using other = await tempFolder();
    const old = join(other.path, '00000001-run');
    await mkdir(old);
    await writeFile(join(old, 'record.json'), JSON.stringify({ runId: 'run', owner, record: 1 }));
    assert.equal((await createFileJournalStore(other.path).unfinished())[0]?.isRunning, isRunning);
  }
});

test('removes whole days by age, oldest first, but keeps the newest 50 entries', async () => {
  await using folder = await tempFolder();
  let time = Date.parse('2026-01-01T12:00:00Z');
  const journal = createFileJournalStore(folder.path, { now: () => time });
  for (let day = 0; day < 60; day += 1) {
    await journal.append(`run-${day}`, day, none, {});
    time += DAY_MS;
  }
  time += 40 * DAY_MS;
  await journal.prune(limits);
  assert.deepEqual(
    await runsOf(journal),
    Array.from({ length: 50 }, (_, at) => `run-${at + 10}`),
  );
});

test('keeps a running run, and calls it running, when the clock jumps by 40 days', async () => {
  for (const days of [40, -40]) {
    await using folder = await tempFolder();
    const start = Date.parse('2026-06-01T12:00:00Z');
    await createFileJournalStore(folder.path, { now: () => start }).append('running', 1, none);
    const later = createFileJournalStore(folder.path, { now: () => start + days * DAY_MS });
    await fill(later, 60);
    await later.prune(limits);
    const open = (await later.unfinished()).map(({ runId, isRunning }) => ({ runId, isRunning }));
    assert.deepEqual(open, [{ runId: 'running', isRunning: true }], `${days} days`);
    assert.ok((await runsOf(later)).length >= 51, `${days} days`);
  }
});

test('never opens an entry again when pruning cannot remove its segment', async () => {
  await using folder = await tempFolder();
  const journal = createFileJournalStore(folder.path, { segmentBytes: 1 });
  await fill(journal, 3);
  const [first = ''] = await segmentsIn(folder.path);
  const content = await readFile(first);
  // A folder in its place cannot be removed like a file.
  await rm(first);
  await mkdir(first);
  await journal.prune({ maxBytes: 1, maxDays: 30 });
  await rm(first, { recursive: true });
  await writeFile(first, content);
  const later = createFileJournalStore(folder.path);
  assert.deepEqual(await later.unfinished(), []);
  assert.deepEqual(await runsOf(later), ['run-0', 'run-1', 'run-2']);
  await later.prune({ maxBytes: 1, maxDays: 30 });
  assert.deepEqual(await runsOf(later), ['run-2']);
});

test('calls an entry damaged whose ending is unreadable, also after pruning', async () => {
  await using folder = await tempFolder();
  await fill(createFileJournalStore(folder.path, { segmentBytes: 1 }), 3);
  const [, , ending = ''] = await segmentsIn(folder.path);
  await writeFile(ending, 'unreadable\n');
  const journal = createFileJournalStore(folder.path, { segmentBytes: 1 });
  await journal.prune({ maxBytes: 1, maxDays: 30 });
  const open = await createFileJournalStore(folder.path).unfinished();
  assert.deepEqual(
    open.map(({ runId, damage }) => [runId, damage]),
    [['run-0', `${ending}, byte 0`]],
  );
});

test('keeps the endings of all entries that stay beside an open one', async () => {
  await using folder = await tempFolder();
  const journal = createFileJournalStore(folder.path, { segmentBytes: 1_000 });
  /** Completes a segment. */
  const fillSegment = async (runId: string): Promise<void> => {
    await journal.append(runId, runId.repeat(1_000), none, {});
  };
  await journal.append('open', 1, none);
  await journal.append('early', 1, none);
  await fillSegment('a');
  await journal.finish('early', {});
  await journal.append('late', 1, none);
  await fillSegment('b');
  await journal.finish('late', {});
  for (const runId of ['c', 'd', 'e']) await fillSegment(runId);
  await journal.prune({ maxBytes: 1, maxDays: 30 });
  assert.deepEqual(await runsOf(journal), ['open', 'early', 'a', 'late', 'b', 'c', 'e']);
  const open = await createFileJournalStore(folder.path).unfinished();
  assert.deepEqual(
    open.map(({ runId }) => runId),
    ['open'],
  );
});

test('never opens an entry again, wherever a kill interrupts pruning', async () => {
  await using folder = await tempFolder();
  const journal = createFileJournalStore(folder.path, { segmentBytes: 1 });
  await journal.append('open', 1, none);
  await fill(journal, 8);
  const before = await segmentsIn(folder.path);
  const contents = new Map(await Promise.all(before.map(async path => [path, await readFile(path)] as const)));
  await journal.prune({ maxBytes: 1, maxDays: 30 });
  const removed = before
    .filter(path => !contents.has(path))
    .concat(
      await Promise.all(before.map(async path => ((await stat(path).catch(() => undefined)) ? [] : [path]))).then(all =>
        all.flat(),
      ),
    );
  assert.ok(removed.length > 8);
  for (let kill = 0; kill <= removed.length; kill += 1) {
    for (const [path, content] of contents) await writeFile(path, content);
    for (const path of removed.slice(0, kill)) await rm(path);
    const open = await createFileJournalStore(folder.path).unfinished();
    assert.deepEqual(
      open.map(({ runId }) => runId),
      ['open'],
      `killed after ${kill} of ${removed.length} segments`,
    );
  }
});

test('ignores an append that was killed halfway, and appends after it', async () => {
  await using folder = await tempFolder();
  await fill(createFileJournalStore(folder.path), 2);
  const [segment = ''] = await segmentsIn(folder.path);
  const whole = await readFile(segment);
  for (const cut of [1, 10, 60, 200]) {
    await writeFile(segment, whole);
    await truncate(segment, whole.length - cut);
    const journal = createFileJournalStore(folder.path);
    assert.ok((await journal.list()).length >= 1);
    await journal.append(`after-${cut}`, cut, none, {});
    assert.equal((await journal.find(`after-${cut}`))?.record, cut);
  }
});

test(
  'leaves nothing behind when an append fails because a file cannot grow',
  { skip: process.platform === 'win32' && 'Windows has no ulimit' },
  async () => {
    await using folder = await tempFolder();
    const journal = createFileJournalStore(folder.path);
    await fill(journal, 2);
    const before = (await stat((await segmentsIn(folder.path))[0] ?? '')).size;
    const module = new URL('../../../../src/adapters/node/journal/file-journal-store.ts', import.meta.url).href;
    const script = `import { createFileJournalStore } from '${module}';
    const journal = createFileJournalStore(${JSON.stringify(folder.path)});
    const error = await journal.append('large', 1, new Map([['x', new Uint8Array(1e6)]])).catch(error => error);
    await journal.append('small', 1, new Map(), {});
    console.log(error.code);`;
    // In blocks of 512 bytes or 1 KB.
    const child = spawn('sh', ['-c', `ulimit -f 300; exec "$0" --input-type=module -e "$1"`, process.execPath, script]);
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += String(chunk)));
    await once(child, 'close');
    assert.equal(output.trim(), 'STATE_NOT_WRITABLE');
    assert.deepEqual(await runsOf(journal), ['run-0', 'run-1', 'small']);
    assert.ok((await stat((await segmentsIn(folder.path))[0] ?? '')).size < before + 1_000);
  },
);

test('names the folder when it cannot be written', async () => {
  await using folder = await tempFolder();
  const path = join(folder.path, 'journal');
  await writeFile(path, 'a file');
  await assert.rejects(createFileJournalStore(path).append('run', 1, none), { code: 'STATE_NOT_WRITABLE' });
});

/** Ways in which a file is damaged. */
const damages: Readonly<Record<string, (path: string, whole: Buffer) => Promise<void>>> = {
  nothing: path => writeFile(path, ''),
  half: (path, whole) => writeFile(path, whole.subarray(0, whole.length / 2)),
  'random bytes': path => writeFile(path, Buffer.from(shortHash('seed').repeat(50), 'hex')),
  'another version': (path, whole) =>
    writeFile(path, whole.toString('latin1').replaceAll('atlas-journal 1', 'atlas-journal 9'), 'latin1'),
  'a folder': async path => {
    await rm(path);
    await mkdir(path);
  },
  'no file': path => rm(path),
};
for (const [what, damage] of Object.entries(damages))
  test(`keeps working with the other entries when a segment is ${what}`, async () => {
    await using folder = await tempFolder();
    await fill(createFileJournalStore(folder.path, { segmentBytes: 1_500 }), 9);
    const segments = await segmentsIn(folder.path);
    assert.ok(segments.length >= 3);
    for (const path of segments.slice(1, 2)) await damage(path, await readFile(path));
    const journal = createFileJournalStore(folder.path, { segmentBytes: 1_500 });
    const entries = await journal.list();
    assert.ok(entries.length >= 4 && entries.length < 9);
    for (const { runId, record } of entries) assert.equal(`run-${(record as { at: number }).at}`, runId);
    const isReported = ['random bytes', 'another version', 'a folder'].includes(what);
    assert.equal((await journal.damage()).length, isReported ? 1 : 0);
    await fill(journal, 1);
    await journal.prune({ maxBytes: 1, maxDays: 1 });
    assert.ok((await journal.list()).length > 0);
  });

test(
  'names the segment that it may not read, and reads the others',
  { skip: process.getuid?.() === 0 && 'root may read everything' },
  async () => {
    await using folder = await tempFolder();
    await fill(createFileJournalStore(folder.path, { segmentBytes: 1_500 }), 9);
    const [first = ''] = await segmentsIn(folder.path);
    await chmod(first, 0);
    const journal = createFileJournalStore(folder.path);
    assert.ok((await journal.list()).length > 0);
    assert.match((await journal.damage()).join(), /00000001/);
  },
);

test('loses only the entry whose record has lost bytes, and calls no other one damaged', async () => {
  await using folder = await tempFolder();
  await fill(createFileJournalStore(folder.path), 3);
  const [path = ''] = await segmentsIn(folder.path);
  const text = await readFile(path, 'latin1');
  assert.match(text, /"at":1,/);
  await writeFile(path, text.replace('"at":1,', ''), 'latin1');
  const entries = await createFileJournalStore(folder.path).list();
  assert.deepEqual(
    entries.map(({ runId, notes, damage }) => [runId, notes.length, damage]),
    [
      ['run-2', 1, undefined],
      ['run-0', 1, undefined],
    ],
  );
});

test('takes no damaged ending for that of another entry, nor for a missing one', async () => {
  await using folder = await tempFolder();
  const journal = createFileJournalStore(folder.path);
  for (const runId of ['open', 'done']) await journal.append(runId, runId, none);
  await journal.finish('done', { status: 'done' });
  const [path = ''] = await segmentsIn(folder.path);
  const text = await readFile(path, 'latin1');
  const [open = '', done = ''] = Array.from(text.matchAll(/record ([0-9a-f]{16})/g), ([, id]) => id);
  const read = async (damaged: string) => {
    assert.notEqual(damaged, text);
    await writeFile(path, damaged, 'latin1');
    const store = createFileJournalStore(folder.path);
    const entries = await store.list();
    return entries.map(({ runId, ending, damage }) => [runId, ending, damage !== undefined]);
  };
  assert.deepEqual(await read(text.replace(`ending ${done}`, `ending ${open}`)), [
    ['done', undefined, true],
    ['open', undefined, true],
  ]);
  assert.deepEqual(await read(text.replace('"status":"done"', '"status":"gone"')), [
    ['done', null, true],
    ['open', undefined, false],
  ]);
});

test('loses only the entries whose bytes are damaged, and reports the place', async () => {
  await using folder = await tempFolder();
  await fill(createFileJournalStore(folder.path), 6);
  const [segment = ''] = await segmentsIn(folder.path);
  const whole = await readFile(segment);
  const original = new Map((await createFileJournalStore(folder.path).list()).map(entry => [entry.runId, entry]));
  await fc.assert(
    fc.asyncProperty(
      fc.nat(whole.length - 1),
      fc.uint8Array({ minLength: 1, maxLength: 400 }),
      async (offset, noise) => {
        const damaged = Buffer.from(whole);
        damaged.set(noise.subarray(0, whole.length - offset), offset);
        await writeFile(segment, damaged);
        const journal = createFileJournalStore(folder.path);
        const entries = await journal.list();
        for (const entry of entries) {
          const { damage, ...rest } = entry;
          const { isRunning: _, ...expected } = original.get(entry.runId) ?? assert.fail(entry.runId);
          const { isRunning: __, ...found } = rest;
          if (damage === undefined && entry.ending !== undefined)
            assert.deepEqual({ ...found, notes: [] }, { ...expected, notes: [] });
        }
        // Noise may begin after one entry and end before the next, or hit several.
        assert.ok(entries.length >= 6 - 3);
        const listed = new Set(entries.map(({ runId }) => runId));
        if (Array.from(original.keys()).some(runId => !listed.has(runId)))
          assert.ok((await journal.damage()).length > 0, 'an entry is missing without a place');
        for (const open of await journal.unfinished())
          assert.ok(
            open.damage !== undefined || offset + noise.length >= whole.length - 400,
            'an open entry looks sound',
          );
      },
    ),
    { numRuns: 150 },
  );
});

test('takes over the entries of older versions, and leaves an unreadable one in its place', async () => {
  await using folder = await tempFolder();
  const write = async (name: string, parts: Readonly<Record<string, string>>): Promise<void> => {
    await mkdir(join(folder.path, name));
    for (const [part, content] of Object.entries(parts)) await writeFile(join(folder.path, name, part), content);
  };
  const owner = { pid: 2 ** 22 + 1, bootedAt: 0 };
  await write('00000001-old', {
    'record.json': JSON.stringify({ runId: 'old', owner, record: { a: 1 } }),
    [`${shortHash('src/x.luau')}.blob`]: 'before',
    'note-0001.json': '1',
    'ending.json': '{"status":"success"}',
  });
  await write('00000002-open', { 'record.json': JSON.stringify({ runId: 'open', owner, record: 2 }) });
  await write('00000003-torn', { 'record.json': '{"runId"' });
  const journal = createFileJournalStore(folder.path);
  assert.deepEqual(await journal.list(), [
    { runId: 'open', record: 2, notes: [], ending: undefined, isRunning: false },
    { runId: 'old', record: { a: 1 }, notes: [1], ending: { status: 'success' }, isRunning: false },
  ]);
  assert.equal(String(Buffer.from(await journal.readBlob('old', 'src/x.luau'))), 'before');
  assert.deepEqual(
    (await readdir(folder.path)).filter(name => /^\d{8}-[a-z]/.test(name)),
    ['00000003-torn'],
  );
});

test('reads a segment with a foreign tail, and continues in a new one', async () => {
  await using folder = await tempFolder();
  await fill(createFileJournalStore(folder.path), 1);
  const [segment = ''] = await segmentsIn(folder.path);
  await appendFile(segment, 'written by another program\n');
  const journal = createFileJournalStore(folder.path);
  await fill(journal, 1);
  assert.equal((await segmentsIn(folder.path)).length, 2);
  assert.equal((await journal.damage()).length, 1);
});
