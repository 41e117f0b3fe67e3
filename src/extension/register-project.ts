import * as vscode from 'vscode';
import { nodeClock } from '../adapters/node/clock.ts';
import type { removeFolder } from '../adapters/node/remove-folder.ts';
import type { runProgram, runSyncbackProgram } from '../adapters/node/run-program.ts';
import { ProjectFileFindings } from '../project/vscode/file-findings.ts';
import { followRenamedFiles } from '../project/vscode/follow-renamed-files.ts';
import { registerJson5Documents } from '../project/vscode/json5-documents.ts';
import { addDisposable } from '../vscode/add-disposable.ts';
import { registerInstallPackages } from '../project/vscode/install-packages.ts';
import type { PlaceCommandsDeps } from '../project/vscode/place-commands.ts';
import { type LazyProjectCommands, registerProjectCommands } from '../project/vscode/project-commands.ts';
import { createProjectDiagnostics } from '../project/vscode/project-diagnostics.ts';
import { createSourcemapAutoWrite } from '../project/vscode/sourcemap-auto-write.ts';
import { registerSyncbackCommand } from '../project/vscode/syncback-command.ts';
import { DisposableStore } from '../base/disposable-store.ts';
import { keepSourcemap } from '../project/sourcemap/keep-sourcemap.ts';
import type { ProjectSession } from '../project/project-session.ts';
import type { Logger } from '../ports/logger.ts';
import type { SyncbackReview } from '../project/vscode/syncback-review.ts';
import type { SharedParts } from './shared-parts.ts';
import type { writeRecorded } from './write-recorded.ts';

/** Runs commands in new processes, and removes what they leave. */
interface Programs {
  readonly runProgram: typeof runProgram;
  readonly runSyncbackProgram: typeof runSyncbackProgram;
  readonly removeFolder: typeof removeFolder;
}

/** Loads the function that writes output files. */
export type LoadWriteRecorded = () => Promise<typeof writeRecorded>;

/**
 * Registers the features for project files: diagnostics, tabs of renamed files, the sourcemap, Build and Syncback.
 *
 * @param dataWorker the script of the worker thread that reads data files
 * @param review asks about the plan of a syncback
 * @param loadPrograms loads the functions that run Build and Syncback
 * @param createPlaceCommands creates the commands that open and publish places
 * @param loadWrite loads the function that writes the sourcemap
 */
export function registerProject(
  parts: SharedParts,
  dataWorker: URL,
  review: (review: SyncbackReview) => Promise<boolean>,
  loadPrograms: () => Promise<Programs>,
  createPlaceCommands: (deps: Omit<PlaceCommandsDeps, 'opener'>) => LazyProjectCommands,
  loadWrite: LoadWriteRecorded,
): Disposable {
  const { context, lifecycle, served, unserved, log, showLog, cli, schedule } = parts;
  const store = new DisposableStore();
  const problems = addDisposable(store, vscode.languages.createDiagnosticCollection('atlas'));
  const findings = new ProjectFileFindings<vscode.Diagnostic>((file, found) =>
    problems.set(vscode.Uri.parse(file), found),
  );
  schedule(() => {
    store.add(createProjectDiagnostics(lifecycle, unserved, findings, { clock: nodeClock, log }));
    store.add(followRenamedFiles(lifecycle, log));
    store.add(
      createSourcemapAutoWrite({
        lifecycle,
        folder: served.projectFolder,
        keep: (session, file) => keepSourcemapFile(session, file, { folder: served.root, loadWrite, log }),
      }),
    );
    store.add(
      registerJson5Documents({
        worker: dataWorker,
        schemas: vscode.Uri.joinPath(context.extensionUri, 'media', 'schemas').fsPath,
        findings,
        log,
      }),
    );
  });
  store.add(registerInstallPackages({ lifecycle, folder: served.candidateFolder, root: served.root }));
  const onProject = { folder: served.candidateFolder, log, clock: nodeClock, showLog };
  const run = async (args: readonly string[], signal: AbortSignal) =>
    (await loadPrograms()).runProgram(cli, args, signal);
  store.add(registerProjectCommands({ ...onProject, run }, createPlaceCommands({ ...onProject, lifecycle, run })));
  store.add(
    registerSyncbackCommand({
      ...onProject,
      review,
      run: async (args, signal, ask) => (await loadPrograms()).runSyncbackProgram(cli, args, signal, ask),
      removeFolder: async path => (await loadPrograms()).removeFolder(path),
    }),
  );
  return store;
}

/** Keeps `sourcemap.json` up to date. Includes non-scripts, because luau-lsp needs every instance. */
function keepSourcemapFile(
  session: ProjectSession,
  { fsPath: file }: vscode.Uri,
  {
    folder,
    loadWrite,
    log,
  }: { readonly folder: () => vscode.Uri | undefined; readonly loadWrite: LoadWriteRecorded; readonly log: Logger },
): Disposable {
  return keepSourcemap(session, {
    includeNonScripts: true,
    clock: nodeClock,
    async write(text) {
      const write = await loadWrite();
      await write({ folder: folder()?.fsPath, file, command: 'sourcemap' }, new TextEncoder().encode(text), log);
    },
    onFailure: error => log.error('failed to write the sourcemap', error),
  });
}
