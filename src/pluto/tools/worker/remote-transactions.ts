import { AppError } from '../../../base/errors.ts';
import type { FileTransactions } from '../../../ports/file-transactions.ts';
import { type ModulesRpc, type Notice, valueOf } from './messages.ts';

/** Transactions of the worker, which the starting thread records, because it has the journal. */
export interface RemoteTransactions extends FileTransactions {
  begun(answer: Parameters<ModulesRpc['begun']>[0]): void;
}

export function createRemoteTransactions(notify: (notice: Notice) => void): RemoteTransactions {
  const beginning = new Map<number, PromiseWithResolvers<string>>();
  let last = 0;
  return {
    async begin(request) {
      const transaction = (last += 1);
      const begun = Promise.withResolvers<string>();
      beginning.set(transaction, begun);
      notify({ kind: 'begin', transaction, request });
      const runId = await begun.promise;
      return { runId, finish: async failed => notify({ kind: 'finish', transaction, failed }) };
    },
    begun({ transaction, outcome }) {
      const begun = beginning.get(transaction);
      beginning.delete(transaction);
      try {
        begun?.resolve(valueOf(outcome).runId);
      } catch (error) {
        begun?.reject(AppError.from(error));
      }
    },
  };
}
