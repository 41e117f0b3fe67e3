import type * as vscode from 'vscode';

export interface TreeSelection<Row> extends Disposable {
  /** The selected rows, also while VS Code reads the rows again. */
  current(): readonly Row[];
}

/** Follows the selection of a tree view. `TreeView.selection` lacks the rows that VS Code has not read again after a change of the tree. */
export function followSelection<Row>(
  view: Pick<vscode.TreeView<Row>, 'selection' | 'onDidChangeSelection'>,
): TreeSelection<Row> {
  let known = view.selection;
  const listening = view.onDidChangeSelection(({ selection }) => (known = selection));
  return {
    current: () => (view.selection.length < known.length ? known : view.selection),
    [Symbol.dispose]: () => listening.dispose(),
  };
}
