import { withUnixLineEnds } from '../base/line-ends.ts';
import * as vscode from 'vscode';
import { type SafeLine, safeLine, type SafeLines, safeLines } from '../base/safe-text.ts';

/** The functions of an output channel, with types that accept no other text than a safe one. */
interface OutputSinks {
  readonly append: (text: SafeLines) => void;
  readonly appendLine: (line: SafeLine | SafeLines) => void;
}

/** A channel of the Output view. Adds nothing after it was disposed. */
export interface SafeOutput extends Pick<vscode.OutputChannel, 'clear' | 'show'>, Disposable {
  /** Adds one line: line feeds in a name do not start another one. */
  addLine(text: string): void;
  /** Adds lines, for example the output of a program. */
  addLines(text: string): void;
  /** Adds a part of the output of a program unchanged, except for control characters. */
  addPart(text: string): void;
}

export function createSafeOutput(name: string): SafeOutput {
  const channel = vscode.window.createOutputChannel(name);
  let sinks: OutputSinks | undefined = channel;
  return {
    addLine: text => sinks?.appendLine(safeLine(text)),
    addLines: text => sinks?.appendLine(safeLines(text)),
    addPart: text => sinks?.append(safeLines(withUnixLineEnds(text))),
    clear: () => channel.clear(),
    show: (isFocusKept?: boolean | vscode.ViewColumn) => channel.show(isFocusKept === true),
    [Symbol.dispose]() {
      sinks = undefined;
      channel.dispose();
    },
  };
}
