import * as vscode from 'vscode';

/** Tells VS Code what `when` clauses ask for, each time that it is another value. */
export function createContextSetter(): (key: string, value: boolean) => void {
  const told = new Map<string, boolean>();
  return (key, value) => {
    if (told.get(key) === value) return;
    told.set(key, value);
    void vscode.commands.executeCommand('setContext', key, value);
  };
}
