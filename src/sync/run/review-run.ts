import { namedPath, nameOfPath } from '../../protocol/path-name.ts';
import { AppError, reviewRefused } from '../../base/errors.ts';
import { say } from '../../base/sentence.ts';
import { untilAborted } from '../../base/until-aborted.ts';
import type { DiffTexts, ReviewSurface } from '../../ports/review-surface.ts';
import { mergesCapability } from '../../protocol/studio/stream.ts';
import type { StudioLink } from '../../studio/studio-link.ts';
import type { Reflection } from '../../roblox/instances/reflection.ts';
import { parseRef } from '../../roblox/values/ref.ts';
import { followSides } from '../../review/follow-sides.ts';
import { saveChoices, restoreChoices } from '../../review/saved-choices.ts';
import { createReviewSession, type ReviewDecision } from '../../review/review-session.ts';
import { enumItemNames, isIncomplete, type RunChange } from '../changes/run-change.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import { instancePath } from '../../project/tree/instance-path.ts';
import type { ValueNames } from '../review/review-row.ts';
import { studioSides } from '../review/studio-sides.ts';
import type { RestoreRequest, SyncEngineDeps, SyncRequest } from '../sync-engine.ts';
import { placeKey } from '../base/place-key.ts';
import { readUntracked, PersonTracking, untrackedList } from './untracked.ts';
import { compareSides, type CompareDeps, type Comparison } from './compare.ts';
import { warningsOf } from './run-messages.ts';
import type { RunObserver } from './run-state.ts';

export interface ReviewRunDeps extends CompareDeps {
  readonly session: ProjectSession;
  readonly link: StudioLink;
  readonly reflection: Reflection;
  /** `undefined` if no person can be asked. */
  readonly reviewSurface: ReviewSurface | undefined;
  readonly onDidChangeUnsaved?: SyncEngineDeps['onDidChangeUnsaved'];
}

/** A person's decision. */
export interface Reviewed {
  readonly decision: ReviewDecision;
  /** The comparison that the decision is based on. */
  readonly comparison: Comparison;
  /** Forgets the saved choices that Apply has carried out. The next review restores the others. */
  forgetApplied(): Promise<void>;
}

/** Lets a person decide, and compares again whenever a side changes. */
export async function reviewRun(
  runId: string,
  request: SyncRequest,
  first: Comparison,
  deps: ReviewRunDeps,
  observer: Pick<RunObserver, 'enter'>,
  signal: AbortSignal,
): Promise<Reviewed> {
  const surface = deps.reviewSurface;
  if (surface === undefined && request.canDecide !== true && deps.link.review === undefined)
    throw new AppError('REVIEW_UNAVAILABLE', {
      reason: 'neither VS Code, the client that asked nor Studio can show it',
    });
  let comparison = first;
  const tracked = new PersonTracking();
  const { drafts, translate } = surface ?? {};
  const names = valueNames(deps, () => comparison);
  const sides = studioSides(names, request.restore?.side, translate);
  const saving = drafts === undefined ? undefined : { ...deps, drafts, sides };
  const place =
    request.restore === undefined ? placeKey(first.compared.place, deps.session) : restoreKey(request.restore);
  const restoredIds = saving && (await restoreChoices(place, first.changes, saving));
  const review = createReviewSession({
    runId,
    placeName: first.compared.place.name,
    requestedBy: request.requestedBy,
    restore: request.restore?.side,
    sides,
    translate,
    changes: first.changes,
    restoredIds: restoredIds ?? new Set(),
    warnings: () => warningsOf(comparison),
    refresh: () => follower.refresh(),
    async track(id, property) {
      const found = comparison.untracked?.properties.find(each => each.id === id && each.property === property);
      if (found === undefined) throw reviewRefused('no_such_change', id);
      tracked.add(found);
      follower.refresh();
      await follower.settled();
    },
    async texts(change) {
      await follower.settled();
      return await diffTexts(change, comparison, deps);
    },
    async checkMerge(change) {
      await follower.settled();
      await checkMerge(change, comparison, deps, signal);
    },
  });
  using follower = followSides({
    clock: deps.clock,
    review,
    onDidChangeSide: deps.session.onDidChange,
    onDidChangeUnsaved: deps.onDidChangeUnsaved,
    hasChanged: () => comparison.compared.messageCursor !== deps.session.revision(),
    async compare() {
      comparison = await compareSides(request.overrides, { ...deps, tracked: tracked.all() }, signal, () => undefined);
      observer.enter({ type: 'compared', comparison });
      void showUntracked();
      return comparison.changes;
    },
  });
  /** Shows the untracked properties of the current comparison. The review does not wait for them. */
  const showUntracked = async (): Promise<void> => {
    if (request.restore !== undefined) return;
    const shown = comparison;
    try {
      const untracked = shown.untracked ?? (await readUntracked(shown.compareId, deps, signal));
      if (comparison !== shown) return;
      comparison = { ...shown, untracked };
      review.setUntracked(untracked && untrackedList(untracked, names, deps.session));
    } catch {
      // Only the end of the run interrupts it.
    }
  };
  using saved = saving && saveChoices(place, review, saving);
  observer.enter({ type: 'reviewing', review, saved }, say`Waiting for a person to decide`);
  await surface?.show(review, signal);
  void showUntracked();
  const decision = await untilAborted(Promise.race([review.decision, follower.failed]), signal);
  return { decision, comparison, forgetApplied: async () => await saved?.keepOnly(isIncomplete) };
}

/** A restore does not compare the project, so only the same restore can use its saved choices. */
const restoreKey = ({ runId, side, ids }: RestoreRequest): string =>
  JSON.stringify(['restore', runId, side, ids?.toSorted() ?? null]);

function valueNames({ reflection, session }: ReviewRunDeps, current: () => Comparison): ValueNames {
  return {
    enumItem: enumItemNames(reflection),
    path(id) {
      const ref = parseRef(id);
      const known = ref === undefined ? '' : instancePath(session, ref);
      return known || current().changes.find(change => change.studio.id === id)?.studio.path;
    },
  };
}

/**
 * Both texts of a change, the last common text (or else the committed one), and the merge of all three. Studio's text is read now, so that
 * a person sees the current one.
 */
async function diffTexts(
  change: RunChange,
  { compareId, base: known }: Comparison,
  deps: ReviewRunDeps,
): Promise<DiffTexts> {
  const { link, git, baseTexts } = deps;
  const { signal } = new AbortController();
  const { path, name } = change.studio;
  const title = nameOfPath(namedPath(path, name));
  const source = change.disk?.properties.get('Source');
  const recorded = deps.restored?.recordedText?.(change);
  const onDisk = source?.type === 'String' ? source.value : recorded;
  const disk = onDisk === undefined ? undefined : { fsPath: change.fsPath, text: onDisk };
  if (change.studio.patchType === 'Add') return { title, disk, studio: undefined, base: undefined };
  const reply = await link.read(compareId, [change.studio.id], signal);
  const text = reply.instances[0]?.source;
  if (text === undefined) throw new AppError('SCRIPT_NOT_FOUND', { what: `${path} in Studio` });
  const hash = change.sides.hasBase ? known.stateOf(change.disk?.id, path)?.source : undefined;
  const common = hash === undefined ? undefined : await baseTexts.read(hash, signal);
  const committed =
    common !== undefined || disk === undefined || change.fsPath === null
      ? undefined
      : await git.committed(change.fsPath, signal);
  const baseText = common ?? (committed && new TextDecoder().decode(committed));
  const origin = common === undefined ? 'commit' : 'sync';
  const base = baseText === undefined ? undefined : ({ text: baseText, origin } as const);
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
    // Then VS Code merges the texts.
    log.warn('could not merge a script', { reason: String(error) });
    return undefined;
  }
}

/**
 * Checks that Apply can write a merge of the texts that a person saw.
 *
 * @throws AppError REVIEW_REFUSED when a side has changed since the comparison, or the text cannot be written
 */
async function checkMerge(
  change: RunChange,
  { compareId }: Comparison,
  { session, link }: ReviewRunDeps,
  signal: AbortSignal,
): Promise<void> {
  const seen = change.disk;
  if (seen === undefined || change.studio.patchType !== 'Edit') throw reviewRefused('nothing_to_merge');
  if (!link.hello.capabilities.includes(mergesCapability)) throw reviewRefused('plugin_without_merge');
  await session.refresh(signal);
  if (session.get(seen.id)?.properties !== seen.properties) throw reviewRefused('file_changed');
  const { instances } = await link.read(compareId, [change.studio.id], signal);
  const [studio] = instances;
  if (studio === undefined || studio.studioHash !== change.studio.studioHash)
    throw reviewRefused('studio_script_changed');
}
