import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { join, relative, resolve, sep } from 'node:path';
import { isInside } from '../adapters/fs/contained-path.ts';
import { linkTargetOf } from '../adapters/fs/real-path.ts';
import { createCopy } from '../adapters/fs/write-whole-file.ts';
import { nodeClock } from '../adapters/node/clock.ts';
import { nodeHasher } from '../adapters/node/hasher.ts';
import { nodeInflate } from '../adapters/node/inflate.ts';
import type { ProjectPath } from '../base/brand.ts';
import { describeCause } from '../base/describe-cause.ts';
import { AppError } from '../base/errors.ts';
import { mapConcurrent } from '../base/map-concurrent.ts';
import { err, ok } from '../base/result.ts';
import { unknownColumnWarnings } from '../roblox/instances/model.ts';
import {
  isPlaceFormat,
  type ModelFormat,
  modelFormatOf,
  readModelInSlices,
} from '../roblox/formats/model/model-file.ts';
import { runInSlices, TimeSlice } from '../base/time-slice.ts';
import { countFiles } from '../project/writeback/moved-files.ts';
import type { SyncbackPlan } from '../project/writeback/syncback/plan-syncback.ts';
import { openCommandJournal } from './open-journal.ts';
import { writeTransaction } from './write-transaction.ts';
import { counted } from '../base/plural.ts';
import { answerFailed, type CommandOutput } from './command-answer.ts';
import { type CliIo, exitCodes } from './io.ts';
import type { CommandProject } from './open-project.ts';
import { type ProjectArgs, readProjectArgs } from './project-args.ts';
import { reportWrongUsage } from './report-failure.ts';
import { type ProjectCommand, runProjectCommand } from './run-project-command.ts';
import { MAX_LISTED_FILES } from '../protocol/syncback-answer.ts';
import { syncbackSpec } from './table/project-specs.ts';
import { planSessionSyncback } from '../project/session/plan-session-syncback.ts';

interface SyncbackArgs extends ProjectArgs {
  readonly input: string;
  readonly format: ModelFormat;
  readonly list: boolean;
  readonly dryRun: boolean;
  readonly confirm: boolean;
  readonly preview: string | undefined;
}

const syncbackCommand: ProjectCommand<SyncbackArgs> = {
  spec: syncbackSpec,
  phase: 'planning',
  createsPaths: true,
  read: args =>
    readProjectArgs(
      args,
      syncbackSpec,
      ({
        input,
        list = false,
        'dry-run': dryRun = false,
        confirm = false,
        preview,
        'non-interactive': isSilent = false,
      }) => {
        if (confirm && isSilent) return err('--confirm and --non-interactive exclude each other');
        if (input === undefined) return err('syncback requires --input <file>');
        const format = modelFormatOf(input);
        if (format === undefined) return err(`invalid input file '${input}' (.rbxl, .rbxlx, .rbxm or .rbxmx)`);
        return ok({ input, format, list, dryRun, confirm, preview });
      },
    ),
};

/** `atlas-bridge syncback`. Resolves with the exit code. */
export function runSyncback(
  args: readonly string[],
  io: CliIo,
  input: NodeJS.ReadableStream = process.stdin,
): Promise<number> {
  return runProjectCommand(syncbackCommand, args, io, (project, command, answer) =>
    syncback(project, command, answer, input),
  );
}

async function syncback(
  project: CommandProject,
  command: SyncbackArgs,
  answer: CommandOutput,
  input: NodeJS.ReadableStream,
): Promise<number> {
  const { io } = answer;
  const preview = command.preview === undefined ? undefined : resolve(io.cwd, command.preview);
  if (preview !== undefined && (await isInContent(project, preview)))
    return reportWrongUsage('--preview requires a folder that is not part of the project', syncbackSpec.name, io);
  const { transactions, hasRecovered } = await openCommandJournal(project.folder, io);
  if (hasRecovered) await project.session.refresh(io.stop);
  const plan = await planFrom(project, command, io);
  const isWhole = plan.refused.length === 0;
  if (!command.json) reportNotes(plan, io);
  if (command.list && !command.json) for (const line of listOf(plan)) io.out(line);
  const counts = countsOf(plan);
  const report = { ...counts, refused: plan.refused, notes: plan.notes };
  if (preview !== undefined) await writePreview(plan, preview, io.stop);
  const asks = command.confirm && !command.dryRun;
  if (asks) {
    const { written: writing, removed: removing } = numbersOf(counts);
    if (command.json)
      for (const part of partsOf({ ...report, ...firstFiles(counts) })) io.out(JSON.stringify(part), 'data');
    const question = command.json
      ? JSON.stringify({ event: 'asking', writing, removing })
      : `${summaryOf(counts)}. Type yes to continue.`;
    if (!(await isConfirmed(question, input, io))) return answerFailed(cancelled(), [], answer);
  }
  if (!command.dryRun) {
    io.stop.throwIfAborted();
    const count = await runInSlices(countFiles(plan.edits, nodeHasher), new TimeSlice(nodeClock));
    const title = `Syncback of ${counted(count, 'file')}`;
    const request = { requestedBy: 'syncback', title, edits: plan.edits };
    await writeTransaction(request, project.folder, transactions, io);
  }
  const words = `${command.dryRun ? 'Dry run: ' : ''}${summaryOf(counts)}`;
  if (!command.json) io.err(words);
  else if (asks) io.out(JSON.stringify({ ok: isWhole, ...numbersOf(counts) }), 'data');
  else io.out(JSON.stringify({ ok: isWhole, dryRun: command.dryRun, ...report }), 'data');
  return isWhole ? exitCodes.done : exitCodes.failed;
}

/** Whether files that are written into a folder become part of the project: it is the folder of the project or below one that the tree contains. */
async function isInContent({ session, folder }: CommandProject, preview: string): Promise<boolean> {
  const real = await linkTargetOf(preview);
  if (real === folder) return true;
  if (!isInside(real, folder)) return false;
  const names = relative(folder, real).split(sep);
  return ['', ...names].some(
    (_, count) => session.idsAtPath(names.slice(0, count).join('/') as ProjectPath).length > 0,
  );
}

/** How many files of a preview are written at a time. */
const PREVIEW_CONCURRENCY = 16;

/** Writes the planned content into another folder, for a review. @throws AppError FS_WRITE_FAILED, also if a file has other content */
async function writePreview({ edits }: SyncbackPlan, folder: string, stop: AbortSignal): Promise<void> {
  await mapConcurrent(edits, PREVIEW_CONCURRENCY, async edit => {
    if (edit.kind !== 'write') return;
    stop.throwIfAborted();
    const file = join(folder, edit.path);
    if (!(await createCopy(file, edit.bytes)))
      throw new AppError('FS_WRITE_FAILED', { file, reason: 'it exists and has other content', isOccupied: true });
  });
}

/** Lists no more files than a diff shows, because the reader would keep them until the answer. */
function firstFiles({ writing, removing }: Counts): Counts {
  const removed = removing.slice(0, MAX_LISTED_FILES);
  return { writing: writing.slice(0, MAX_LISTED_FILES - removed.length), removing: removed };
}

/** Items per line of JSON, so that the reader never parses a large line at once. */
const PART_SIZE = 200;

function* partsOf(report: Counts & Pick<SyncbackPlan, 'refused' | 'notes'>): Generator<object> {
  for (const name of ['writing', 'removing', 'refused', 'notes'] as const)
    for (let at = 0; at < report[name].length; at += PART_SIZE)
      yield { event: 'part', [name]: report[name].slice(at, at + PART_SIZE) };
}

const cancelled = (): AppError => new AppError('CANCELLED', { phase: 'waiting for confirmation; nothing was written' });

/** @throws AppError MODEL_UNREADABLE, PROJECT_INVALID */
async function planFrom(project: CommandProject, command: SyncbackArgs, io: CliIo): Promise<SyncbackPlan> {
  const file = resolve(io.cwd, command.input);
  const bytes = await readFile(file).catch((error: unknown) => {
    const reason = describeCause(error);
    throw new AppError('MODEL_UNREADABLE', { file, reason }, { cause: error });
  });
  const model = await readModelInSlices(bytes, project.reflection, nodeInflate, new TimeSlice(nodeClock));
  io.stop.throwIfAborted();
  if (!model.ok) throw new AppError('MODEL_UNREADABLE', { file, reason: model.error });
  for (const unknown of unknownColumnWarnings(model.value)) io.err(`warning: ${command.input}: ${unknown}`);
  const kind = isPlaceFormat(command.format) ? 'place' : 'model';
  const plan = await planSessionSyncback(project.session, { model: model.value, kind }, io.stop);
  if (typeof plan !== 'string') return { ...plan, edits: project.completeEdits(plan.edits) };
  const { projectFile } = project.session.info;
  throw new AppError('PROJECT_INVALID', { file: projectFile, line: 1, column: 1, expected: `another input: ${plan}` });
}

interface Counts {
  readonly writing: readonly string[];
  readonly removing: readonly string[];
}

/** Paths relative to the project folder, files before folders, each sorted. */
function countsOf({ edits }: SyncbackPlan): Counts {
  const paths = (keep: (edit: SyncbackPlan['edits'][number]) => boolean): string[] =>
    edits
      .filter(keep)
      .map(({ path }) => path)
      .toSorted();
  return {
    writing: paths(edit => edit.kind === 'write'),
    removing: [
      ...paths(edit => edit.kind === 'remove' && edit.precondition.kind !== 'emptyFolder'),
      ...paths(edit => edit.kind === 'remove' && edit.precondition.kind === 'emptyFolder'),
    ],
  };
}

function listOf(plan: SyncbackPlan): readonly string[] {
  const { writing, removing } = countsOf(plan);
  return [...writing.map(path => `Writing ${path}`), ...removing.map(path => `Removing ${path}`)];
}

const numbersOf = ({ writing, removing }: Counts) => ({ written: writing.length, removed: removing.length });

const summaryOf = ({ writing, removing }: Counts): string =>
  `${counted(writing.length, 'file')} written, ${removing.length} removed`;

function reportNotes({ refused, notes }: SyncbackPlan, io: CliIo): void {
  for (const { path, reason } of notes) io.err(`note: ${path}: ${reason}`);
  for (const { path, reason } of refused) io.err(`error: ${path}: not written: ${reason}`);
}

/** Asks the question. Returns whether the first line of the input is `yes`. */
async function isConfirmed(question: string, input: NodeJS.ReadableStream, io: CliIo): Promise<boolean> {
  const { stop } = io;
  io.out(question);
  const lines = createInterface({ input, terminal: false });
  const close = (): void => lines.close();
  stop.addEventListener('abort', close, { once: true });
  try {
    for await (const line of lines) return line.trim() === 'yes';
    return false;
  } finally {
    stop.removeEventListener('abort', close);
    lines.close();
  }
}
