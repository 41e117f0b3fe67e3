import type { Prompt } from '../../mcp/prompt.ts';

const resolveConflicts: Prompt = {
  name: 'resolve-conflicts',
  title: 'Resolve conflicts between disk and Studio',
  description: 'Merges every script that was changed on both sides, and leaves to you what only you can decide.',
  arguments: [
    { name: 'path', description: 'Only below this path of the game or of the project; empty: all.', required: false },
  ],
  write: ({ path }) =>
    `Resolve the conflicts between disk and Studio${path === undefined ? '' : ` below ${path}`}.

1. Call atlas_sync with mode "dryrun". Changes whose direction is "unresolved" are the conflicts; explain to me in a line each what the two sides did.
2. For each conflicting script: read Studio's text with get_script by its id, read the file at fsPath, and merge both intentions into the file. Lose neither. Where they contradict each other, ask me instead of guessing.
3. Call atlas_sync with mode "standard" and one override per merged script: direction "push", and the studioHash that get_script answered. It is the proof that Studio still holds what you merged.
4. Read the verdicts. "hash_mismatch" means that Studio moved meanwhile: go back to step 2 for that script. Never repeat an override with a new hash without reading the text again.
5. For properties that differ, show me both values and ask; then use an override with expectedProperties.
6. A removal is never yours to decide: leave it to me in the review.
7. If the answer is review_pending, call operation_wait. At the end report what was applied, what was written and what is left.`,
};

const reviewSync: Prompt = {
  name: 'review-sync',
  title: 'Review what a sync would do',
  description: 'Lists what differs between disk and Studio and what each choice would lose. Changes nothing.',
  arguments: [],
  write: () =>
    `Review what a sync would do now, and change nothing.

1. Call atlas_sync with mode "dryrun".
2. Group the changes by what belongs together (one feature, one model), not by file. For each group say which side is newer and why you think so (defaultReason), and what would be lost by push and by pull.
3. For scripts that differ, read both texts (get_script by id, and the file at fsPath) and summarise the difference in a sentence.
4. Point out above all: removals, changes that are unresolved, and anything that looks like unfinished work.
5. End with a proposal: what to push, what to pull, what to leave to a person in the review. Wait for my answer.`,
};

/** The workflows of the `sync` toolset. */
export const syncPrompts: readonly Prompt[] = [resolveConflicts, reviewSync];
