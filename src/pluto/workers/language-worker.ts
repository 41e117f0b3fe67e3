/** The thread in which the Pluto language of one folder lives: a check of a large project must not hold up the extension host. */
import { parentPort, workerData } from 'node:worker_threads';
import { createNodeFileSystem } from '../../adapters/fs/node-file-system.ts';
import { readOpenAtOnce } from '../../adapters/fs/read-open.ts';
import { nodeHasher } from '../../adapters/node/hasher.ts';
import { nodeRandom } from '../../adapters/node/random.ts';
import { type Question, replyTo } from '../../base/worker-rpc.ts';
import type { LanguageThreadOptions } from '../editor/language-messages.ts';
import { createPlutoLanguage } from '../editor/pluto-language.ts';

// Whoever starts the thread gives it these.
const { folder } = workerData as LanguageThreadOptions;
const files = folder === undefined ? undefined : createNodeFileSystem(folder, nodeHasher, readOpenAtOnce);
const language = createPlutoLanguage(
  { files, hasher: nodeHasher, random: nodeRandom },
  // The thread is ended as a whole.
  new AbortController().signal,
);

parentPort?.on('message', (question: Question) => {
  void replyTo(question, language).then(reply => parentPort?.postMessage(reply));
});
