import type { DoctorFinding } from '../../../src/setup/vscode/doctor.ts';
import type { LongestTurn } from './watch-turns.ts';

/** The requests of a test to the driver, and their results. JSON, one object per line, over the socket. */
export interface DriverCommands {
  /** `vscode.commands.executeCommand`. */
  execute: { args: { command: string; args: readonly unknown[] }; answer: unknown };
  /** Every registered command, except internal ones. */
  commands: { args: Record<never, never>; answer: readonly string[] };
  /** `vscode.lm.tools`: the tools that a chat participant sees. */
  tools: { args: Record<never, never>; answer: readonly ToolSummary[] };
  /** `vscode.lm.invokeTool`: calls a tool through VS Code's own MCP client. Returns the text parts in order. */
  invokeTool: { args: { name: string; input: object }; answer: readonly string[] };
  /** Activates an extension and measures it; `exports` must be JSON. */
  extension: { args: { id: string }; answer: ExtensionSummary };
  /** The text and the title of every open editor tab. */
  tabs: { args: Record<never, never>; answer: readonly string[] };
  /** Reads a document, including unsaved edits. */
  documentText: { args: { path: string }; answer: string };
  /** Opens the file in an editor and requests completions at a position; line and character are zero-based. */
  completions: { args: { path: string; line: number; character: number }; answer: readonly string[] };
  /** The Problems view, for one file: `line:column severity source: message`, one-based. */
  problems: { args: { path: string; scheme?: string }; answer: readonly string[] };
  /** Calls the language providers for a position in `uri`. Returns locations as `scheme:path:line:column`, one-based. */
  places: {
    args: { uri: string; line: number; character: number; of: 'Definition' | 'Implementation' | 'Reference' };
    answer: readonly string[];
  };
  /** The outline: `kind name detail`, nested symbols indented by two spaces. */
  outline: { args: { uri: string }; answer: readonly string[] };
  /** The texts of all hovers at a position. */
  hovers: { args: { uri: string; line: number; character: number }; answer: readonly string[] };
  /** Renames the symbol at a position in all documents. Returns the documents with unsaved edits. */
  rename: { args: { uri: string; line: number; character: number; name: string }; answer: readonly string[] };
  /** Symbols of the workspace: `kind name path`. */
  symbols: { args: { query: string }; answer: readonly string[] };
  /** Opens or focuses a document. Returns its text. */
  show: { args: { uri: string }; answer: string };
  /** Replaces the first `before` in the active editor as one undoable edit. Returns the text. */
  edit: { args: { before: string; after: string }; answer: string };
  /** Saves the active document. Returns whether VS Code saved it. */
  save: { args: Record<never, never>; answer: boolean };
  /** Delays the next save like a slow formatter, as long as VS Code permits (1.75 s). Returns when that save has begun. */
  holdNextSave: { args: Record<never, never>; answer: undefined };
  /** The active document: URI, text, and whether it has unsaved edits. */
  front: { args: Record<never, never>; answer: FrontDocument | undefined };
  /** Starts to watch the turns of the extension host's event loop. */
  watchTurns: { args: Record<never, never>; answer: undefined };
  /** Ends the watch. `longestMs`: the wall time of the longest turn; `megabytes`: the most memory of the process. */
  longestTurn: { args: Record<never, never>; answer: LongestTurn };
  /** Opens the list of Doctor with these findings, and does not wait for its end. */
  showFindings: { args: { found: readonly DoctorFinding[] }; answer: undefined };
  /** The opened folder or workspace file, and the process of the extension host. */
  window: { args: Record<never, never>; answer: { readonly opened: string | undefined; readonly pid: number } };
  /** The values of settings in the user settings, with those of the machine; a setting without a value is missing. */
  settings: { args: { keys: readonly string[] }; answer: Readonly<Record<string, unknown>> };
  version: { args: Record<never, never>; answer: { readonly vscode: string; readonly node: string } };
}

export interface FrontDocument {
  readonly uri: string;
  readonly language: string;
  readonly text: string;
  readonly isDirty: boolean;
  /** Of the cursor, from 1. */
  readonly line: number;
}

export interface ToolSummary {
  readonly name: string;
  readonly description: string;
}
export interface ExtensionSummary {
  readonly isActive: boolean;
  readonly exports: unknown;
}

export type DriverCommand = keyof DriverCommands;
export type DriverRequest = { readonly id: number; readonly command: DriverCommand; readonly args: never };
export type DriverReply =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly message: string };
