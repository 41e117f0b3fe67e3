import type { SavedDecision } from '../protocol/review.ts';

/**
 * Decisions of a person that were not carried out, by the fingerprint of the change (`review/fingerprint.ts`).
 * Stored outside the workspace, so that decisions survive a reload of the window.
 */
export interface ReviewDrafts {
  /**
   * Empty if nothing is stored or the stored decisions cannot be read.
   *
   * @param review identifies reviews of the same two sides: all syncs of a place, all restores of one side of a record
   */
  load(review: string): Promise<ReadonlyMap<string, SavedDecision>>;
  /** Replaces the stored decisions; an empty map removes them. */
  save(review: string, decisions: ReadonlyMap<string, SavedDecision>): Promise<void>;
}
