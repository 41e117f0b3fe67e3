import { startWorkerRpcClient } from '../../vscode/worker-rpc-client.ts';
import type { OpenPlutoToolset } from '../tools/pluto-toolset.ts';
import type { ModulesRpc, Notice } from '../tools/worker/messages.ts';
import { openWorkerToolset } from '../tools/worker/open-worker-toolset.ts';

/** Opens the toolset over a worker thread, so that large projects never block the extension host. @param worker the thread's program */
export const openToolsetInWorker =
  (worker: URL): OpenPlutoToolset =>
  (host, { version }) =>
    openWorkerToolset(host, (onNotice, onFailure) =>
      startWorkerRpcClient<ModulesRpc>(
        worker,
        {
          name: 'Pluto modules',
          workerData: { folder: host.files.root, version, hasTransactions: host.transactions !== undefined },
          // Messages that are not answers are notices.
          onNotice: notice => onNotice(notice as Notice),
        },
        onFailure,
      ),
    );
