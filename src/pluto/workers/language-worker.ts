/** The worker that runs the Pluto language of one folder: a check of a large project would block the extension host. */
import { parentPort, workerData } from 'node:worker_threads';
import { createNodeFileSystem } from '../../adapters/fs/node-file-system.ts';
import { readOpenSync } from '../../adapters/fs/read-open.ts';
import { nodeHasher } from '../../adapters/node/hasher.ts';
import { nodeRandom } from '../../adapters/node/random.ts';
import { type RpcRequest, handleRpcRequest } from '../../base/worker-rpc.ts';
import type { LanguageThreadOptions } from '../editor/language-messages.ts';
import { createPlutoLanguage } from '../editor/pluto-language.ts';

// Set by `startLanguageThread`.
const { folder } = workerData as LanguageThreadOptions;
const files = folder === undefined ? undefined : createNodeFileSystem(folder, nodeHasher, readOpenSync);
const language = createPlutoLanguage(
  { files, hasher: nodeHasher, random: nodeRandom },
  // The thread ends as a whole.
  new AbortController().signal,
);

parentPort?.on('message', (question: RpcRequest) => {
  void handleRpcRequest(question, language).then(reply => parentPort?.postMessage(reply));
});
