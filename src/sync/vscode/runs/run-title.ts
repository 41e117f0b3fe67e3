import { isScriptClass } from '../../../protocol/script-class.ts';
import { nameOfPath } from '../../../protocol/path-name.ts';
import { plural } from '../../../base/plural.ts';
import type { RecordedResult } from '../../../protocol/run-result.ts';
import { isRenamed, recordedOutcome, shownChanges } from './change-outcome.ts';
import type { Localize } from '../../../vscode/localization/localize.ts';

/** The effect of a run and its requester: `3 scripts pushed by Copilot`, or `Shop pushed by Copilot` if it is one. */
export function runTitle({ changes, requestedBy: by, status, restoredSide }: RecordedResult, { t }: Localize): string {
  const done = shownChanges(changes).filter(change => {
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
    if (changes.every(({ reason }) => reason?.code === 'studio_had_it'))
      return plural(
        changes.length,
        t('{0}: Studio already had this change', nameOfPath(undone)),
        t('Studio already had {0} changes', changes.length),
      );
    const isUnsent = changes.some(({ reason }) => reason?.code === 'live_ended_first');
    if (!isUnsent && changes.every(({ outcome }) => outcome === 'skipped')) return t('Nothing changed by {0}', by);
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
  const [first] = files;
  const name = first === undefined ? '' : nameOfPath(first);
  const moved = files.flatMap(({ path, movedFrom }) => (movedFrom === undefined ? [] : [{ path, from: movedFrom }]));
  if (moved.length === count) {
    const former = nameOfPath({ path: first?.movedFrom ?? '' });
    return moved.every(({ path, from }) => isRenamed(path, from))
      ? plural(count, t('{0} renamed to {1} by {2}', former, name, by), t('{0} files renamed by {1}', count, by))
      : plural(count, t('{0} moved by {1}', name, by), t('{0} files moved by {1}', count, by));
  }
  const deletedCount = files.filter(({ patchType }) => patchType === 'Add').length;
  if (deletedCount === count)
    return plural(count, t('{0} deleted by {1}', name, by), t('{0} files deleted by {1}', count, by));
  if (deletedCount === 0 && moved.length === 0)
    return plural(count, t('{0} written by {1}', name, by), t('{0} files written by {1}', count, by));
  return plural(count, t('{0} changed by {1}', name, by), t('{0} files changed by {1}', count, by));
}

const changeOutcomes: ReadonlySet<string> = new Set(['applied', 'written', 'merged']);
