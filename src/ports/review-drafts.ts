import type { Choice } from '../protocol/sync.ts';

/**
 * Choices that a person made in a review that ended without a decision, by the fingerprint of the change (`review/fingerprint.ts`).
 * Stored outside the workspace, so that choices survive a reload of the window.
 */
export interface ReviewDrafts {
  /** Empty if nothing is stored or the stored choices cannot be read. */
  load(place: string): Promise<ReadonlyMap<string, Choice>>;
  /** Replaces the stored choices of that place; an empty map removes them. */
  save(place: string, choices: ReadonlyMap<string, Choice>): Promise<void>;
}
