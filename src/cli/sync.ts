import { formatResult } from '../protocol/run-result.ts';
import { stat } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { ifFound } from '../base/errno.ts';
import { installedStudioKey } from '../adapters/node/json-studio-keys.ts';
import { nodeRandom } from '../adapters/node/random.ts';
import { type Bridge, createBridge } from '../app/app.ts';
import { AppError } from '../base/errors.ts';
import { bundledFiles } from '../headless-studio/bundled-files.ts';
import { type HeadlessStudio, startHeadlessStudio } from '../headless-studio/headless-studio.ts';
import { formatSentence } from '../base/sentence.ts';
import { commandHint } from '../protocol/error-body.ts';
import { hasChangedStudio, isErrorStatus, type SyncResult } from '../protocol/sync-result.ts';
import type { LoadPlutoToolset } from '../pluto/tools/pluto-toolset.ts';
import { summarySentence } from '../protocol/sync-summary.ts';
import { formatSyncResult } from '../sync/tools/format-sync-result.ts';
import { answerFailed, invalidProject, type CommandOutput } from './command-answer.ts';
import { readCommandSettings } from './command-settings.ts';
import { deferBases } from './deferred-bases.ts';
import { type CliIo, exitCodes } from './io.ts';
import { commandLog } from './log-level.ts';
import { nodeHost } from './node-host.ts';
import { findProject } from '../app/find-project.ts';
import { problemLine } from './open-project.ts';
import { stateFolder } from '../adapters/node/state-folder.ts';
import { runCommand } from './run-command.ts';
import { reviewWithStudio } from './review-with-studio.ts';
import { showReviews } from './review/show-review.ts';
import { type SyncArgs, syncCommand } from './sync-args.ts';
import { checkOutput, writeCommandOutput } from './write-command-output.ts';

/** Time limit for headless Studio to open its place and connect to the bridge. */
const CONNECT_MS = 30_000;

/** `atlas-bridge sync`: one run with a place file, in this process, or with the connected Studio. Resolves with the exit code. */
export function runSyncCommand(args: readonly string[], io: CliIo, loadPluto: LoadPlutoToolset): Promise<number> {
  return runCommand(syncCommand, args, io, async command => {
    const answer: CommandOutput = { json: command.json, io };
    try {
      const { terminal } = io;
      if (command.mode === 'manual' && terminal === undefined) {
        io.err('error: --review requires a terminal');
        io.err('hint: run the command in a terminal, without redirecting its input or errors');
        return exitCodes.failed;
      }
      if (command.place !== undefined) return await syncOnce({ ...command, place: command.place }, answer);
      if (terminal === undefined) throw new Error('a sync without a place needs a terminal');
      const { project, settings, dialect } = command;
      const review = {
        project,
        settings,
        dialect,
        terminal,
        loadPluto,
        run: (bridge: Bridge) => run(bridge, command, io),
      };
      return report(forCommandLine(await reviewWithStudio(review, io)), command, answer);
    } catch (error) {
      return answerFailed(io.stop.aborted ? new AppError('CANCELLED', { phase: 'syncing' }) : error, [], answer);
    }
  });
}

async function syncOnce(command: SyncArgs & { readonly place: string }, answer: CommandOutput): Promise<number> {
  const { io } = answer;
  const place = resolve(io.cwd, command.place);
  const found = await ifFound(stat(place));
  if (found?.isFile() !== true) {
    const reason = found === undefined ? 'no such file' : 'it is a folder';
    throw new AppError('MODEL_UNREADABLE', { file: place, reason });
  }
  if (command.save !== undefined) await checkOutput(resolve(io.cwd, command.save));
  const { folder, projectFile } = await findProject(resolve(io.cwd, command.project), command.dialect);
  const log = commandLog(io, 'error');
  const settings = await readCommandSettings(folder, command.settings, log);
  const host = await nodeHost(folder, stateFolder(folder, io.env), settings, log, io.env);
  const bases = deferBases(host.bases);
  const bridge = await createBridge(
    { ...host, bases },
    {
      port: 0,
      tokens: [nodeRandom.uuid()],
      version: io.version,
      project: { projectFile, dialect: command.dialect },
    },
  );
  try {
    const problem = bridge.projectProblem();
    if (problem !== undefined) return answerFailed(problem, [], { ...answer, folder });
    const problems = bridge.session()?.diagnostics() ?? [];
    if (!command.json) for (const one of problems) io.err(problemLine(one, folder, io.cwd));
    const broken = problems.find(({ severity }) => severity === 'error');
    // A file that cannot be read is not in the tree, so its instance would look removed.
    if (broken) return answerFailed(invalidProject(broken), problems, { ...answer, folder });
    await using studio = await startHeadlessStudio({
      ...bundledFiles(),
      place,
      placeId: command.placeId,
      key: installedStudioKey(io.env),
      log: log.child('headless'),
    });
    await connect(studio, bridge, command.placeId, io.stop);
    const result = await run(bridge, command, io);
    if (result.changes.some(change => hasChangedStudio(change.outcome)) && command.save !== undefined) {
      const file = resolve(io.cwd, command.save);
      await writeCommandOutput({ folder, file, command: 'sync' }, await studio.format(file), io);
    }
    if (effectiveMode(command) !== 'dryrun') await bases.keep();
    return report(forCommandLine(result), command, answer);
  } finally {
    await bridge.stop();
  }
}

async function connect(
  studio: HeadlessStudio,
  bridge: Bridge,
  placeId: number | undefined,
  stop: AbortSignal,
): Promise<void> {
  const done = Promise.withResolvers<void>();
  const look = (): void => {
    if (bridge.studios.all().length > 0) done.resolve();
  };
  const cancel = (): void => done.reject(new AppError('CANCELLED', { phase: 'connecting headless Studio' }));
  using _connected = bridge.studios.onDidChange(look);
  using _status = studio.onStatus(status => {
    const reason = /^rejected: (.*)$/.exec(status)?.[1];
    if (reason === undefined) return;
    const isWithoutPlaceId = placeId === undefined && bridge.session()?.info.servePlaceIds !== undefined;
    const next = isWithoutPlaceId ? '; set the place id with --place-id' : '';
    done.reject(new AppError('STUDIO_FAILED', { reason: `${reason}${next}` }));
  });
  const timer = setTimeout(
    () => done.reject(new AppError('STUDIO_NOT_RESPONDING', { signal: 'hello', budgetMs: CONNECT_MS })),
    CONNECT_MS,
  );
  stop.addEventListener('abort', cancel, { once: true });
  if (stop.aborted) cancel();
  void studio.terminated.then(({ reason }) => done.reject(new AppError('STUDIO_FAILED', { reason })));
  studio.connect(Number(new URL(bridge.studioUrl).port), '127.0.0.1');
  look();
  try {
    await done.promise;
  } finally {
    clearTimeout(timer);
    stop.removeEventListener('abort', cancel);
  }
}

/** The mode of the run: a dry run without `--save`, because pushes would be lost although the base records them. */
const effectiveMode = ({ mode, save }: SyncArgs): SyncArgs['mode'] =>
  mode === 'fastfail' && save === undefined ? 'dryrun' : mode;

async function run(bridge: Bridge, command: SyncArgs, { stop, terminal }: CliIo): Promise<SyncResult> {
  const mode = effectiveMode(command);
  const run = bridge.engine.start({ mode, overrides: [], requestedBy: 'CLI', canDecide: mode === 'manual' });
  const cancel = (): void => run.cancel();
  stop.addEventListener('abort', cancel, { once: true });
  if (stop.aborted) cancel();
  try {
    if (mode === 'manual' && terminal !== undefined) await showReviews(run, terminal);
    return formatResult(await run.result);
  } catch (error) {
    run.cancel();
    throw error;
  } finally {
    stop.removeEventListener('abort', cancel);
  }
}

/** Replaces the hints for agents with those for the command line. */
function forCommandLine(result: SyncResult): SyncResult {
  const { error } = result;
  const summary = formatSentence(summarySentence(result, 'command line'));
  return { ...result, summary, ...(error && { error: { ...error, hint: commandHint(error) } }) };
}

function report(result: SyncResult, command: SyncArgs, { io, json }: CommandOutput): number {
  const isInSync = result.status === 'empty' || result.status === 'success';
  const isDifferent = result.status === 'dryrun' || result.status === 'fastfail_unresolved';
  const saved = result.changes.some(change => hasChangedStudio(change.outcome)) ? command.save : undefined;
  if (json)
    io.out(JSON.stringify({ ok: isInSync || isDifferent, ...result, ...(saved !== undefined && { saved }) }), 'data');
  else {
    const isError = isErrorStatus(result.status) && !isDifferent;
    // Names in the text are quoted or on one line already.
    for (const line of formatSyncResult(result).split('\n'))
      if (isError) io.err(line);
      else io.out(line);
    if (isDifferent && command.mode !== effectiveMode(command))
      io.out('Add --save <file> to apply the changes that have a default.');
    if (saved !== undefined) io.out(`Saved ${relative(io.cwd, resolve(io.cwd, saved))}`);
  }
  if (isInSync) return exitCodes.done;
  return isDifferent ? exitCodes.different : exitCodes.failed;
}
