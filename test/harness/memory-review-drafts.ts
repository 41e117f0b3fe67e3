import type { ReviewDrafts } from '../../src/ports/review-drafts.ts';
import type { SavedDecision } from '../../src/protocol/review.ts';

/** Review drafts in memory. */
export function memoryReviewDrafts(): ReviewDrafts {
  const places = new Map<string, ReadonlyMap<string, SavedDecision>>();
  return {
    load: async place => new Map(places.get(place)),
    async save(place, choices) {
      if (choices.size === 0) places.delete(place);
      else places.set(place, new Map(choices));
    },
  };
}
