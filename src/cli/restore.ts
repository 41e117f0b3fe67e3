import { resolve } from 'node:path';
import { createNodeFileSystem } from '../adapters/fs/node-file-system.ts';
import { createFileJournalStore } from '../adapters/node/journal/file-journal-store.ts';
import { commandJournal, editorJournals } from '../adapters/node/journal/known-journals.ts';
import { nodeHasher } from '../adapters/node/hasher.ts';
import { stateFolder } from '../adapters/node/state-folder.ts';
import { nodeClock } from '../adapters/node/clock.ts';
import { runInSlices, TimeSlice } from '../base/time-slice.ts';
import { compareByteOrder } from '../base/byte-order.ts';
import { AppError } from '../base/errors.ts';
import { ok } from '../base/result.ts';
import type { JournalStore } from '../ports/journal-store.ts';
import type { FileEdit } from '../ports/file-system.ts';
import type { RecordedResult } from '../protocol/run-result.ts';
import { countFiles } from '../project/writeback/moved-files.ts';
import { recordedRuns } from '../sync/history/recorded-runs.ts';
import { restoreFiles } from '../sync/restore/restore-files.ts';
import { recordedSide } from '../sync/restore/restore-plan.ts';
import { answerDone, answerFailed, type CommandOutput } from './command-answer.ts';
import { counted } from '../base/plural.ts';
import type { CliIo } from './io.ts';
import { openCommandJournal } from './open-journal.ts';
import { findProject } from '../app/find-project.ts';
import { type ProjectArgs, readProjectArgs } from './project-args.ts';
import { type Command, runCommand } from './run-command.ts';
import { restoreSpec } from './table/bridge-specs.ts';
import { writeTransaction } from './write-transaction.ts';

interface RestoreArgs extends ProjectArgs {
  /** `undefined`: list the runs. */
  readonly run: string | undefined;
  readonly dryRun: boolean;
}

/** Maximum number of runs in a list. */
const MAX_LISTED = 20;

const restoreCommand: Command<RestoreArgs> = {
  spec: restoreSpec,
  read: args => readProjectArgs(args, restoreSpec, ({ run, 'dry-run': dryRun = false }) => ok({ run, dryRun })),
};

/** `atlas-bridge restore`. Resolves with the exit code. */
export function runRestore(args: readonly string[], io: CliIo): Promise<number> {
  return runCommand(restoreCommand, args, io, async command => {
    const answer: CommandOutput = { json: command.json, io };
    try {
      const { folder } = await findProject(resolve(io.cwd, command.project), command.dialect);
      return await restore(command, folder, answer);
    } catch (error) {
      return answerFailed(error, [], answer);
    }
  });
}

async function restore({ run, dryRun }: RestoreArgs, folder: string, answer: CommandOutput): Promise<number> {
  const { io } = answer;
  const { transactions } = await openCommandJournal(folder, io);
  const state = stateFolder(folder, io.env);
  const journals = [commandJournal(state), ...(await editorJournals(state))].map(path => createFileJournalStore(path));
  if (run === undefined) {
    const slice = new TimeSlice(nodeClock);
    const lists = await Promise.all(journals.map(journal => recordedRuns(journal, MAX_LISTED, slice)));
    const runs = lists
      .flat()
      .toSorted((a, b) => compareByteOrder(b.at, a.at))
      .slice(0, MAX_LISTED);
    return answerDone(
      { runs: runs.map(run => ({ ...run, changes: undefined })) },
      runs.length === 0 ? 'No syncs are recorded.' : runs.map(lineOf),
      answer,
    );
  }
  const edits = await plan(run, await journalOf(run, journals), folder, io);
  const paths = edits.map(({ path }) => path);
  if (!answer.json)
    for (const { kind, path } of edits) io.out(`${kind === 'write' ? 'Restoring' : 'Removing'} ${path}`);
  const count = await runInSlices(countFiles(edits, nodeHasher), new TimeSlice(nodeClock));
  const title = `Restore of ${counted(count, 'file')} from ${run}`;
  if (!dryRun) await writeTransaction({ requestedBy: 'restore', title, edits }, folder, transactions, io);
  const words =
    edits.length === 0 ? 'The files are as they were before that sync.' : `${dryRun ? 'Dry run: ' : ''}${title}`;
  return answerDone({ dryRun, restored: paths }, words, answer);
}

async function journalOf(runId: string, journals: readonly JournalStore[]): Promise<JournalStore> {
  for (const journal of journals) if ((await journal.find(runId)) !== undefined) return journal;
  throw new AppError('UNKNOWN_OPERATION', { operationId: runId });
}

/** The edits that restore the files. Writes come before removals, as in a sync. */
async function plan(runId: string, journal: JournalStore, folder: string, io: CliIo): Promise<readonly FileEdit[]> {
  const side = await recordedSide({ runId, side: 'disk' }, journal, new TimeSlice(nodeClock));
  const files = createNodeFileSystem(folder, nodeHasher);
  const restored = restoreFiles(side, { files, journal, hasher: nodeHasher, clock: nodeClock, revision: () => 0 });
  const { writes = [] } = await restored.compare(io.stop, () => undefined);
  const edits = writes.map(({ edit }) => edit);
  return [...edits.filter(({ kind }) => kind === 'write'), ...edits.filter(({ kind }) => kind === 'remove')];
}

const lineOf = ({ runId, at, status, requestedBy, summary }: RecordedResult): string =>
  `${runId}  ${at}  ${status}  ${requestedBy}: ${summary}`;
