import type { Choice } from '../protocol/sync.ts';

/**
 * What a person had chosen in a review that ended without a decision, by the fingerprint of the change that they saw
 * (`review/fingerprint.ts`). It lives beside the workspace, so that a window that is reloaded loses nothing.
 */
export interface ReviewDrafts {
  /** Empty when nothing is known, also when what was kept cannot be read. */
  load(place: string): Promise<ReadonlyMap<string, Choice>>;
  /** Replaces what was kept of that place; an empty map forgets it. */
  save(place: string, choices: ReadonlyMap<string, Choice>): Promise<void>;
}
