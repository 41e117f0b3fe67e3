import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createNodeWatcher } from '../../src/adapters/fs/node-watcher.ts';
import { strictLog } from '../harness/project-world.ts';
import { fileWatcherContract } from './file-watcher.contract.ts';

fileWatcherContract('node', async () => {
  const root = await mkdtemp(join(tmpdir(), 'atlas-watch-'));
  return {
    watcher: createNodeWatcher(root, strictLog),
    write: async (path, text) => {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text);
    },
    delete: path => rm(join(root, path), { recursive: true }),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
});
