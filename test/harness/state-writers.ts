import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { announceBridge } from '../../src/adapters/node/announced-bridges.ts';
import { createFileRunLock } from '../../src/adapters/node/file-run-lock.ts';
import { createFileJournalStore } from '../../src/adapters/node/journal/file-journal-store.ts';
import { rememberJournal } from '../../src/adapters/node/journal/known-journals.ts';
import { createJsonBaseStore } from '../../src/adapters/node/json-base-store.ts';
import { createJsonReviewDrafts } from '../../src/adapters/node/json-review-drafts.ts';
import { createJsonStudioKeys } from '../../src/adapters/node/json-studio-keys.ts';
import { writeLauncher } from '../../src/adapters/node/launcher.ts';
import { createNodePluginFiles } from '../../src/adapters/node/node-plugin-files.ts';
import { createPackTextStore } from '../../src/adapters/node/pack-text-store.ts';
import { loadOrCreateToken } from '../../src/adapters/node/token-store.ts';
import { createWrittenOutputs } from '../../src/adapters/node/written-outputs.ts';
import type { ProjectPath } from '../../src/base/brand.ts';
import { memoryLog } from './memory-log.ts';

const text = 'return 1\n';
const hash = createHash('sha1').update(text).digest('hex');
const announced = {
  program: 'serve',
  mcpUrl: 'http://127.0.0.1:1/mcp',
  token: 'token',
  folder: '/',
  startedAt: '2026-01-01T00:00:00Z',
} as const;

/** The writers of state, each as the first program that needs the folder. */
export const stateWriters: Readonly<Record<string, (state: string) => Promise<unknown>>> = {
  journal: state => createFileJournalStore(state).append('one', {}, new Map()),
  'known journals': state => rememberJournal(state, join(state, 'journal')),
  'common versions': state => createJsonBaseStore(state).update('place', new Map([['A', { properties: {} }]])),
  'base texts': state => createPackTextStore(state).put([{ hash, text: () => text }]),
  'review drafts': state => createJsonReviewDrafts(state).save('place', new Map([['A', { choice: 'push' }]])),
  'run lock': state => createFileRunLock(join(state, 'run.lock')).take('one'),
  token: state => loadOrCreateToken(join(state, 'token'), memoryLog()),
  keys: state => createJsonStudioKeys(join(state, 'keys.json')).read(),
  announcement: state => announceBridge(state, announced),
  outputs: state => createWrittenOutputs(state).remember('a.rbxl' as ProjectPath, { size: 1, ctimeMs: 1 }),
  receipt: state =>
    createNodePluginFiles(join(state, 'receipt.json'), {
      replace: async () => true,
      remove: async () => true,
    }).saveReceipt({}),
  launcher: state => writeLauncher(join(state, 'atlas-bridge'), '#!/bin/sh\n'),
};
