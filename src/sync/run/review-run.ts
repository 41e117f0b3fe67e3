import { AppError } from '../../base/errors.ts';
import { say } from '../../base/sentence.ts';
import { untilAborted } from '../../base/until-aborted.ts';
import type { Random } from '../../ports/random.ts';
import type { DiffTexts, ReviewSurface } from '../../ports/review-surface.ts';
import type { StudioLink } from '../../studio/studio-link.ts';
import type { Reflection } from '../../roblox/instances/reflection.ts';
import { parseRef } from '../../roblox/values/ref.ts';
import { followSides } from '../../review/follow-sides.ts';
import { saveChoices, restoreChoices } from '../../review/saved-choices.ts';
import { createReviewSession, type ReviewDecision } from '../../review/review-session.ts';
import { enumItemNames, type RunChange } from '../changes/run-change.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import type { ValueNames } from '../review/review-row.ts';
import { studioSides } from '../review/studio-sides.ts';
import type { SyncRequest } from '../sync-engine.ts';
import { placeKey } from './learn-base.ts';
import { compareSides, type CompareDeps, type Comparison } from './compare.ts';
import { execute, type ExecuteDeps } from './apply.ts';
import { warningsOf } from './run-messages.ts';
import type { RunObserver } from './run-state.ts';

interface MergeDeps extends ExecuteDeps {
  readonly session: ProjectSession;
  readonly link: StudioLink;
  readonly random: Random;
}

export interface ReviewRunDeps extends CompareDeps, MergeDeps {
  readonly reflection: Reflection;
  /** `undefined` where no person can be asked. */
  readonly reviewSurface: ReviewSurface | undefined;
}

/** Has a person decide, and compares again whenever a side changes. Resolves with the decision and the comparison that it is based on. */
export async function reviewRun(
  runId: string,
  request: SyncRequest,
  first: Comparison,
  deps: ReviewRunDeps,
  observer: Pick<RunObserver, 'enter'>,
  signal: AbortSignal,
): Promise<{ readonly decision: ReviewDecision; readonly comparison: Comparison }> {
  const surface = deps.reviewSurface;
  if (surface === undefined && request.canDecide !== true)
    throw new AppError('REVIEW_UNAVAILABLE', { reason: 'neither VS Code nor the client that asked can show it' });
  let comparison = first;
  const { drafts, translate } = surface ?? {};
  const sides = studioSides(
    valueNames(deps, () => comparison),
    request.restore?.side,
    translate,
  );
  // A restore does not compare the project, so its choices are of no use to another review.
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
    restoredIds: kept ?? new Set(),
    warnings: () => warningsOf(comparison),
    refresh: () => follower.refresh(),
    async texts(change) {
      await follower.settled();
      return await diffTexts(change, comparison, deps);
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
    onDidChangeSide: deps.session.onDidChange,
    hasChanged: () => comparison.compared.messageCursor !== deps.session.revision(),
    async compare() {
      comparison = await compareSides(request.overrides, deps, signal, () => undefined);
      observer.enter({ type: 'compared', comparison });
      return comparison.changes;
    },
  });
  using _keeper = keeping && saveChoices(place, review, keeping);
  observer.enter({ type: 'reviewing', review }, say`Waiting for a person to decide`);
  await surface?.show(review, signal);
  const decision = await untilAborted(Promise.race([review.decision, follower.failed]), signal);
  return { decision, comparison };
}

function valueNames({ reflection, session }: ReviewRunDeps, current: () => Comparison): ValueNames {
  return {
    enumItem: enumItemNames(reflection),
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

/**
 * Both texts of a change, the text that both sides last had (else the committed one), and the merge of all three. Studio's text is read now,
 * so that a person sees the current one.
 */
async function diffTexts(
  change: RunChange,
  { compareId, base: known }: Comparison,
  deps: ReviewRunDeps,
): Promise<DiffTexts> {
  const { link, git, baseTexts } = deps;
  const { signal } = new AbortController();
  const title = change.studio.path;
  const source = change.disk?.properties.get('Source');
  const disk = source?.type === 'String' ? { fsPath: change.fsPath, text: source.value } : undefined;
  if (change.studio.patchType === 'Add') return { title, disk, studio: undefined, base: undefined };
  const reply = await link.read(compareId, [change.studio.id], signal);
  const text = reply.instances[0]?.source;
  if (text === undefined) throw new AppError('SCRIPT_NOT_FOUND', { what: `${title} in Studio` });
  const hash = change.sides.hasBase ? known.stateOf(change.disk?.id, title)?.source : undefined;
  const common = hash === undefined ? undefined : await baseTexts.read(hash, signal);
  const committed =
    common !== undefined || disk === undefined || change.fsPath === null
      ? undefined
      : await git.committed(change.fsPath, signal);
  const baseText = common ?? (committed && new TextDecoder().decode(committed));
  const base = baseText === undefined ? undefined : { text: baseText };
  const merged =
    base === undefined || disk === undefined ? undefined : await mergeTexts(base.text, disk.text, text, deps);
  return { title, disk, studio: { text }, base, ...(merged === undefined ? {} : { merged }) };
}

async function mergeTexts(
  base: string,
  disk: string,
  studio: string,
  { merger, log }: ReviewRunDeps,
): Promise<{ readonly text: string } | undefined> {
  try {
    const { text } = await merger.merge({ base, disk, studio });
    return { text };
  } catch (error) {
    // VS Code merges the texts in its own way then.
    log.warn('could not merge a script', { reason: String(error) });
    return undefined;
  }
}

interface MergedText {
  readonly change: RunChange;
  readonly text: string;
  /** The comparison that the person saw. */
  readonly comparison: Comparison;
  readonly requestedBy: string;
}

/** The review shows the outcome itself. */
const unobserved = { journaled: () => undefined, committing: () => undefined };
const refusal = (reason: string): AppError => new AppError('REVIEW_REFUSED', { reason });

/**
 * Writes a text that a person merged from both sides to the script's file. The journal records it as a run, so that both old texts can
 * be restored.
 *
 * @throws AppError REVIEW_REFUSED, with nothing written, when a side has changed since the comparison
 */
async function writeMerged(merged: MergedText, deps: MergeDeps, signal: AbortSignal): Promise<void> {
  const { change, text, comparison, requestedBy } = merged;
  const { session, link, journal, clock } = deps;
  const seen = change.disk;
  if (seen === undefined || change.studio.patchType !== 'Edit')
    throw refusal('only one side has a text, so there is nothing to merge');
  await session.refresh(signal);
  if (session.get(seen.id)?.properties !== seen.properties)
    throw refusal('the file changed on disk since the comparison; open the diff again');
  const { instances } = await link.read(comparison.compareId, [change.studio.id], signal);
  const [studio] = instances;
  if (studio === undefined || studio.studioHash !== change.studio.studioHash)
    throw refusal('the script changed in Studio since the comparison; open the diff again');
  const request = { kind: 'edit', id: seen.id, studio: { ...studio, source: text, properties: {} } } as const;
  const plan = await session.planPull(request, signal);
  if (!plan.ok) throw refusal(plan.reason);
  if (plan.edits.length === 0) return;

  const own: RunChange = { ...change, choice: 'pull', reason: undefined, outcome: undefined };
  const runId = deps.random.uuid();
  const { place } = comparison.compared;
  const writes = plan.edits.map(edit => ({ edit, changes: [own] }));
  const planned = [{ change: own, studio }];
  const run = { runId, mode: 'manual', requestedBy, place, planned, writes, studio: undefined } as const;
  await execute(run, deps, signal, unobserved);
  const failed = own.outcome !== 'written';
  await journal.finish(runId, {
    at: clock.date(),
    status: failed ? 'partial' : 'success',
    summary: `Merged both sides of ${change.studio.path} into the file`,
    outcomes: [{ id: change.studio.id, outcome: own.outcome ?? 'failed', ...(own.reason && { reason: own.reason }) }],
  });
  if (failed) throw refusal(own.reason ?? 'the merged text was not written');
}
