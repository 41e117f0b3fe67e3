import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFileJournalStore } from '../../src/adapters/node/journal/file-journal-store.ts';
import { MemoryJournalStore } from '../harness/memory-journal-store.ts';
import { MemoryTextStore } from '../harness/memory-text-store.ts';
import { journalStoreContract } from './journal-store.contract.ts';

journalStoreContract('memory', async () => {
  const texts = new MemoryTextStore();
  return { journal: new MemoryJournalStore(texts), texts, async [Symbol.asyncDispose]() {} };
});
journalStoreContract('folder', async () => {
  const root = await mkdtemp(join(tmpdir(), 'atlas-journal-'));
  const texts = new MemoryTextStore();
  return {
    journal: createFileJournalStore(join(root, 'journal'), { segmentBytes: 1, texts }),
    texts,
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
});
