import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { showFindings } from '../../../src/setup/vscode/doctor-list.ts';
import { languageHandlers } from './language.ts';
import { watchTurns } from './watch-turns.ts';
import type { DriverCommand, DriverCommands, DriverReply, DriverRequest } from './commands.ts';

type Handlers = {
  readonly [C in DriverCommand]: (args: DriverCommands[C]['args']) => Promise<DriverCommands[C]['answer']>;
};

let turns = watchTurns();
turns.end();

const handlers: Handlers = {
  execute: async ({ command, args }) => vscode.commands.executeCommand(command, ...args),
  commands: async () => vscode.commands.getCommands(true),
  tools: async () => vscode.lm.tools.map(({ name, description }) => ({ name, description })),
  async invokeTool({ name, input }) {
    const result = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
    return result.content.map(part =>
      part instanceof vscode.LanguageModelTextPart ? part.value : JSON.stringify(part),
    );
  },
  async extension({ id }) {
    const extension = vscode.extensions.getExtension(id);
    if (extension === undefined) throw new Error(`Extension ${id} is not installed.`);
    return { isActive: extension.isActive, exports: extension.isActive ? extension.exports : undefined };
  },
  tabs: async () => vscode.window.tabGroups.all.flatMap(group => group.tabs.map(tab => tab.label)),
  documentText: async ({ path }) => (await vscode.workspace.openTextDocument(path)).getText(),
  async completions({ path, line, character }) {
    const document = await vscode.workspace.openTextDocument(path);
    await vscode.window.showTextDocument(document, { preview: false });
    const found = await vscode.commands.executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      document.uri,
      new vscode.Position(line, character),
    );
    return found.items.map(({ label }) => (typeof label === 'string' ? label : label.label));
  },
  problems: async ({ path, scheme = 'file' }) =>
    vscode.languages
      .getDiagnostics(vscode.Uri.file(path).with({ scheme }))
      .map(({ range, severity, source, message }) => {
        const place = `${range.start.line + 1}:${range.start.character + 1}`;
        return `${place} ${vscode.DiagnosticSeverity[severity]} ${source ?? ''}: ${message}`;
      }),
  watchTurns: async () => void (turns = watchTurns()),
  longestTurn: async () => turns.end(),
  showFindings: async ({ found }) => void showFindings(found),
  holdNextSave: () =>
    new Promise(resolve => {
      const next = vscode.workspace.onWillSaveTextDocument(event => {
        next.dispose();
        event.waitUntil(delay(1_700));
        resolve(undefined);
      });
    }),
  ...languageHandlers,
  window: async () => ({
    opened: (vscode.workspace.workspaceFile ?? vscode.workspace.workspaceFolders?.[0]?.uri)?.fsPath,
    pid: process.pid,
  }),
  async settings({ keys }) {
    const all = vscode.workspace.getConfiguration();
    return Object.fromEntries(keys.map(key => [key, all.inspect(key)?.globalValue]));
  },
  version: async () => ({ vscode: vscode.version, node: process.version }),
};

async function answer({ id, command, args }: DriverRequest): Promise<DriverReply> {
  try {
    const value: unknown = await handlers[command](args);
    return { id, ok: true, value };
  } catch (error) {
    return { id, ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}

export function activate(context: vscode.ExtensionContext): void {
  const path = process.env['ATLAS_DRIVER_SOCKET'];
  if (path === undefined) return;
  const socket: Socket = connect(path);
  context.subscriptions.push({ dispose: () => socket.destroy() });
  createInterface({ input: socket }).on('line', line => {
    // The only writer is the test that started this VS Code.
    const request = JSON.parse(line) as DriverRequest;
    void answer(request).then(reply => socket.write(`${JSON.stringify(reply)}\n`));
  });
}
