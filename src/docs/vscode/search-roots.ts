import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable-store.ts';
import { AppError } from '../../base/errors.ts';
import type { Retrieval } from '../retrieval.ts';
import type { Terms } from '../scope/retrieval-deps.ts';
import type { RankedHit } from '../search/smart-search.ts';
import { logFailure } from '../../ports/log-failure.ts';
import type { Logger } from '../../ports/logger.ts';
import { activeEditor } from '../../vscode/active-file.ts';
import { addDisposable } from '../../vscode/add-disposable.ts';
import { personSentence } from '../../vscode/localization/person-sentence.ts';
import { createSafeQuickPick } from '../../vscode/safe-window.ts';
import { rootName } from './root-texts.ts';

/** Maximum number of shown hits. */
const MAX_SHOWN_HITS = 100;
/** Milliseconds between the last keystroke and the search. */
const DEBOUNCE_MS = 120;

interface HitItem extends vscode.QuickPickItem {
  readonly hit?: RankedHit;
}

/**
 * Searches all roots while the user types, and previews the active hit in the editor. Returns the chosen position. If the user cancels,
 * restores the previous editor and returns `undefined`.
 */
export async function searchRoots(
  retrieval: Retrieval,
  terms: Terms,
  log: Logger,
  query: string,
): Promise<{ readonly root: string; readonly path: string; readonly line: number } | undefined> {
  using store = new DisposableStore();
  const { pick, setItems } = createSafeQuickPick<HitItem>();
  addDisposable(store, pick);
  const before = activeEditor();
  const { promise: closed, resolve: close } = Promise.withResolvers<RankedHit | undefined>();
  let search = new AbortController();
  let previewed: RankedHit | undefined;
  /** Ends when no preview is being opened, so that none appears after the list has closed. */
  let previews: Promise<void> = Promise.resolve();
  let timer: ReturnType<typeof setTimeout> | undefined;
  store.defer(() => {
    clearTimeout(timer);
    search.abort();
  });

  const runSearch = async (text: string): Promise<void> => {
    search.abort();
    search = new AbortController();
    const { signal } = search;
    if (text.trim() === '') {
      setItems([]);
      pick.busy = false;
      return;
    }
    pick.busy = true;
    try {
      const request = {
        scope: undefined,
        query: text,
        include: [],
        exclude: [],
        limit: MAX_SHOWN_HITS,
        cursor: undefined,
      };
      const { result } = await retrieval.smartSearch(request, terms, signal);
      const { roots } = await retrieval.listRoots();
      const names = new Map(roots.map(({ definition }) => [definition.id, rootName(definition)]));
      const items = result.map(hit => hitItem(hit, names.get(hit.root) ?? hit.root));
      if (!signal.aborted) setItems(items.length === 0 ? [nothing(text)] : items);
    } catch (error) {
      if (signal.aborted) return;
      logFailure(log, 'a search of the roots failed', error);
      setItems([
        {
          label: personSentence(AppError.from(error), vscode.l10n),
          iconPath: new vscode.ThemeIcon('warning'),
          alwaysShow: true,
        },
      ]);
    } finally {
      if (!signal.aborted) pick.busy = false;
    }
  };
  const scheduleSearch = (text: string): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void runSearch(text), DEBOUNCE_MS);
  };

  pick.title = vscode.l10n.t('Atlas Bridge: Search Roots');
  pick.placeholder = vscode.l10n.t('Search all roots by file name, heading, declaration or text');
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  addDisposable(store, pick.onDidChangeValue(scheduleSearch));
  addDisposable(
    store,
    pick.onDidChangeActive(([item]) => {
      const hit = item?.hit;
      if (hit === undefined) return;
      previewed = hit;
      // A hit that is no longer the active one is skipped.
      previews = previews.then(() => (previewed === hit ? show(retrieval, hit, true, log) : undefined));
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
  if (query !== '') scheduleSearch(query);

  const hit = await closed;
  await previews;
  if (hit !== undefined) {
    await show(retrieval, hit, false, log);
    return { root: hit.root, path: hit.path, line: hit.line };
  }
  if (before !== undefined) await vscode.window.showTextDocument(before.document, before.viewColumn);
  else if (previewed !== undefined) await closePreview();
  return undefined;
}

/** Closes the preview, for when no editor was open before. */
async function closePreview(): Promise<void> {
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
  if (tab?.isPreview === true) await vscode.window.tabGroups.close(tab);
}

/** Creates an item. It is always shown, because VS Code's filter would hide hits whose words are not adjacent. */
const hitItem = (hit: RankedHit, root: string): HitItem => ({
  hit,
  iconPath: new vscode.ThemeIcon(icons[hit.why]),
  label: `${hit.path.slice(hit.path.lastIndexOf('/') + 1)}:${hit.line}`,
  description: `${root} · ${hit.path}`,
  detail: hit.preview.trim(),
  alwaysShow: true,
});
const icons: Readonly<Record<RankedHit['why'], string>> = {
  name: 'file',
  heading: 'bookmark',
  symbol: 'symbol-method',
  phrase: 'quote',
  text: 'list-selection',
};
const nothing = (text: string): HitItem => ({
  label: vscode.l10n.t('No results for {0}', text),
  alwaysShow: true,
});

/** Opens the file of a hit at its line. During a preview, the list keeps the focus. */
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
    // The file may have been deleted since the search; the list still shows the line.
    log.warn('opening a search hit failed', { path: hit.path, reason: String(error) });
  }
}
