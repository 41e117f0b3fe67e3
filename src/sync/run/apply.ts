import type { ProjectPath } from '../../base/brand.ts';
import type { Place, SyncMode } from '../../protocol/sync.ts';
import type { StudioInstance } from '../../protocol/studio/stream.ts';
import { propertiesEqual } from '../../roblox/instances/equality.ts';
import { NULL_REF, parseRef } from '../../roblox/values/ref.ts';
import type { Variant } from '../../roblox/values/variant.ts';
import { variantFromWire } from '../../roblox/values/variant-wire.ts';
import type { StudioLink } from '../../studio/studio-link.ts';
import type { ProjectSession, PullRequest } from '../../project/project-session.ts';
import { withoutReferenceAttributes } from '../../project/tree/resolve-references.ts';
import { namesakeCounter } from '../changes/namesakes.ts';
import { indexAdditions } from '../changes/consistency.ts';
import type { RunChange } from '../changes/run-change.ts';
import { type Decision, fail } from './apply-in-studio.ts';
import { carryOut, type CarryOutDeps, type CarryOutObserver } from './carry-out.ts';
import type { PlannedWrite } from './planned-write.ts';
import { readInStudio } from './read-in-studio.ts';

export interface ApplyDeps extends CarryOutDeps {
  readonly session: ProjectSession;
  readonly link: StudioLink;
}

export interface ApplyRequest {
  readonly runId: string;
  readonly compareId: string;
  readonly mode: SyncMode;
  readonly requestedBy: string;
  readonly place: Place;
  readonly changes: readonly RunChange[];
}

export interface ApplyObserver extends CarryOutObserver {
  verifying(): void;
}

interface Plan {
  readonly decided: readonly Decision[];
  readonly writes: readonly PlannedWrite[];
}

/**
 * Carries out what is decided: reads the Studio side, plans the files, journals both sides, lets Studio apply and confirm, writes
 * the files, verifies. Sets `outcome` and `reason` of every change. One change that fails leaves the others alone.
 *
 * @throws AppError before the point of no return; after it only STUDIO_DISCONNECTED and STUDIO_NOT_RESPONDING, with what is known
 *         written into the changes
 */
export async function applyDecisions(
  request: ApplyRequest,
  deps: ApplyDeps,
  signal: AbortSignal,
  observer: ApplyObserver,
): Promise<void> {
  for (const change of request.changes) if (change.choice === 'skip') change.outcome = 'skipped';
  await deps.session.refresh(signal);
  const coveredBy = findCovered(request.changes);
  const namesakes = namesakeCounter(deps.session);
  const live = request.changes.filter(
    change => change.choice !== 'skip' && !coveredBy.has(change) && !failIfDiskMoved(change, deps.session, namesakes),
  );
  const { compareId } = request;
  const plan = await readAndPlan(live, compareId, deps, signal);
  if (plan.decided.length === 0) return settleCovered(coveredBy);
  const studio = { link: deps.link, compareId };
  const written = await carryOut({ ...request, ...plan, studio }, deps, signal, observer);
  settleCovered(coveredBy);
  observer.verifying();
  await deps.session.refresh(new AbortController().signal);
  const byChange = new Map(plan.decided.map(item => [item.change, item]));
  for (const change of written) verifyWritten(change, byChange.get(change)?.studio, deps);
}

/** Additions below one that is removed from disk: its removal covers theirs. Each maps to the topmost. */
function findCovered(changes: readonly RunChange[]): ReadonlyMap<RunChange, RunChange> {
  const { byId } = indexAdditions(changes);
  const covered = new Map<RunChange, RunChange>();
  for (const change of byId.values()) {
    let top = change;
    for (let parent = byId.get(top.studio.parentId); parent?.choice === 'pull'; parent = byId.get(top.studio.parentId))
      top = parent;
    if (top !== change && change.choice === 'pull') covered.set(change, top);
  }
  return covered;
}

function settleCovered(coveredBy: ReadonlyMap<RunChange, RunChange>): void {
  for (const [change, top] of coveredBy) Object.assign(change, { outcome: top.outcome, reason: top.reason });
}

/** What a person or an agent decided about is what they saw: if the disk side moved since, the decision does not count. */
function failIfDiskMoved(
  change: RunChange,
  session: ProjectSession,
  namesakes: (parentId: string, name: string) => number,
): boolean {
  const { disk: seen, studio } = change;
  const now = seen && session.get(seen.id);
  const same =
    seen === undefined
      ? change.namesakesOnDisk === undefined || namesakes(studio.parentId, studio.name) === change.namesakesOnDisk
      : now !== undefined &&
        now.properties === seen.properties &&
        now.name === seen.name &&
        now.className === seen.className;
  if (!same) fail(change, 'the files changed on disk since the comparison');
  return !same;
}

async function readAndPlan(
  changes: readonly RunChange[],
  compareId: string,
  deps: ApplyDeps,
  signal: AbortSignal,
): Promise<Plan> {
  const inStudio = changes.filter(change => change.studio.patchType !== 'Add');
  const ids = inStudio.map(change => change.studio.id);
  const reply = await readInStudio(deps.link, compareId, ids, signal);
  const instances = new Map(reply.instances.map(instance => [instance.id, instance]));
  const decided: Decision[] = [];
  const pulls: { readonly item: Decision; readonly request: PullRequest }[] = [];
  for (const change of changes) {
    const studio = instances.get(change.studio.id);
    const request = change.choice === 'pull' ? pullRequest(change, studio) : undefined;
    if (change.studio.patchType !== 'Add' && studio === undefined)
      fail(change, reply.missingBecause ?? 'the instance is gone from Studio since the comparison');
    else if (studio?.studioHash !== change.studio.studioHash)
      fail(change, 'the script changed in Studio since the comparison');
    else if (change.choice !== 'pull') decided.push({ change, studio });
    else if (request === undefined)
      fail(change, 'its parent is in Studio only; pull the parent, which brings its children along');
    else pulls.push({ item: { change, studio }, request });
  }
  if (pulls.length === 0) return { decided, writes: [] };
  const plan = await deps.session.planPulls(
    pulls.map(({ request }) => request),
    signal,
  );
  const needing = new Map<ProjectPath, RunChange[]>();
  for (const [index, { item }] of pulls.entries()) {
    const outcome = plan.pulls[index];
    if (outcome?.ok !== true) fail(item.change, outcome?.reason ?? 'it was not planned');
    else {
      decided.push(item);
      for (const path of outcome.paths) {
        const known = needing.get(path);
        if (known) known.push(item.change);
        else needing.set(path, [item.change]);
      }
    }
  }
  const writes = plan.edits.map((edit): PlannedWrite => ({ edit, changes: needing.get(edit.path) ?? [] }));
  return { decided, writes };
}

function pullRequest(change: RunChange, studio: StudioInstance | undefined): PullRequest | undefined {
  if (change.disk !== undefined)
    return studio === undefined ? { kind: 'delete', id: change.disk.id } : { kind: 'edit', id: change.disk.id, studio };
  const parentId = parseRef(change.studio.parentId);
  return studio === undefined || parentId === undefined ? undefined : { kind: 'create', parentId, studio };
}

/** The tree, read again from disk, must hold what Studio confirmed. */
function verifyWritten(change: RunChange, studio: StudioInstance | undefined, deps: ApplyDeps): void {
  if (change.outcome !== 'written' || change.disk === undefined || studio === undefined) return;
  const properties = deps.session.get(change.disk.id)?.properties;
  const source = properties?.get('Source');
  const holdsSource =
    studio.source === undefined ||
    (source?.type === 'String' && source.value === studio.source.replaceAll('\r\n', '\n'));
  if (!holdsSource) return fail(change, 'the file was written, but the project now reads another text than Studio has');
  const other = Object.entries(studio.properties).find(([name, wire]) => {
    const wanted = variantFromWire(wire);
    const now = properties?.get(name);
    if (!wanted.ok) return true;
    if (now === undefined) return !isNothing(wanted.value);
    const [files, studioValue] = [withoutReferenceAttributes(now), withoutReferenceAttributes(wanted.value)];
    return !propertiesEqual(deps.reflection, studio.className, name, files, studioValue);
  });
  if (other !== undefined)
    fail(change, `the file was written, but the project now reads another ${other[0]} than Studio has`);
}

/** A value that files say by saying nothing. */
const isNothing = (value: Variant): boolean =>
  (value.type === 'Ref' && value.value === NULL_REF) || (value.type === 'Attributes' && value.value.size === 0);
