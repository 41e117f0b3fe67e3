import type { ReviewDrafts } from '../../src/ports/review-drafts.ts';
import type { Choice } from '../../src/protocol/sync.ts';

/** Review drafts in memory. */
export function memoryReviewDrafts(): ReviewDrafts {
  const places = new Map<string, ReadonlyMap<string, Choice>>();
  return {
    load: async place => new Map(places.get(place)),
    async save(place, choices) {
      if (choices.size === 0) places.delete(place);
      else places.set(place, new Map(choices));
    },
  };
}
