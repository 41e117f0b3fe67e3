import * as vscode from 'vscode';
import { AppError } from '../../base/errors.ts';
import { DisposableStore } from '../../base/disposable-store.ts';
import type { ProjectDiagnostic } from '../project-session.ts';
import { type BridgeLifecycle, type BridgeState, followBridge } from '../../vscode/bridge-lifecycle.ts';
import type { FileFindings } from './file-findings.ts';

/** Shows the problems of the project's files in the editor and the Problems view. */
export function createProjectDiagnostics(
  lifecycle: BridgeLifecycle,
  folder: () => vscode.Uri | undefined,
  findings: FileFindings<vscode.Diagnostic>,
): Disposable {
  const store = new DisposableStore();

  const show = (diagnostics: readonly ProjectDiagnostic[]): void => {
    const root = folder();
    if (root === undefined) return findings.setProject(new Map());
    const byFile = Map.groupBy(diagnostics, ({ file }) => vscode.Uri.joinPath(root, file).toString());
    findings.setProject(new Map(Array.from(byFile, ([file, found]) => [file, found.map(toEditor)])));
  };
  const look = (bridge: Extract<BridgeState, { kind: 'running' }>['bridge']): void => {
    const problem = bridge.projectProblem();
    show(problem === undefined ? (bridge.session()?.diagnostics() ?? []) : fromProblem(problem));
  };
  const watch = (state: BridgeState, alive: DisposableStore): void => {
    if (state.kind !== 'running') return show([]);
    const { bridge } = state;
    const follow = (): void => {
      const session = bridge.session();
      if (session !== undefined) alive.add(session.onDidChangeDiagnostics(show));
      look(bridge);
    };
    alive.add(bridge.onDidChangeProject(follow));
    follow();
  };
  store.add(followBridge(lifecycle, watch));
  return store;
}

function fromProblem(problem: AppError): readonly ProjectDiagnostic[] {
  if (!AppError.is(problem, 'PROJECT_INVALID')) return [];
  const { file, line, column, expected } = problem.details;
  // The path in the error is relative to the project folder, as in the session.
  return [
    {
      file: file as ProjectDiagnostic['file'],
      line,
      column,
      severity: 'error',
      message: vscode.l10n.t('Expected {0}.', expected),
    },
  ];
}

function toEditor({ line, column, severity, message }: ProjectDiagnostic): vscode.Diagnostic {
  const at = new vscode.Position(Math.max(0, line - 1), Math.max(0, column - 1));
  const level = severity === 'error' ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning;
  const diagnostic = new vscode.Diagnostic(new vscode.Range(at, at.translate(0, 1)), message, level);
  diagnostic.source = 'Atlas Bridge';
  return diagnostic;
}
