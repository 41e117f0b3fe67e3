import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable-store.ts';
import { AppError } from '../../base/errors.ts';
import { type PausableWork, runInSlices, TimeSlice } from '../../base/time-slice.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { ProjectDiagnostic } from '../project-session.ts';
import { type BridgeLifecycle, followBridges } from '../../vscode/bridge-lifecycle.ts';
import type { ServedBridge } from '../../vscode/served-bridge.ts';
import type { UnservedProject, UnservedProjects } from '../../vscode/unserved-projects.ts';
import type { ProjectFileFindings } from './file-findings.ts';
import { createDiagnostic } from '../../vscode/safe-diagnostics.ts';

/** Shows the problems of the files of all projects in the editor and the Problems view, also of those that are not served. */
export function createProjectDiagnostics(
  lifecycle: BridgeLifecycle,
  unserved: UnservedProjects,
  findings: ProjectFileFindings<vscode.Diagnostic>,
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
): Disposable {
  const reported = new Map<ServedBridge, readonly ProjectDiagnostic[]>();
  /** The problem of an unchanged file stays the same object, so that it is not shown again. */
  const created = new WeakMap<ProjectDiagnostic, vscode.Diagnostic>();
  const toEditorOnce = (diagnostic: ProjectDiagnostic): vscode.Diagnostic => {
    const known = created.get(diagnostic) ?? toEditor(diagnostic);
    created.set(diagnostic, known);
    return known;
  };
  function* showAll(): PausableWork<void> {
    // Projects that contain the same file report the same problems of it.
    const byFile = new Map<string, Map<string, vscode.Diagnostic>>();
    for (const [{ location }, diagnostics] of Array.from(reported)) {
      for (const diagnostic of diagnostics) {
        yield;
        const { file, line, column, message } = diagnostic;
        const uri = vscode.Uri.joinPath(location.root, file).toString();
        const found = byFile.get(uri) ?? new Map<string, vscode.Diagnostic>();
        byFile.set(uri, found.set(`${line}:${column}:${message}`, toEditorOnce(diagnostic)));
      }
    }
    const shown = new Map(Array.from(byFile, ([uri, found]) => [uri, Array.from(found.values())]));
    for (const { file, error } of unserved.all()) {
      const uri = file.toString();
      if (error !== undefined && !shown.has(uri)) shown.set(uri, [toEditor(fromUnserved(error))]);
    }
    yield* findings.setProject(shown);
  }
  let [isShowing, isStale] = [false, false];
  const showInSlices = async (): Promise<void> => {
    isShowing = true;
    try {
      do {
        isStale = false;
        await runInSlices(showAll(), new TimeSlice(clock));
      } while (isStale);
    } finally {
      isShowing = false;
    }
  };
  const show = (): void => {
    if (isShowing) isStale = true;
    else showInSlices().catch((error: unknown) => log.error('failed to show the problems of the project', error));
  };
  const store = new DisposableStore();
  store.add(unserved.onDidChange(show));
  show();
  store.add(
    followBridges(lifecycle, (bridge, alive) => {
      const report = (diagnostics: readonly ProjectDiagnostic[]): void => {
        reported.set(bridge, diagnostics);
        show();
      };
      const follow = (): void => {
        const session = bridge.session();
        if (session !== undefined) alive.add(session.onDidChangeDiagnostics(report));
        report(diagnosticsOf(bridge));
      };
      alive.defer(() => {
        reported.delete(bridge);
        show();
      });
      alive.add(bridge.onDidChangeProject(follow));
      follow();
    }),
  );
  return store;
}

/** VS Code requires a position of a folder too. */
const fromUnserved = (error: NonNullable<UnservedProject['error']>) =>
  'unreadable' in error
    ? {
        line: 1,
        column: 1,
        severity: 'error' as const,
        message: vscode.l10n.t(
          'This folder cannot be read: {0}. Make it readable, then reload the window to sync its project.',
          error.unreadable,
        ),
      }
    : {
        line: error.line,
        column: error.column,
        severity: 'error' as const,
        message: vscode.l10n.t('Expected {0}. The project is not synced until you fix the error.', error.expected),
      };

/** The problems of the project's files, also if they prevent it from loading. */
export function diagnosticsOf(bridge: ServedBridge): readonly ProjectDiagnostic[] {
  const problem = bridge.projectProblem();
  return problem === undefined ? (bridge.session()?.diagnostics() ?? []) : fromProblem(problem);
}

function fromProblem(problem: AppError): readonly ProjectDiagnostic[] {
  if (!AppError.is(problem, 'PROJECT_INVALID')) return [];
  const { file, line, column, expected, missing } = problem.details;
  // The path in the error is relative to the project folder, as in the session.
  return [
    {
      file: file as ProjectDiagnostic['file'],
      line,
      column,
      severity: 'error',
      message: vscode.l10n.t('Expected {0}.', expected),
      ...(missing !== undefined && { missing }),
    },
  ];
}

function toEditor({
  line,
  column,
  severity,
  message,
}: Pick<ProjectDiagnostic, 'line' | 'column' | 'severity' | 'message'>): vscode.Diagnostic {
  const at = new vscode.Position(Math.max(0, line - 1), Math.max(0, column - 1));
  const level = severity === 'error' ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning;
  return createDiagnostic(new vscode.Range(at, at.translate(0, 1)), message, level, 'Atlas Bridge');
}
