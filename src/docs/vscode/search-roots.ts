import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable-store.ts';
import { AppError } from '../../base/errors.ts';
import type { Retrieval } from '../retrieval.ts';
import type { Terms } from '../scope/retrieval-deps.ts';
import type { RankedHit } from '../search/smart-search.ts';
import type { Logger } from '../../ports/logger.ts';
import { addDisposable } from '../../vscode/add-disposable.ts';
import { personSentence } from '../../vscode/localization/person-sentence.ts';

/** Hits that are offered at once. */
const OFFERED = 100;
/** Milliseconds after the last key before it is searched. */
const REST_MS = 120;

interface HitItem extends vscode.QuickPickItem {
  readonly hit?: RankedHit;
}

/**
 * Searches all roots while the person types, and shows the place of the line that is marked beside the list. Answers the chosen place,
 * or `undefined`, with what was shown before shown again.
 */
export async function searchRoots(
  retrieval: Retrieval,
  terms: Terms,
  log: Logger,
  query: string,
): Promise<{ readonly root: string; readonly path: string; readonly line: number } | undefined> {
  using store = new DisposableStore();
  const pick = addDisposable(store, vscode.window.createQuickPick<HitItem>());
  const before = vscode.window.activeTextEditor;
  const { promise: closed, resolve: close } = Promise.withResolvers<RankedHit | undefined>();
  let search = new AbortController();
  let looked = false;
  let rest: ReturnType<typeof setTimeout> | undefined;
  store.defer(() => {
    clearTimeout(rest);
    search.abort();
  });

  const look = async (text: string): Promise<void> => {
    search.abort();
    search = new AbortController();
    const { signal } = search;
    if (text.trim() === '') {
      pick.items = [];
      pick.busy = false;
      return;
    }
    pick.busy = true;
    try {
      const asked = { scope: undefined, query: text, include: [], exclude: [], limit: OFFERED, cursor: undefined };
      const { result } = await retrieval.smartSearch(asked, terms, signal);
      if (!signal.aborted) pick.items = result.length === 0 ? [nothing(text)] : result.map(hitItem);
    } catch (error) {
      if (signal.aborted) return;
      const failure = AppError.from(error);
      log.warn('a search of the roots failed', { code: failure.code });
      pick.items = [{ label: `$(warning) ${personSentence(failure, vscode.l10n)}`, alwaysShow: true }];
    } finally {
      if (!signal.aborted) pick.busy = false;
    }
  };
  const lookSoon = (text: string): void => {
    clearTimeout(rest);
    rest = setTimeout(() => void look(text), REST_MS);
  };

  pick.title = vscode.l10n.t('Atlas Bridge: Search Roots');
  pick.placeholder = vscode.l10n.t('Search all roots by file name, heading, declaration or text');
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  addDisposable(store, pick.onDidChangeValue(lookSoon));
  addDisposable(
    store,
    pick.onDidChangeActive(([item]) => {
      if (item?.hit === undefined) return;
      looked = true;
      void show(retrieval, item.hit, true, log);
    }),
  );
  addDisposable(
    store,
    pick.onDidAccept(() => close(pick.activeItems[0]?.hit)),
  );
  addDisposable(
    store,
    pick.onDidHide(() => close(undefined)),
  );
  pick.value = query;
  pick.show();
  if (query !== '') lookSoon(query);

  const hit = await closed;
  if (hit !== undefined) {
    await show(retrieval, hit, false, log);
    return { root: hit.root, path: hit.path, line: hit.line };
  }
  if (before !== undefined) await vscode.window.showTextDocument(before.document, before.viewColumn);
  else if (looked) await closePreview();
  return undefined;
}

/** Nothing was open before the look, so nothing is after it. */
async function closePreview(): Promise<void> {
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
  if (tab?.isPreview === true) await vscode.window.tabGroups.close(tab);
}

/** Shown whatever the list's own filter thinks of it: the words of the query need not stand side by side. */
const hitItem = (hit: RankedHit): HitItem => ({
  hit,
  label: `${icons[hit.why]} ${hit.path.slice(hit.path.lastIndexOf('/') + 1)}:${hit.line}`,
  description: `${hit.root} · ${hit.path}`,
  detail: hit.preview.trim(),
  alwaysShow: true,
});
const icons: Readonly<Record<RankedHit['why'], string>> = {
  name: '$(file)',
  heading: '$(bookmark)',
  symbol: '$(symbol-method)',
  phrase: '$(quote)',
  text: '$(list-selection)',
};
const nothing = (text: string): HitItem => ({
  label: vscode.l10n.t('No results for {0}', text),
  alwaysShow: true,
});

/** Opens the file of a hit at its line; for a look only, the list keeps the keyboard. */
async function show(retrieval: Retrieval, hit: RankedHit, isPreview: boolean, log: Logger): Promise<void> {
  try {
    const { roots } = await retrieval.listRoots();
    const found = roots.find(({ definition }) => definition.id === hit.root)?.checkout;
    if (found?.kind !== 'present') return;
    const at = new vscode.Position(hit.line - 1, 0);
    await vscode.window.showTextDocument(vscode.Uri.joinPath(vscode.Uri.file(found.folder), ...hit.path.split('/')), {
      preview: isPreview,
      preserveFocus: isPreview,
      selection: new vscode.Range(at, at),
    });
  } catch (error) {
    // The file may be gone since it was found; the list still says what it held.
    log.warn('a hit could not be shown', { path: hit.path, reason: String(error) });
  }
}
