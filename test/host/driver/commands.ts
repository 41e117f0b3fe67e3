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
  problems: { args: { path: string }; answer: readonly string[] };
  version: { args: Record<never, never>; answer: { readonly vscode: string; readonly node: string } };
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
