import { startAskedThread } from '../vscode/worker-rpc-client.ts';
import type { StartModules } from '../pluto/tools/worker/asked-modules.ts';
import type { ModulesThread, ModulesThreadData, Notice } from '../pluto/tools/worker/messages.ts';

/** The thread that keeps the Pluto modules of a bridge. @param worker its program */
export const startPlutoModules =
  (worker: URL, workerData: ModulesThreadData): StartModules =>
  (onNotice, onFailure) =>
    startAskedThread<ModulesThread>(
      worker,
      // Nothing but notices comes from that program unasked.
      { name: 'Pluto modules', workerData, onNotice: notice => onNotice(notice as Notice) },
      onFailure,
    );
