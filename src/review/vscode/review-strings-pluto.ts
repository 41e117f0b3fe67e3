import type { ReviewStrings } from '../../protocol/review-strings.ts';
import type { Localize } from '../../vscode/localization/localize.ts';
import { reviewStrings } from './review-strings.ts';

/** What the review page says where a `.pt` and its `.pluto` are compared; the rest is as with Studio. Names of files are in no language. */
export function plutoReviewStrings(localize: Localize, locale: string): ReviewStrings {
  const common = reviewStrings(localize, locale);
  const { t } = localize;
  const leave = t('Leaves both sides as they are.');
  return {
    ...common,
    kinds: {
      Add: { ...common.kinds.Add, explanation: t('In the .pt only: the .pluto does not have it.') },
      Remove: { ...common.kinds.Remove, explanation: t('In the .pluto only: the .pt does not have it.') },
      Edit: common.kinds.Edit,
    },
    choices: { ...common.choices, push: '.pt', pull: '.pluto' },
    effects: {
      Add: { push: t('Adds it to the .pluto.'), pull: t('Deletes it from the .pt.'), skip: leave },
      Remove: { push: t('Deletes it from the .pluto.'), pull: t('Adds it to the .pt.'), skip: leave },
      Edit: {
        push: t('The .pt wins: replaces it in the .pluto.'),
        pull: t('The .pluto wins: replaces it in the .pt.'),
        skip: leave,
      },
    },
    groupEffects: {
      push: t('The .pt wins for everything in here that deletes nothing.'),
      pull: t('The .pluto wins for everything in here that deletes nothing.'),
      skip: common.groupEffects.skip,
    },
    reasons: {
      ...common.reasons,
      base_disk_moved: t('only the .pt moved since both sides agreed'),
      base_studio_moved: t('only the .pluto moved since both sides agreed'),
    },
    agentAsked: { push: t('Agent asks to take the .pt'), pull: t('Agent asks to take the .pluto') },
    verdicts: {
      ...common.verdicts,
      hash_mismatch: {
        name: t('text changed since'),
        explanation: t('The agent has seen another text on the side that would lose.'),
      },
    },
    sides: {
      ...common.sides,
      disk: t('Changed in the .pt'),
      studio: t('Changed in the .pluto'),
    },
    filter: {
      ...common.filter,
      className: t('Show one kind of declaration'),
      anyClass: t('Any declaration'),
    },
    bulk: {
      ...common.bulk,
      push: t('All from .pt'),
      pushShown: t('Shown from .pt'),
      pushTooltip: t('The .pt wins for every change in the list that deletes nothing.'),
      pull: t('All from .pluto'),
      pullShown: t('Shown from .pluto'),
      pullTooltip: t('The .pluto wins for every change in the list that deletes nothing.'),
    },
    details: {
      ...common.details,
      openDiffTooltip: t('Compare the .pluto (left) with the .pt (right) in the editor (Enter)'),
    },
    outcomes: { ...common.outcomes, applied: t('Taken from the .pt'), written: t('Taken from the .pluto') },
  };
}
