import * as vscode from 'vscode';
import { MAX_DETAIL_LENGTH, safeLabel, safeLines, safeTerminal } from '../base/safe-text.ts';

// The functions of VS Code that show texts of tests; each makes its text safe.

/** An item of the Testing view. */
export const createTestItem = (
  controller: vscode.TestController,
  id: string,
  label: string,
  uri: vscode.Uri | undefined,
): vscode.TestItem => controller.createTestItem(id, safeLabel(label), uri);

/** The message of a failed test: plain text. */
export const testMessage = (text: string): vscode.TestMessage =>
  new vscode.TestMessage(safeLines(text, MAX_DETAIL_LENGTH));

/** A line for the output of a test run, which is a terminal. */
export const testOutput = (text: string): string => `${safeTerminal(text).replaceAll('\n', '\r\n')}\r\n`;
