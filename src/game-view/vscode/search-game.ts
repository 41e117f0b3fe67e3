import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable-store.ts';
import { AppError } from '../../base/errors.ts';
import { addDisposable } from '../../vscode/add-disposable.ts';
import { personSentence } from '../../vscode/localization/person-sentence.ts';
import { createSafeQuickPick } from '../../vscode/safe-window.ts';
import type { GameTree, SearchHit, SearchResult } from '../game-tree.ts';

/** Milliseconds between the last keystroke and the search. */
const DEBOUNCE_MS = 150;

interface HitItem extends vscode.QuickPickItem {
  readonly hit?: SearchHit;
}

/** Searches by name and class while the user types. Resolves with the chosen hit; `undefined` if the user cancels. */
export async function pickInstance(tree: GameTree): Promise<SearchHit | undefined> {
  using store = new DisposableStore();
  const { pick, setItems } = createSafeQuickPick<HitItem>();
  addDisposable(store, pick);
  const { promise: closed, resolve: close } = Promise.withResolvers<SearchHit | undefined>();
  let search = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  store.defer(() => {
    clearTimeout(timer);
    search.abort();
  });
  const run = async (text: string): Promise<void> => {
    search.abort();
    search = new AbortController();
    const { signal } = search;
    pick.busy = true;
    try {
      const result = await tree.find(text, signal);
      if (!signal.aborted) setItems(itemsOf(result, text));
    } catch (error) {
      if (!signal.aborted) setItems([notice(personSentence(AppError.from(error), vscode.l10n))]);
    } finally {
      if (!signal.aborted) pick.busy = false;
    }
  };
  pick.title = vscode.l10n.t('Atlas Bridge: Search Game');
  pick.placeholder = vscode.l10n.t('Search by name or class, for example: remote event');
  addDisposable(
    store,
    pick.onDidChangeValue(text => {
      clearTimeout(timer);
      timer = setTimeout(() => void run(text), DEBOUNCE_MS);
    }),
  );
  addDisposable(
    store,
    pick.onDidAccept(() => {
      const [item] = pick.selectedItems;
      if (item?.hit !== undefined) close(item.hit);
    }),
  );
  addDisposable(
    store,
    pick.onDidHide(() => close(undefined)),
  );
  pick.show();
  return await closed;
}

function itemsOf({ hits, isComplete }: SearchResult, text: string): readonly HitItem[] {
  if (hits.length === 0)
    return text.trim() === '' ? [] : [notice(vscode.l10n.t('No instance has "{0}" in its name or class.', text))];
  const items = hits.map(hit => ({
    label: hit.name,
    description: hit.className,
    detail: hit.names.join(' / '),
    alwaysShow: true,
    hit,
  }));
  return isComplete ? items : [...items, notice(vscode.l10n.t('There are more hits. Type more words.'))];
}

const notice = (label: string): HitItem => ({ label, alwaysShow: true });
