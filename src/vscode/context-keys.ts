import * as vscode from 'vscode';

/** Creates a `setContext` that skips unchanged values. */
export function createContextSetter(): (key: string, value: boolean) => void {
  const current = new Map<string, boolean>();
  return (key, value) => {
    if (current.get(key) === value) return;
    current.set(key, value);
    void vscode.commands.executeCommand('setContext', key, value);
  };
}
