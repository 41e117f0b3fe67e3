import { MemoryFileSystem } from '../harness/memory-file-system.ts';
import { fileWatcherContract } from './file-watcher.contract.ts';

fileWatcherContract('MemoryFileSystem', async () => {
  const files = new MemoryFileSystem();
  return {
    watcher: files,
    write: async (path, text) => files.set(path, text),
    delete: async path => files.delete(path),
    [Symbol.asyncDispose]: async () => undefined,
  };
});
