import type { RestoredSide, ReviewRow, ReviewStatus } from './review.ts';
import type { ReviewStrings, ReviewTexts } from './review-strings.ts';
import type { Choice, Direction } from './sync-request.ts';

/** The direction that restores a recorded side. The record takes the place of the other side. */
export const restoringDirection: Readonly<Record<RestoredSide, Direction>> = { disk: 'pull', studio: 'push' };

/** The choices that every row of a review has. */
export function commonChoices(restore: RestoredSide | undefined): readonly Exclude<Choice, 'merge'>[] {
  return restore === undefined ? ['push', 'pull', 'skip'] : [restoringDirection[restore], 'skip'];
}

/** The choices of a row, in the order in which they are shown. */
export function choicesOf(
  row: Pick<ReviewRow, 'merge' | 'personMerge'>,
  restore: RestoredSide | undefined,
): readonly Choice[] {
  return restore === undefined && canMerge(row) ? ['push', 'pull', 'merge', 'skip'] : commonChoices(restore);
}

/** Which texts a review page uses. */
export const textsOf = ({ sides, restore }: Pick<ReviewStatus, 'sides' | 'restore'>): ReviewTexts =>
  restore === undefined ? sides : restore === 'disk' ? 'restoredDisk' : 'restoredStudio';

/** Whether the row has a merge to choose: a suggested one, or one that the person completed. */
export const canMerge = ({ merge, personMerge }: Pick<ReviewRow, 'merge' | 'personMerge'>): boolean =>
  merge !== undefined || personMerge?.isComplete === true;

/** Says which file a pull creates, or the new name that it gives to the file of the row; `undefined` if it does neither. */
export function describeNewFile(
  { fsPath, newFile }: Pick<ReviewRow, 'fsPath' | 'newFile'>,
  details: Pick<ReviewStrings['details'], 'newFile' | 'renamedFile'>,
): string | undefined {
  const template = fsPath === null ? details.newFile : details.renamedFile;
  return newFile === undefined ? undefined : template.replace('{0}', () => newFile);
}

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
