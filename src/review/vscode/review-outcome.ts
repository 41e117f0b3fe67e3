import type { ReviewOutcome } from '../../protocol/review.ts';
import type { BridgeLifecycle } from '../../vscode/bridge-lifecycle.ts';
import type { ServedBridge } from '../../vscode/served-bridge.ts';
import type { Localize } from '../../vscode/localization/localize.ts';
import { recordedSummary } from '../../vscode/localization/person-sentence.ts';

/** Reads the state of a run whose review is not in this window, from its lock and the journal. */
export async function readReviewOutcome(
  lifecycle: Pick<BridgeLifecycle, 'begin' | 'bridges'>,
  runId: string,
  words: Localize,
): Promise<ReviewOutcome> {
  const state = await lifecycle.begin();
  if (state.kind !== 'running') return { isElsewhere: false, outcome: null };
  for (const { engine } of lifecycle.bridges()) {
    const found = await readOutcome(engine, runId, words);
    if (found.isElsewhere || found.outcome !== null) return found;
  }
  return { isElsewhere: false, outcome: null };
}

async function readOutcome(engine: ServedBridge['engine'], runId: string, words: Localize): Promise<ReviewOutcome> {
  const isElsewhere = await engine.isElsewhere(runId);
  // Read the record after the lock: a run is recorded before its lock is released.
  const recorded = await engine.recorded(runId);
  const isKnown = recorded !== undefined && recorded.status !== 'running';
  return { isElsewhere, outcome: isKnown ? recordedSummary(recorded, words) : null };
}
