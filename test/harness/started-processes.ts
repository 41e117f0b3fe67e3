import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/** Counts the processes that this thread starts until it is disposed of. */
export function countStartedProcesses(): Disposable & { readonly count: number } {
  let count = 0;
  const add = (): void => void (count += 1);
  subscribe('child_process', add);
  return {
    get count() {
      return count;
    },
    [Symbol.dispose]: () => void unsubscribe('child_process', add),
  };
}
