/** The thread in which a bridge keeps the Pluto modules of its folder: trees of a large project must not hold up the extension host. */
import { parentPort, workerData } from 'node:worker_threads';
import { createNodeFileSystem } from '../../adapters/fs/node-file-system.ts';
import { readOpenAtOnce } from '../../adapters/fs/read-open.ts';
import { nodeClock } from '../../adapters/node/clock.ts';
import { nodeHasher } from '../../adapters/node/hasher.ts';
import { nodeRandom } from '../../adapters/node/random.ts';
import { createProgramRunner } from '../program/host/program-runner.ts';
import { type Question, replyTo } from '../../base/worker-rpc.ts';
import { TimeSlice } from '../../base/time-slice.ts';
import { createModulesRpc } from '../tools/worker/modules-rpc.ts';
import type { ModulesWorkerData } from '../tools/worker/messages.ts';

// Whoever starts the thread gives it these.
const { folder, version } = workerData as ModulesWorkerData;
const modules = createModulesRpc(
  {
    files: createNodeFileSystem(folder, nodeHasher, readOpenAtOnce),
    hasher: nodeHasher,
    random: nodeRandom,
    clock: nodeClock,
    programs: createProgramRunner({ folder, environment: process.env, startedBy: 'agent' }),
    tell: notice => parentPort?.postMessage(notice),
  },
  // Other questions have their turns too, and what cancels one.
  { tool: { name: 'atlas-bridge', version }, slice: new TimeSlice(nodeClock) },
);

parentPort?.on('message', (question: Question) => {
  void replyTo(question, modules).then(reply => parentPort?.postMessage(reply));
});
