import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Emitter } from '../../../src/base/emitter.ts';
import type { ReviewControl, ReviewUpdate } from '../../../src/ports/review-surface.ts';
import type { ReviewStatus } from '../../../src/protocol/review.ts';
import { OpenReviews } from '../../../src/review/open-reviews.ts';

/** A review of which only the phase matters. */
function fakeReview(placeName: string) {
  const changed = new Emitter<ReviewUpdate>();
  let phase: ReviewStatus['phase'] = 'deciding';
  const status = () => ({ placeName, phase }) as ReviewStatus;
  return {
    control: { status, onDidChange: changed.event } as unknown as ReviewControl,
    enter(next: ReviewStatus['phase']): void {
      phase = next;
      changed.fire({ status: status(), rows: undefined });
    },
  };
}

test('names the review that opened last until each one is decided', () => {
  using reviews = new OpenReviews();
  const seen: (string | undefined)[] = [];
  using _ = reviews.onDidChange(() => seen.push(reviews.latest()?.placeName));
  const [sync, pluto] = [fakeReview('Obby'), fakeReview('geo.pt')];
  reviews.add(sync.control);
  reviews.add(pluto.control);
  // The page is opened again.
  reviews.add(sync.control);
  pluto.enter('deciding');
  pluto.enter('applying');
  pluto.enter('ended');
  sync.enter('ended');
  reviews.add(sync.control);
  assert.deepEqual(seen, ['Obby', 'geo.pt', 'Obby', undefined]);
});
