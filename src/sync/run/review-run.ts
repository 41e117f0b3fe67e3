import { AppError } from '../../base/errors.ts';
import { say, type Sentence } from '../../base/sentence.ts';
import type { ReviewSurface } from '../../ports/review-surface.ts';
import type { Reflection } from '../../roblox/instances/reflection.ts';
import { parseRef } from '../../roblox/values/ref.ts';
import { followSides } from '../../review/follow-sides.ts';
import { keepChoices, restoreChoices } from '../../review/keep-choices.ts';
import type { ValueNames } from '../review/review-row.ts';
import { createReviewSession, type ReviewDecision, type ReviewSession } from '../../review/review-session.ts';
import { studioSides } from '../review/studio-sides.ts';
import type { RunChange } from '../changes/run-change.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import type { RunPhase, SyncRequest } from '../sync-engine.ts';
import { placeKey } from './agreement.ts';
import { compareSides, type CompareDeps, type Comparison } from './compare.ts';
import { diffTexts } from './diff-texts.ts';
import { warningsInWords } from './warnings-in-words.ts';
import { untilAborted } from '../../base/until-aborted.ts';
import { writeMerged, type MergeDeps } from './write-merged.ts';

export interface ReviewRunDeps extends CompareDeps, MergeDeps {
  readonly reflection: Reflection;
  /** `undefined` where no person can be asked. */
  readonly reviewSurface: ReviewSurface | undefined;
}

interface ReviewRunObserver {
  enter(phase: RunPhase, message: Sentence): void;
  compared(comparison: Comparison): void;
  reviewing(review: ReviewSession<RunChange> | undefined): void;
}

/**
 * Lets a person decide, and compares again whenever a side moves meanwhile. Resolves with the decision and with the comparison that it was
 * made on.
 */
export async function reviewRun(
  runId: string,
  request: SyncRequest,
  first: Comparison,
  deps: ReviewRunDeps,
  observer: ReviewRunObserver,
  signal: AbortSignal,
): Promise<{ readonly decision: ReviewDecision; readonly comparison: Comparison }> {
  if (deps.reviewSurface === undefined)
    throw new AppError('REVIEW_UNAVAILABLE', { reason: 'this bridge runs without VS Code' });
  let comparison = first;
  const { drafts, translate } = deps.reviewSurface;
  const sides = studioSides(
    valueNames(deps, () => comparison),
    request.restore?.side,
    translate,
  );
  // What a restore compares is no state of the project: nothing of it is for another review.
  const keeping = drafts === undefined || request.restore !== undefined ? undefined : { ...deps, drafts, sides };
  const place = placeKey(first.compared.place, deps.session);
  const kept = keeping && (await restoreChoices(place, first.changes, keeping));
  const review = createReviewSession({
    runId,
    placeName: first.compared.place.name,
    requestedBy: request.requestedBy,
    restore: request.restore?.side,
    sides,
    translate,
    changes: first.changes,
    kept: kept ?? new Set(),
    warnings: () => warningsInWords(comparison),
    refresh: () => follower.refresh(),
    async texts(change) {
      await follower.settled();
      return await diffTexts(change, comparison.compareId, deps);
    },
    async merge(change, text) {
      await follower.settled();
      await writeMerged({ change, text, comparison, requestedBy: request.requestedBy }, deps, signal);
      follower.refresh();
      await follower.settled();
    },
  });
  using follower = followSides({
    clock: deps.clock,
    review,
    onDidMove: deps.session.onDidChange,
    hasMoved: () => comparison.compared.messageCursor !== deps.session.revision(),
    async compare() {
      comparison = await compareSides(request.overrides, deps, signal, () => undefined);
      observer.compared(comparison);
      return comparison.changes;
    },
  });
  using _keeper = keeping && keepChoices(place, review, keeping);
  // In this order: whoever hears of the phase finds the review.
  observer.reviewing(review);
  observer.enter('reviewing', say`Waiting for a person to decide in VS Code`);
  await deps.reviewSurface.show(review, signal);
  const decision = await untilAborted(Promise.race([review.decision, follower.failed]), signal);
  observer.reviewing(undefined);
  return { decision, comparison };
}

function valueNames({ reflection, session }: ReviewRunDeps, current: () => Comparison): ValueNames {
  return {
    enumItem(className, property, value) {
      const type = reflection.property(className, property)?.type;
      return typeof type === 'object' ? reflection.enumItemName(type.enum, value) : undefined;
    },
    path(id) {
      const ref = parseRef(id);
      const known = ref === undefined ? undefined : pathOnDisk(ref, session);
      return known ?? current().changes.find(change => change.studio.id === id)?.studio.path;
    },
  };
}

function pathOnDisk(id: ReturnType<typeof parseRef>, session: ProjectSession): string | undefined {
  const names: string[] = [];
  for (let at = id && session.get(id); at !== undefined && at.id !== session.rootId; at = session.get(at.parent))
    names.unshift(at.name);
  return names.length === 0 ? undefined : names.join('/');
}
