import type { ReviewFate } from '../../../protocol/review.ts';
import type { BridgeLife } from '../bridge-life.ts';
import { editorWords } from '../words/editor-words.ts';
import { recordedSummary } from '../words/person-sentence.ts';

/** What lock and journal know of a run whose review is not in this window. */
export async function fateOfReview(life: Pick<BridgeLife, 'begin'>, runId: string): Promise<ReviewFate> {
  const state = await life.begin();
  if (state.kind !== 'running') return { isElsewhere: false, outcome: null };
  const { engine } = state.bridge;
  const [isElsewhere, recorded] = await Promise.all([engine.isElsewhere(runId), engine.recorded(runId)]);
  const isKnown = recorded !== undefined && recorded.status !== 'running';
  return { isElsewhere, outcome: isKnown ? recordedSummary(recorded, editorWords) : null };
}
