import type { SavedDecision } from '../protocol/review.ts';

/**
 * Decisions that a person made in a review that ended without Apply or Reject, by the fingerprint of the change (`review/fingerprint.ts`).
 * Stored outside the workspace, so that decisions survive a reload of the window.
 */
export interface ReviewDrafts {
  /** Empty if nothing is stored or the stored decisions cannot be read. */
  load(place: string): Promise<ReadonlyMap<string, SavedDecision>>;
  /** Replaces the stored decisions of that place; an empty map removes them. */
  save(place: string, decisions: ReadonlyMap<string, SavedDecision>): Promise<void>;
}
