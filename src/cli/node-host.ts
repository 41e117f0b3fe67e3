import { join } from 'node:path';
import { createNodeFileSystem } from '../adapters/fs/node-file-system.ts';
import { createNodeWatcher } from '../adapters/fs/node-watcher.ts';
import { createGitClient } from '../adapters/git/git-client.ts';
import { createThreadGit } from '../adapters/git/thread-git.ts';
import { readCardFile } from '../adapters/node/card-file.ts';
import { nodeClock } from '../adapters/node/clock.ts';
import { nodeHasher } from '../adapters/node/hasher.ts';
import { nodeInflate } from '../adapters/node/inflate.ts';
import { createFileRunLock } from '../adapters/node/file-run-lock.ts';
import { createJsonBaseStore } from '../adapters/node/json-base-store.ts';
import { createJsonStudioKeys, replacedKeys, studioKeysFile } from '../adapters/node/json-studio-keys.ts';
import { createFileJournalStore } from '../adapters/node/journal/file-journal-store.ts';
import { baseFolder, baseTextsFolder, commandJournal } from '../adapters/node/journal/known-journals.ts';
import { createPackTextStore } from '../adapters/node/pack-text-store.ts';
import { nodePairingCrypto } from '../adapters/node/pairing-crypto.ts';
import { nodeRandom } from '../adapters/node/random.ts';
import { readReflectionFile } from '../adapters/node/reflection-file.ts';
import { runLockFile, userStateFolder } from '../adapters/node/state-folder.ts';
import { createThreadConverter, dataWorker } from '../adapters/node/thread-converter.ts';
import { createThreadMerger, mergeWorker } from '../adapters/node/thread-merger.ts';
import type { HostPorts } from '../app/app.ts';
import { createLive } from '../app/live.ts';
import { createReflection } from '../roblox/instances/reflection.ts';
import type { Logger } from '../ports/logger.ts';
import type { AllSettings } from '../ports/settings.ts';
import { createEnvironmentRootHost } from '../docs/adapters/node/environment-root-host.ts';

/**
 * Creates the ports of a bridge without VS Code. They include no review surface.
 *
 * @param folder absolute folder of the project
 * @param state  folder for the journal, and for the cache of git roots unless a variable names another one
 */
export async function nodeHost(
  folder: string,
  state: string,
  settings: AllSettings,
  log: Logger,
  env: Readonly<Record<string, string | undefined>>,
): Promise<HostPorts> {
  return {
    files: createNodeFileSystem(folder, nodeHasher),
    watcher: createNodeWatcher(folder, log.child('watcher')),
    // A process with 250 MB or more stops for 5 to 19 ms when it starts another one, and here it answers Studio and agents meanwhile.
    git: createGitClient(folder, log.child('git'), createThreadGit()),
    clock: nodeClock,
    random: nodeRandom,
    hasher: nodeHasher,
    inflate: nodeInflate,
    converter: createThreadConverter({ worker: dataWorker() }),
    card: readCardFile,
    journal: createFileJournalStore(commandJournal(state)),
    bases: createJsonBaseStore(baseFolder(state)),
    texts: createPackTextStore(baseTextsFolder(commandJournal(state))),
    merger: createThreadMerger({ worker: mergeWorker() }),
    runLock: createFileRunLock(runLockFile(folder, env), log),
    settings,
    studioKeys: createJsonStudioKeys(studioKeysFile(userStateFolder(env)), damaged =>
      log.warn(replacedKeys, { damaged }),
    ),
    pairingCrypto: nodePairingCrypto,
    loadLive: async () => createLive,
    log,
    reflection: createReflection(await readReflectionFile()),
    roots: await createEnvironmentRootHost(env, [folder], join(state, 'roots'), settings),
  };
}
