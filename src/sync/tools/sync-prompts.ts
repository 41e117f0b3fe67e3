import type { Prompt } from '../../mcp/prompt.ts';

const resolveConflicts: Prompt = {
  name: 'resolve-conflicts',
  title: 'Resolve conflicts between disk and Studio',
  description: 'Merges every script that changed on both sides, and asks you about the rest.',
  arguments: [
    {
      name: 'path',
      description: 'Only changes at or below this path of the game or of the project; empty for all.',
      required: false,
    },
  ],
  write: ({ path }) =>
    `Resolve the conflicts between disk and Studio${path === undefined ? '' : ` below ${path}`}.

1. Call atlas_diff. Changes whose direction is "unresolved" are the conflicts. Explain to me in one line each what the two sides did.
2. For each conflicting script: read Studio's text with get_script by its id, read the file at fsPath, and merge both changes into the file without losing either. If they contradict each other, ask me instead of guessing.
3. Call atlas_sync with mode "standard" and one override per merged script: direction "push", and the studioHash from get_script, which ensures that Studio still has the text that you merged.
4. Read the verdicts. "hash_mismatch" means that Studio has changed since: go back to step 2 for that script. Never repeat an override with a new hash without reading the text again.
5. For properties that differ, show me both values and ask; then use an override with expectedProperties.
6. Never decide a removal yourself: leave it to me in the review.
7. If the answer is review_pending, call operation_wait. At the end, report what was applied, what was written, and what remains.`,
};

const reviewSync: Prompt = {
  name: 'review-sync',
  title: 'Review what a sync would do',
  description: 'Lists the differences between disk and Studio, and what each choice would lose. Changes nothing.',
  arguments: [],
  write: () =>
    `Review what a sync would do now, and change nothing.

1. Call atlas_diff.
2. Group related changes (one feature, one model) instead of listing files. For each group, say which side is newer and why you think so (defaultReason), and what a push or a pull would lose.
3. For scripts that differ, read both texts (get_script by id, and the file at fsPath) and summarize the difference in one sentence.
4. Highlight removals, unresolved changes, and anything that looks like unfinished work.
5. End with a proposal of what to push, what to pull, and what to leave to a person in the review. Wait for my answer.`,
};

/** The workflows of the `sync` toolset. */
export const syncPrompts: readonly Prompt[] = [resolveConflicts, reviewSync];
