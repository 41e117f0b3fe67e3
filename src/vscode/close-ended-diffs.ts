import * as vscode from 'vscode';

/** Schemes of texts that end with the extension host: of reviews, comparisons with Studio, and changes that a question shows. */
const endedSchemes: ReadonlySet<string> = new Set([
  'atlas-studio',
  'atlas-compared',
  'atlas-agent',
  'atlas-pluto-agent',
  'atlas-syncback',
]);

/** Closes diffs that a window shows again after a reload although their texts ended with it, except those of a file with unsaved edits. */
export async function closeEndedDiffs(): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap(group => group.tabs);
  const ended = tabs.filter(
    ({ input, isDirty }) => !isDirty && urisOf(input).some(({ scheme }) => endedSchemes.has(scheme)),
  );
  if (ended.length > 0) await vscode.window.tabGroups.close(ended, true);
}

/** The documents of a diff. The input of an editor with several diffs has no public type, so it is recognized by its shape. */
function urisOf(input: unknown): readonly vscode.Uri[] {
  if (typeof input !== 'object' || input === null) return [];
  if ('textDiffs' in input && Array.isArray(input.textDiffs)) return input.textDiffs.flatMap(urisOf);
  const sides = ['original' in input ? input.original : undefined, 'modified' in input ? input.modified : undefined];
  return sides.filter(side => side instanceof vscode.Uri);
}
