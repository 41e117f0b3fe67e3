import * as vscode from 'vscode';
import { mapConcurrent } from '../../base/map-concurrent.ts';
import { ifFound } from '../../base/errno.ts';
import { plural } from '../../base/plural.ts';
import { safeLine } from '../../base/safe-text.ts';
import type { SyncbackPreview } from '../../protocol/syncback-answer.ts';
import { confirmWithChanges } from '../../vscode/confirm-with-changes.ts';
import { syncbackQuestion } from './syncback-text.ts';
import { statFile } from '../../vscode/stat-file.ts';

/** A plan that waits for an answer. */
export interface SyncbackReview {
  readonly plan: SyncbackPreview;
  /** The folder of the project; paths of the plan are relative to it. */
  readonly folder: vscode.Uri;
  /** The folder with the planned content of each file. */
  readonly preview: vscode.Uri;
  /** The name of the place or model file. */
  readonly input: string;
  /** Aborted when the syncback is cancelled. */
  readonly signal: AbortSignal;
}

/** The scheme of read-only documents with the text of a file, whose path is the query. */
const previewScheme = 'atlas-syncback';

/** Reads the two sides of a planned file. */
const previewDocuments: vscode.TextDocumentContentProvider = {
  async provideTextDocumentContent({ query }) {
    const bytes = (await ifFound(vscode.workspace.fs.readFile(vscode.Uri.file(query)))) ?? new Uint8Array();
    return bytes.includes(0) ? vscode.l10n.t('Binary file, {0} bytes', bytes.length) : new TextDecoder().decode(bytes);
  },
};

/** Asks whether to carry out the plan: a modal dialog, which can show every planned file as a diff first. */
export async function reviewSyncback(review: SyncbackReview): Promise<boolean> {
  using _documents = asDisposable(
    vscode.workspace.registerTextDocumentContentProvider(previewScheme, previewDocuments),
  );
  const { plan, input } = review;
  const { question, verb } = syncbackQuestion(plan.counts.writing, plan.counts.removing, vscode.l10n);
  const detail = vscode.l10n.t('From {0}. The previous files are recorded in History.', input);
  const refused = plural(
    plan.refused.length,
    vscode.l10n.t('1 instance cannot be written.'),
    vscode.l10n.t('{0} instances cannot be written.', plan.refused.length),
  );
  return await confirmWithChanges({
    question,
    detail: plan.refused.length === 0 ? detail : `${detail} ${refused}`,
    accept: verb,
    showChanges: () => showDiffs(review),
    signal: review.signal,
    isOfChanges: ({ label }) => label.startsWith(titleOf(review)),
  });
}

/** How many files are looked up at a time. */
const CONCURRENCY = 16;

function titleOf({ plan, input }: Pick<SyncbackReview, 'plan' | 'input'>): string {
  const shown = plan.writing.length + plan.removing.length;
  const count = plan.counts.writing + plan.counts.removing;
  const title =
    shown === count
      ? vscode.l10n.t('Syncback from {0}', input)
      : vscode.l10n.t('Syncback from {0}: the first {1} of {2} files', input, shown, count);
  return safeLine(title);
}

const asDisposable = (registered: vscode.Disposable): Disposable => ({
  [Symbol.dispose]: () => void registered.dispose(),
});

async function showDiffs({ plan, folder, preview, input }: SyncbackReview): Promise<void> {
  // One path for both sides: VS Code shows files of two paths as renamed.
  const side = (path: string, root: vscode.Uri): vscode.Uri =>
    vscode.Uri.from({ scheme: previewScheme, path: `/${path}`, query: vscode.Uri.joinPath(root, path).fsPath });
  /** `undefined`: there is no such file, which differs from an empty one. */
  const current = async (path: string): Promise<vscode.Uri | undefined> => {
    const found = await statFile(vscode.Uri.joinPath(folder, path));
    return found && side(path, folder);
  };
  const written = await mapConcurrent(plan.writing, CONCURRENCY, async path => {
    const planned = side(path, preview);
    return [planned, await current(path), planned];
  });
  // Before the written files, of which there can be hundreds.
  const removed = plan.removing.map(path => [side(path, folder), side(path, folder), undefined]);
  await vscode.commands.executeCommand('vscode.changes', titleOf({ plan, input }), [...removed, ...written]);
}
