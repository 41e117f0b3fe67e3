import type { Translate } from '../base/sentence.ts';
import type { RestoredSide } from '../protocol/review.ts';
import type { ReviewStrings } from '../protocol/review-strings.ts';
import { restoringDirection } from '../protocol/row-choices.ts';
import { reviewStrings } from './review-strings.ts';

/** The texts of a review that restores one side of a recorded sync. The recorded version takes the place of the other side. */
export function restoreStrings(
  localize: { readonly t: Translate },
  locale: string,
  restored: RestoredSide,
): ReviewStrings {
  const common = reviewStrings(localize, locale);
  const { t } = localize;
  const deleted = {
    name: t('Delete'),
    explanation: t('It was not there before the sync. Restoring deletes it.'),
  };
  const broughtBack = {
    name: t('Bring Back'),
    explanation: t('It existed before the sync and no longer does. Restoring brings it back.'),
  };
  const restoring = restoringDirection[restored];
  const choices = { ...common.choices, [restoring]: t('Restore') };
  const effectsOf = (restore: string) => ({ ...common.effects.Edit, [restoring]: restore });
  const restore = t('Restore: write the version from before the sync.');
  const remove = t('Restore: delete it.');
  const isDisk = restored === 'disk';
  return {
    ...common,
    title: t('Restore'),
    choices,
    kinds: {
      Add: isDisk ? deleted : broughtBack,
      Remove: isDisk ? broughtBack : deleted,
      Edit: { name: common.kinds.Edit.name, explanation: t('Different now and before the sync.') },
    },
    effects: {
      Add: effectsOf(isDisk ? remove : restore),
      Remove: effectsOf(isDisk ? restore : remove),
      Edit: effectsOf(restore),
    },
    groupEffects: {
      ...common.groupEffects,
      [restoring]: t('Restore every change in this group (deletions excluded).'),
    },
    bulk: {
      ...common.bulk,
      defaults: t('Restore All'),
      defaultsTooltip: t('Restore every change shown.'),
    },
    details: {
      ...common.details,
      openDiffTooltip: isDisk
        ? t('Compare the version from before the sync (left) with disk now (right) in the editor (Enter)')
        : t('Compare Studio now (left) with the version from before the sync (right) in the editor (Enter)'),
      inStudio: isDisk ? t('Before the sync') : t('In Studio now'),
      onDisk: isDisk ? t('On disk now') : t('Before the sync'),
      renamedFile: t('Restore renames it to {0}', '{0}'),
      // Restoring Studio writes no file, also where there is one.
      noFile: isDisk ? common.details.noFile : t('No file is changed.'),
    },
  };
}
