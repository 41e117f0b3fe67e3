import type { Translate } from '../base/sentence.ts';
import type { ReviewStrings } from '../protocol/review-strings.ts';
import { reviewStrings } from './review-strings.ts';

/** The texts of the review page for a `.pt` file and its `.pluto` file; the other texts are those for Studio. File extensions are not translated. */
export function plutoReviewStrings(localize: { readonly t: Translate }, locale: string): ReviewStrings {
  const common = reviewStrings(localize, locale);
  const { t } = localize;
  const leave = { skip: t('Skip: change nothing.'), merge: t('Merge: write the merge of both files to both of them.') };
  return {
    ...common,
    kinds: {
      Add: { name: t('Only in .pt'), explanation: t('The .pluto file does not have it.') },
      Remove: { name: t('Only in .pluto'), explanation: t('The .pt file does not have it.') },
      Edit: { name: common.kinds.Edit.name, explanation: t('Different in the .pluto and the .pt file.') },
    },
    choices: { ...common.choices, push: '.pt', pull: '.pluto' },
    effects: {
      Add: { push: t('Add it to the .pluto file.'), pull: t('Delete it from the .pt file.'), ...leave },
      Remove: { push: t('Delete it from the .pluto file.'), pull: t('Add it to the .pt file.'), ...leave },
      Edit: {
        push: t('Overwrite the .pluto file with the .pt file.'),
        pull: t('Overwrite the .pt file with the .pluto file.'),
        ...leave,
      },
    },
    personMerges: { ...common.personMerges, hunks: t('{0} of {1} hunks from .pluto', '{0}', '{1}') },
    groupEffects: {
      push: t('Use the .pt file for every change in this group (deletions excluded).'),
      pull: t('Use the .pluto file for every change in this group (deletions excluded).'),
      skip: common.groupEffects.skip,
    },
    reasons: {
      ...common.reasons,
      base_disk_moved: t('only the .pt file changed since the last sync'),
      base_studio_moved: t('only the .pluto file changed since the last sync'),
    },
    agentAsked: {
      ...common.agentAsked,
      push: t('Agent asks to use the .pt file'),
      pull: t('Agent asks to use the .pluto file'),
    },
    verdicts: {
      ...common.verdicts,
      hash_mismatch: {
        name: t('text changed'),
        explanation: t('The text that would be overwritten changed after the agent read it.'),
      },
    },
    sides: {
      ...common.sides,
      disk: t('Changed in the .pt'),
      studio: t('Changed in the .pluto'),
    },
    filter: {
      ...common.filter,
      className: t('Filter by kind of declaration'),
      anyClass: t('Any declaration'),
    },
    bulk: {
      ...common.bulk,
      push: t('All from .pt'),
      pushShown: t('Shown from .pt'),
      pushTooltip: t('Use the .pt file for every change shown (deletions excluded).'),
      pull: t('All from .pluto'),
      pullShown: t('Shown from .pluto'),
      pullTooltip: t('Use the .pluto file for every change shown (deletions excluded).'),
    },
    details: {
      ...common.details,
      openDiffTooltip: t('Compare the .pluto (left) with the .pt (right) in the editor (Enter)'),
    },
    outcomes: {
      ...common.outcomes,
      applied: t('Updated from the .pt file'),
      written: t('Updated from the .pluto file'),
    },
    // An `Add` is only in the .pt file, a `Remove` only in the .pluto file.
    outcomesOfKind: {
      Add: { applied: t('Added to the .pluto file'), written: t('Deleted from the .pt file') },
      Remove: { applied: t('Deleted from the .pluto file'), written: t('Added to the .pt file') },
    },
  };
}
