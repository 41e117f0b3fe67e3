/** What a test may ask of the driver, and what it answers. JSON, one object per line, over the socket. */
export interface DriverCommands {
  /** `vscode.commands.executeCommand`. */
  execute: { args: { command: string; args: readonly unknown[] }; answer: unknown };
  /** Every registered command that is no internal one. */
  commands: { args: Record<never, never>; answer: readonly string[] };
  /** `vscode.lm.tools`: what a chat participant sees. */
  tools: { args: Record<never, never>; answer: readonly ToolSummary[] };
  /** `vscode.lm.invokeTool`: VS Code's own MCP client calls. Text parts in order. */
  invokeTool: { args: { name: string; input: object }; answer: readonly string[] };
  /** Activates an extension and measures it; `exports` must be JSON. */
  extension: { args: { id: string }; answer: ExtensionSummary };
  /** The text and the title of every open editor tab. */
  tabs: { args: Record<never, never>; answer: readonly string[] };
  /** Reads a document as the editor has it. */
  documentText: { args: { path: string }; answer: string };
  /** Opens the file in an editor and asks what could stand at a place; line and character count from 0. */
  completions: { args: { path: string; line: number; character: number }; answer: readonly string[] };
  /** The Problems view, for one file: `line:column severity source: message`, counted from 1. */
  problems: { args: { path: string; scheme?: string }; answer: readonly string[] };
  /** Asks the providers of a language about a place of the document `uri`; what is found as `scheme:path:line:column`, counted from 1. */
  places: {
    args: { uri: string; line: number; character: number; of: 'Definition' | 'Implementation' | 'Reference' };
    answer: readonly string[];
  };
  /** The outline: `kind name detail`, what lies in another symbol with two spaces before it. */
  outline: { args: { uri: string }; answer: readonly string[] };
  /** The texts of all hovers at a place. */
  hovers: { args: { uri: string; line: number; character: number }; answer: readonly string[] };
  /** Renames what stands at a place, in all documents; the documents that have unsaved edits then. */
  rename: { args: { uri: string; line: number; character: number; name: string }; answer: readonly string[] };
  /** Symbols of the workspace: `kind name path`. */
  symbols: { args: { query: string }; answer: readonly string[] };
  /** Opens a document in an editor, or brings it to the front. Answers its text. */
  show: { args: { uri: string }; answer: string };
  /** Replaces the first `before` in the editor that is in front, as one edit that can be undone. Answers the text. */
  edit: { args: { before: string; after: string }; answer: string };
  /** Saves the document in front; whether VS Code did. */
  save: { args: Record<never, never>; answer: boolean };
  /** The document in front: its address, its text, and whether it has edits that are not saved. */
  front: { args: Record<never, never>; answer: FrontDocument | undefined };
  version: { args: Record<never, never>; answer: { readonly vscode: string; readonly node: string } };
}

export interface FrontDocument {
  readonly uri: string;
  readonly language: string;
  readonly text: string;
  readonly isDirty: boolean;
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
