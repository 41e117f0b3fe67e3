import type { ReviewStatus } from '../protocol/review.ts';
import type { ReviewStrings } from '../protocol/review-strings.ts';
import { restoreStrings } from './restore-strings.ts';
import { englishLocalize, reviewStrings } from './review-strings.ts';
import { plutoReviewStrings } from './review-strings-pluto.ts';

/** The English texts of a review, for front ends that are not translated. */
export function englishStringsOf({ sides, restore }: Pick<ReviewStatus, 'sides' | 'restore'>): ReviewStrings {
  if (sides === 'pluto') return plutoReviewStrings(englishLocalize, 'en');
  return restore === undefined ? reviewStrings(englishLocalize, 'en') : restoreStrings(englishLocalize, 'en', restore);
}
