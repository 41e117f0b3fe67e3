import { join } from 'node:path';
import { stdin, stdout } from 'node:process';
import { createNodeFileSystem } from '../../adapters/fs/node-file-system.ts';
import { createNodeWatcher } from '../../adapters/fs/node-watcher.ts';
import { nodeClock } from '../../adapters/node/clock.ts';
import { nodeHasher } from '../../adapters/node/hasher.ts';
import { createFileJournalStore } from '../../adapters/node/journal/file-journal-store.ts';
import { nodeRandom } from '../../adapters/node/random.ts';
import { stateFolder } from '../../adapters/node/state-folder.ts';
import { createToolRegistry } from '../../mcp/registry.ts';
import type { LoadPlutoToolset } from '../tools/pluto-toolset.ts';
import { serveStdio } from '../../transport/mcp/serve-stdio.ts';
import { readCommandSettings } from '../../cli/command-settings.ts';
import type { SettingValues } from '../../cli/setting-args.ts';
import { findFolder } from '../../cli/find-folder.ts';
import { type CliIo, exitCodes } from '../../cli/io.ts';
import { commandLog } from '../../cli/log-level.ts';
import { openCommandJournal } from '../../cli/open-journal.ts';

/**
 * `atlas-bridge mcp --stdio --toolset pluto`: serves the Pluto tools of one folder to one client, without a bridge. The standard output
 * carries only the protocol.
 */
export async function runPlutoServer(
  args: { readonly project: string; readonly isReadOnly: boolean; readonly settings: SettingValues },
  io: CliIo,
  loadPluto: LoadPlutoToolset,
): Promise<number> {
  const folder = await findFolder(io.cwd, args.project);
  if (folder === undefined) {
    io.err(`error: the folder ${args.project} does not exist`);
    return exitCodes.failed;
  }
  const log = commandLog(io, 'warn');
  const openPluto = await loadPluto();
  using toolset = await openPluto(
    {
      files: createNodeFileSystem(folder, nodeHasher),
      watcher: createNodeWatcher(folder, log.child('watcher')),
      hasher: nodeHasher,
      random: nodeRandom,
      clock: nodeClock,
      log,
      settings: await readCommandSettings(folder, args.settings, log),
      transactions: (await openCommandJournal(folder, io)).transactions,
      journal: createFileJournalStore(join(stateFolder(folder, io.env), 'journal')),
    },
    { version: io.version, isReadOnly: args.isReadOnly },
    io.stop,
  );
  const view = createToolRegistry(toolset.tools, undefined, [toolset.extras]).all;
  const server = { clock: nodeClock, log, version: io.version };
  await serveStdio(server, view, { input: stdin, output: stdout }, false, io.stop);
  return exitCodes.done;
}
