import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import * as vscode from 'vscode';
import { type RpcRequest, handleRpcRequest } from '../../../../src/base/worker-rpc.ts';
import { type WatchedTurns, watchTurns } from '../../project/longest-turn.ts';
import { isAtlasBridge, recordTurns } from '../record-turns.ts';
import type { Probe } from './questions.ts';

let watched: WatchedTurns | undefined;
let recording: Awaited<ReturnType<typeof recordTurns>> | undefined;

const probe: Probe = {
  begin: () => void (watched = watchTurns()),
  end() {
    if (watched === undefined) throw new Error('end without begin');
    return watched.end();
  },
  async beginOwn() {
    recording = await recordTurns(isAtlasBridge);
  },
  async endOwn() {
    if (recording === undefined) throw new Error('endOwn without beginOwn');
    return recording.end();
  },
  async problem({ path, isThere }) {
    const uri = vscode.Uri.file(path);
    await untilProblems(() => vscode.languages.getDiagnostics(uri).length > 0 === isThere);
  },
  async readAgain({ path, name, value }) {
    const uri = vscode.Uri.file(path);
    const known = new Set(vscode.languages.getDiagnostics(uri));
    await probe.setting({ name, value });
    await untilProblems(() => vscode.languages.getDiagnostics(uri).some(one => !known.has(one)));
  },
  async setting({ name, value }) {
    await vscode.workspace.getConfiguration().update(name, value, vscode.ConfigurationTarget.Global);
  },
  async preview({ path }) {
    await vscode.commands.executeCommand('markdown.showPreview', vscode.Uri.file(path));
  },
  command: async ({ id, args }) => vscode.commands.executeCommand(id, ...args),
};

/** Resolves when `isSo` returns true, which is asked now and after each change of the Problems view. */
function untilProblems(isSo: () => boolean): Promise<void> {
  return new Promise(resolve => {
    const look = (): void => {
      if (!isSo()) return;
      listening.dispose();
      resolve();
    };
    const listening = vscode.languages.onDidChangeDiagnostics(look);
    look();
  });
}

export function activate(context: vscode.ExtensionContext): void {
  const path = process.env['ATLAS_PROBE_SOCKET'];
  if (path === undefined) return;
  const socket = connect(path);
  context.subscriptions.push({ dispose: () => socket.destroy() });
  createInterface({ input: socket }).on('line', line => {
    // Only the benchmark that started this VS Code writes to the socket.
    void handleRpcRequest(JSON.parse(line) as RpcRequest, probe).then(reply =>
      socket.write(`${JSON.stringify(reply)}\n`),
    );
  });
}
