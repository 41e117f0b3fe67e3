import { nodeClock } from '../../adapters/node/clock.ts';
import { createFileJournalStore } from '../../adapters/node/journal/file-journal-store.ts';
import { commandJournal } from '../../adapters/node/journal/known-journals.ts';
import { nodeRandom } from '../../adapters/node/random.ts';
import { stateFolder } from '../../adapters/node/state-folder.ts';
import type { ProjectPath } from '../../base/brand.ts';
import { journalLimitsOf } from '../../ports/settings.ts';
import { AppError } from '../../base/errors.ts';
import { formatSentence } from '../../base/sentence.ts';
import { moduleName } from '../language/modules/module-name.ts';
import { generateView } from '../session/views/generate-view.ts';
import { syncView } from '../session/views/sync-view.ts';
import { createViewJournal, type ViewJournal } from '../session/views/view-journal.ts';
import { commandHint, forCommandLine, toErrorBody } from '../../protocol/error-body.ts';
import { readCommandSettings } from '../../cli/command-settings.ts';
import type { CliIo } from '../../cli/io.ts';
import { commandLog } from '../../cli/log-level.ts';
import { reportRecorded } from '../../cli/report-recorded.ts';
import { writeText } from './convert.ts';
import { noModules, type PlutoTarget } from './open-session.ts';
import type { PlutoArgs } from './pluto-args.ts';
import type { PlutoAnswer } from './pluto-answer.ts';

interface Failure {
  readonly path: string;
  readonly error: AppError;
}

/** Runs `act` for each module. A failure does not stop the others. */
async function forEach<T>(
  paths: readonly ProjectPath[],
  io: CliIo,
  act: (path: ProjectPath) => Promise<T>,
): Promise<{ readonly done: readonly T[]; readonly failed: readonly Failure[] }> {
  const done: T[] = [];
  const failed: Failure[] = [];
  for (const path of paths) {
    io.stop.throwIfAborted();
    try {
      done.push(await act(path));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      failed.push({ path, error });
    }
  }
  return { done, failed };
}

const failuresAsJson = (failed: readonly Failure[]) =>
  failed.map(({ path, error }) => ({ path, error: { ...toErrorBody(error), hint: commandHint(error) } }));
const formatFailures = (failed: readonly Failure[], { displayPath }: PlutoTarget): readonly string[] =>
  failed.map(({ path, error }) => `${displayPath(path)}: ${formatSentence(forCommandLine(error))}`);

/** `generate-pt` */
export async function generateViews(target: PlutoTarget, { output }: PlutoArgs, io: CliIo): Promise<PlutoAnswer> {
  if (output !== undefined) return writeText(target, output, io);
  const named = target.isFolder ? target.modules.filter(path => path.endsWith('.pluto')) : [target.path];
  const { done, failed } = await forEach(named, io, path => generateView(target.session, path));
  const generated = done.map(({ path, view }) => ({ pluto_path: path, pt_path: view }));
  return {
    isDone: failed.length === 0,
    json: { success: failed.length === 0, generated, failed: failuresAsJson(failed) },
    outputLines: [
      ...done.map(
        ({ view, outcome }) => `${target.displayPath(view)}: ${outcome === 'done' ? 'written' : 'up to date'}`,
      ),
      ...formatFailures(failed, target),
      ...noModules(target),
    ],
  };
}

/** Opens the journal that records both files before one of them replaces the other, and prints how to restore them. */
async function openViewJournal(folder: string, io: CliIo): Promise<ViewJournal> {
  const log = commandLog(io, 'warn');
  const settings = await readCommandSettings(folder, new Map(), log);
  return createViewJournal(
    {
      journal: createFileJournalStore(commandJournal(stateFolder(folder, io.env))),
      limits: () => journalLimitsOf(settings),
      random: nodeRandom,
      clock: nodeClock,
      log,
      onRecorded: (runId, files) => reportRecorded(`the previous ${files}`, runId, folder, io),
    },
    'CLI',
  );
}

/** `sync FILE.pt`; with `--take` one side wins wherever both have changed. */
export async function syncFile(
  { session, folder, path, displayPath }: PlutoTarget,
  { take }: PlutoArgs,
  io: CliIo,
): Promise<PlutoAnswer> {
  const journal = await openViewJournal(folder, io);
  const first = await syncView(session, { path, overrides: [] }, io.stop, journal);
  const open = first.changes.filter(change => change.take === undefined);
  const isTaken = first.status === 'unresolved' && take !== undefined;
  const overrides = open.map(({ id, ptDigest, plutoDigest }) => ({
    id,
    take: take ?? 'pt',
    digest: take === 'pluto' ? ptDigest : plutoDigest,
  }));
  const synced = isTaken ? await syncView(session, { path, overrides }, io.stop, journal) : first;
  const isDone = synced.status !== 'unresolved';
  const changes = synced.changes.map(one => ({
    id: one.id,
    kind: one.kind,
    name: one.name,
    change: one.change,
    take: one.take ?? null,
    why: one.why,
  }));
  const lines = changes.map(one => `${one.change} ${one.kind} ${one.name}: ${one.take ?? 'unresolved'} (${one.why})`);
  const end = isDone
    ? `${displayPath(synced.path)} and ${displayPath(synced.view)} are in sync`
    : 'Nothing was changed: both sides have changed. Pass --take pt or --take pluto.';
  const json = { success: isDone, status: synced.status, synced: synced.path, changes };
  return { isDone, json, outputLines: [...lines, end] };
}

/** `migrate`: converts text modules to containers. A standalone `.pt` becomes the view of its new container. */
export async function migrate(target: PlutoTarget, _args: PlutoArgs, io: CliIo): Promise<PlutoAnswer> {
  const { session } = target;
  const journal = await openViewJournal(target.folder, io);
  const named = target.isFolder ? target.modules : [target.path];
  const { done, failed } = await forEach(named, io, async path => {
    if (path.endsWith('.pt')) return (await syncView(session, { path, overrides: [] }, io.stop, journal)).path;
    const module = await session.module(path);
    if (module.container !== undefined) return undefined;
    const container = { meta: session.newMeta(moduleName(path)), optional: [] };
    await session.transact('migrate', io.stop, () => ({ modules: [{ ...module, container }] }));
    const [saved] = await session.save(io.stop, [path]);
    if (saved?.kind === 'failed') throw saved.error;
    return path;
  });
  const migrated = done.filter(path => path !== undefined);
  return {
    isDone: failed.length === 0,
    json: { success: failed.length === 0, migrated, failed: failuresAsJson(failed) },
    outputLines: [
      ...migrated.map(path => `${target.displayPath(path)}: converted`),
      ...formatFailures(failed, target),
      ...(migrated.length + failed.length > 0
        ? []
        : named.length === 0
          ? noModules(target)
          : ['all modules are containers already']),
    ],
  };
}
