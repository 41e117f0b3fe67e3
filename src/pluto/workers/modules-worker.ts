/** The worker that holds the Pluto modules of a bridge: the trees of a large project would block the extension host. */
import { parentPort, workerData } from 'node:worker_threads';
import { createNodeFileSystem } from '../../adapters/fs/node-file-system.ts';
import { readOpenSync } from '../../adapters/fs/read-open.ts';
import { nodeClock } from '../../adapters/node/clock.ts';
import { nodeHasher } from '../../adapters/node/hasher.ts';
import { nodeRandom } from '../../adapters/node/random.ts';
import { createProgramRunner } from '../program/host/program-runner.ts';
import { type RpcRequest, handleRpcRequest } from '../../base/worker-rpc.ts';
import { TimeSlice } from '../../base/time-slice.ts';
import { createModulesRpc } from '../tools/worker/modules-rpc.ts';
import type { ModulesWorkerData } from '../tools/worker/messages.ts';

// Set by `openToolsetInWorker`.
const { folder, version, hasTransactions } = workerData as ModulesWorkerData;
const modules = createModulesRpc(
  {
    files: createNodeFileSystem(folder, nodeHasher, readOpenSync),
    hasher: nodeHasher,
    hasTransactions,
    random: nodeRandom,
    clock: nodeClock,
    programs: createProgramRunner({ folder, environment: process.env, startedBy: 'agent' }),
    notify: notice => parentPort?.postMessage(notice),
  },
  // Yields, so that other calls and cancellations get their turn.
  { tool: { name: 'atlas-bridge', version }, slice: new TimeSlice(nodeClock) },
);

parentPort?.on('message', (question: RpcRequest) => {
  void handleRpcRequest(question, modules).then(reply => parentPort?.postMessage(reply));
});
