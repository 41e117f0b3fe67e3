import { isScriptClass } from '../../../protocol/script-class.ts';
import { nameOfPath } from '../../../protocol/path-name.ts';
import { plural } from '../../../base/plural.ts';
import type { RecordedResult } from '../../../protocol/run-result.ts';
import { recordedOutcome } from './change-outcome.ts';
import type { Localize } from '../../../vscode/localization/localize.ts';

/** The effect of a run and its requester: `3 scripts pushed by Copilot`, or `Shop pushed by Copilot` if it is one. */
export function runTitle({ changes, requestedBy: by, status, restoredSide }: RecordedResult, { t }: Localize): string {
  const done = changes.filter(change => {
    const outcome = recordedOutcome(change, status);
    return outcome !== undefined && changeOutcomes.has(outcome);
  });
  const count = done.length;
  const [first] = done;
  const verbs = new Set(done.map(({ choice }) => choice));
  const verb = verbs.size === 1 ? first?.choice : undefined;
  // Commands record files and folders by their paths.
  const areFiles = done.every(({ path, fsPath }) => path === fsPath);
  const areScripts = done.every(({ className }) => isScriptClass(className));
  const isRestore = restoredSide !== undefined;
  if (first === undefined) {
    if (isRestore) return t('Restore requested by {0}', by);
    const [undone] = changes;
    if (undone === undefined) return t('Sync requested by {0}', by);
    if (changes.every(({ outcome }) => outcome === 'skipped')) return t('Nothing changed by {0}', by);
    // Live Sync records changes that it could not carry out.
    return status === 'recorded'
      ? plural(
          changes.length,
          t('{0} not synced by {1}', nameOfPath(undone), by),
          t('{0} changes not synced by {1}', changes.length, by),
        )
      : t('Sync requested by {0}', by);
  }
  const name = nameOfPath(first);
  if (isRestore) {
    const restored = t('{0} restored by {1}', name, by);
    if (areFiles) return plural(count, restored, t('{0} files restored by {1}', count, by));
    if (areScripts) return plural(count, restored, t('{0} scripts restored by {1}', count, by));
    return plural(count, restored, t('{0} changes restored by {1}', count, by));
  }
  if (areFiles) return filesTitle(done, by, { t });
  if (verb === 'push') {
    const pushed = t('{0} pushed by {1}', name, by);
    if (areScripts) return plural(count, pushed, t('{0} scripts pushed by {1}', count, by));
    return plural(count, pushed, t('{0} changes pushed by {1}', count, by));
  }
  if (verb === 'pull') {
    const pulled = t('{0} pulled by {1}', name, by);
    if (areScripts) return plural(count, pulled, t('{0} scripts pulled by {1}', count, by));
    return plural(count, pulled, t('{0} changes pulled by {1}', count, by));
  }
  const synced = t('{0} synced by {1}', name, by);
  if (areScripts) return plural(count, synced, t('{0} scripts synced by {1}', count, by));
  return plural(count, synced, t('{0} changes synced by {1}', count, by));
}

/** The title of a run that wrote files without a sync. Folders are counted if nothing else changed. */
function filesTitle(done: RecordedResult['changes'], by: string, { t }: Localize): string {
  const inFolders = done.filter(({ className }) => className !== 'Folder');
  const files = inFolders.length === 0 ? done : inFolders;
  const count = files.length;
  const name = files[0] === undefined ? '' : nameOfPath(files[0]);
  const namesOf = (patchType: string): readonly string[] =>
    files
      .filter(file => file.patchType === patchType)
      .map(nameOfPath)
      .toSorted();
  const [deleted, created] = [namesOf('Add'), namesOf('Remove')];
  if (deleted.length === count)
    return plural(count, t('{0} deleted by {1}', name, by), t('{0} files deleted by {1}', count, by));
  if (deleted.length === 0)
    return plural(count, t('{0} written by {1}', name, by), t('{0} files written by {1}', count, by));
  // A file that gets another folder is created there and deleted here.
  if (deleted.length + created.length === count && deleted.join('/') === created.join('/'))
    return plural(created.length, t('{0} moved by {1}', name, by), t('{0} files moved by {1}', created.length, by));
  return plural(count, t('{0} changed by {1}', name, by), t('{0} files changed by {1}', count, by));
}

const changeOutcomes: ReadonlySet<string> = new Set(['applied', 'written', 'merged']);
