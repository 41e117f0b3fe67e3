import { createProgramRunner } from '../../src/pluto/program/host/program-runner.ts';
import { workerFile } from '../../src/pluto/program/host/worker-file.ts';
import type { ProgramRunner } from '../../src/pluto/ports/program-runner.ts';
import { tempFolder, type TempFolder } from './temp-folder.ts';

/**
 * The main program of a process for an agent's program: of the release build after `npm test` made one, which starts with a third of the CPU
 * time, otherwise of the source.
 */
export const programWorker =
  process.env['ATLAS_DIST'] === 'ready' ? new URL('../../dist/pluto-program-worker.js', import.meta.url) : workerFile();

/** A runner of an agent's programs in a new folder. */
export async function runnerIn(
  options: {
    readonly environment?: Readonly<Record<string, string>>;
    readonly megabytes?: number;
  } = {},
): Promise<{ readonly runner: ProgramRunner; readonly folder: TempFolder }> {
  const folder = await tempFolder();
  const { environment = {} } = options;
  return {
    runner: createProgramRunner({
      ...options,
      folder: folder.path,
      environment,
      startedBy: 'agent',
      worker: programWorker,
    }),
    folder,
  };
}
