import * as vscode from 'vscode';
import { MAX_DETAIL_LENGTH, type SafeLines, safeLines } from '../base/safe-text.ts';

type CreateDiagnostic = new (
  range: vscode.Range,
  message: SafeLines,
  severity: vscode.DiagnosticSeverity,
) => vscode.Diagnostic;
const Diagnostic: CreateDiagnostic = vscode.Diagnostic;

/** A problem of the Problems view, whose message may quote a file. */
export function createDiagnostic(
  range: vscode.Range,
  message: string,
  severity: vscode.DiagnosticSeverity,
  source: string,
): vscode.Diagnostic {
  const diagnostic = new Diagnostic(range, safeLines(message, MAX_DETAIL_LENGTH), severity);
  diagnostic.source = source;
  return diagnostic;
}
