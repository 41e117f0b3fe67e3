import assert from 'node:assert/strict';
import { copyFile, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { nodeClock } from '../../../../src/adapters/node/clock.ts';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import { createFileJournalStore } from '../../../../src/adapters/node/journal/file-journal-store.ts';
import { baseTextsFolder } from '../../../../src/adapters/node/journal/known-journals.ts';
import { createPackTextStore } from '../../../../src/adapters/node/pack-text-store.ts';
import type { JournalStore } from '../../../../src/ports/journal-store.ts';
import type { TextStore } from '../../../../src/ports/text-store.ts';
import { BaseTexts } from '../../../../src/sync/base/base-texts.ts';
import { FakeGit } from '../../../harness/fake-git.ts';
import { defaultSettings } from '../../../harness/default-settings.ts';
import { memoryLog } from '../../../harness/memory-log.ts';
import { type TempFolder, tempFolder } from '../../../harness/temp-folder.ts';

const never = new AbortController().signal;
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const hashOf = (text: string): string => nodeHasher.gitBlob(bytesOf(text));
const toStore = (text: string) => ({ hash: hashOf(text), text: () => text });
const limits = { maxBytes: 1, maxDays: 30 };

/** Where a kill stops the pruning of one segment. */
type Kill = 'before the texts are stored' | 'after the texts are stored' | 'before the segment is removed';

/** The journal and the base texts of one project; every access is a new process. */
class Records {
  readonly #folder: TempFolder;
  #runs = 0;

  constructor(folder: TempFolder) {
    this.#folder = folder;
  }

  get journalFolder(): string {
    return join(this.#folder.path, 'journal');
  }

  get packs(): TextStore {
    return createPackTextStore(baseTextsFolder(this.journalFolder));
  }

  journal(texts?: Pick<TextStore, 'put'>): JournalStore {
    return createFileJournalStore(this.journalFolder, { segmentBytes: 1, ...(texts && { texts }) });
  }

  texts(): BaseTexts {
    return new BaseTexts({
      texts: this.packs,
      git: new FakeGit(),
      journal: this.journal(),
      hasher: nodeHasher,
      settings: defaultSettings(),
      clock: nodeClock,
      log: memoryLog(),
    });
  }

  async record(texts: readonly string[]): Promise<void> {
    const blobs = new Map(texts.map(text => [hashOf(text), bytesOf(text)]));
    await this.journal().append(`run-${(this.#runs += 1)}`, {}, blobs, { status: 'success' });
  }

  async store(text: string): Promise<void> {
    const texts = this.texts();
    texts.store([toStore(text)], () => new Set());
    // Reading waits for the texts that are being stored.
    await texts.read(hashOf(text), never);
  }

  async pruneKilled(kill: Kill): Promise<void> {
    const { packs } = this;
    const put: TextStore['put'] = async texts => {
      if (kill === 'after the texts are stored') await packs.put(texts);
      if (kill !== 'before the segment is removed') throw new Error('killed');
      await packs.put(texts);
    };
    const backup = join(this.#folder.path, 'backup');
    await rm(backup, { recursive: true, force: true });
    await mkdir(backup);
    const segments = (await readdir(this.journalFolder)).filter(name => name.endsWith('.journal'));
    for (const name of segments) await copyFile(join(this.journalFolder, name), join(backup, name));
    await this.journal({ put })
      .prune(limits)
      .catch(() => undefined);
    const [oldest] = segments.toSorted();
    if (kill === 'before the segment is removed' && oldest !== undefined)
      await copyFile(join(backup, oldest), join(this.journalFolder, oldest));
  }
}

const kills: readonly Kill[] = [
  'before the texts are stored',
  'after the texts are stored',
  'before the segment is removed',
];
const text = fc.integer({ min: 0, max: 7 }).map(at => `return ${at}\n`);
const step = fc.oneof(
  fc.record({ kind: fc.constant('record' as const), texts: fc.array(text, { maxLength: 3 }) }),
  fc.record({ kind: fc.constant('store' as const), text }),
  fc.record({ kind: fc.constant('prune' as const) }),
  fc.record({ kind: fc.constant('join' as const) }),
  fc.record({ kind: fc.constant('kill' as const), at: fc.constantFrom(...kills) }),
);

test('keeps every base text in any order of runs, pruning and kills', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async steps => {
      await using folder = await tempFolder();
      const records = new Records(folder);
      await records.record([]);
      const needed = new Set<string>();
      for (const one of steps) {
        if (one.kind === 'record') await records.record(one.texts);
        else if (one.kind === 'store') {
          await records.store(one.text);
          needed.add(one.text);
        } else if (one.kind === 'prune') await records.journal().prune(limits);
        else if (one.kind === 'join') await records.packs.prune(1e9, () => new Set());
        else await records.pruneKilled(one.at);
        const texts = records.texts();
        for (const base of needed) assert.equal(await texts.read(hashOf(base), never), base);
      }
    }),
    { numRuns: 60 },
  );
});

test('keeps a base text when two processes store and prune at once', async () => {
  await using folder = await tempFolder();
  const records = new Records(folder);
  for (let round = 0; round < 10; round += 1) {
    const base = `return ${round}\n`;
    await records.record([base]);
    await records.record([]);
    const prune = async (): Promise<void> => {
      // Each round prunes at another moment of the other process.
      for (let turn = 0; turn < round * 200; turn += 1) await setImmediate();
      await records.journal().prune(limits);
    };
    await Promise.all([records.store(base), prune()]);
    assert.equal(await records.texts().read(hashOf(base), never), base);
  }
});

test('stores no text that the journal has until pruning removes it there', async () => {
  await using folder = await tempFolder();
  const records = new Records(folder);
  await records.record(['old base\n', 'other text\n']);
  await records.record([]);
  await records.store('old base\n');
  const all = ['old base\n', 'other text\n'].map(hashOf);
  assert.deepEqual(await records.packs.missing(all), all);
  await records.journal().prune(limits);
  assert.deepEqual(await records.packs.missing(all), [hashOf('other text\n')]);
  assert.equal(await records.journal().findBlob(hashOf('old base\n')), undefined);
});

test('keeps the segment when its base texts cannot be stored', async () => {
  await using folder = await tempFolder();
  const records = new Records(folder);
  await records.record(['base\n']);
  await records.record([]);
  await records.store('base\n');
  const full = { put: () => Promise.reject(Object.assign(new Error('no space left'), { code: 'ENOSPC' })) };
  await assert.rejects(records.journal(full).prune(limits));
  assert.equal(await records.texts().read(hashOf('base\n'), never), 'base\n');
});
