import type { ReviewRow } from './review.ts';
import type { ReviewStrings } from './review-strings.ts';

/** Whether the row has a merge to choose: a suggested one, or one that the person completed. */
export const canMerge = ({ merge, personMerge }: Pick<ReviewRow, 'merge' | 'personMerge'>): boolean =>
  merge !== undefined || personMerge?.isComplete === true;

/** Describes a person's merge ("3 of 5 hunks from Studio"); `undefined` if the row has none, or another choice. */
export function describePersonMerge(
  { choice, personMerge }: Pick<ReviewRow, 'choice' | 'personMerge'>,
  { personMerges }: Pick<ReviewStrings, 'personMerges'>,
): string | undefined {
  if (personMerge === null || (choice !== null && choice !== 'merge')) return undefined;
  const { hunks, isComplete } = personMerge;
  if (hunks === null) return personMerges.text;
  const [template, done] = isComplete
    ? [personMerges.hunks, hunks.fromStudio]
    : [personMerges.undecidedHunks, hunks.decided];
  return template.replace('{0}', String(done)).replace('{1}', String(hunks.total));
}
