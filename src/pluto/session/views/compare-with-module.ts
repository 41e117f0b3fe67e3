import { type Reason, reasonOf } from '../../../protocol/reason.ts';
import type { ProjectPath } from '../../../base/brand.ts';
import { AppError } from '../../../base/errors.ts';
import { isProjectPath } from '../../../base/project-path.ts';
import { type OverrideRules, checkOverrideRules } from '../../../protocol/override-policy.ts';
import type { Verdict } from '../../../protocol/sync-result.ts';
import type { LoadedModule } from '../../language/modules/load-module.ts';
import { readTombstones } from '../../language/container/tombstone-section.ts';
import {
  compareView,
  type ViewMovement,
  type ViewChange,
  type ViewComparison,
} from '../../language/pt/compare-view.ts';
import { digestOf } from '../../language/pt/view.ts';
import { problemsOf } from '../edits/snippet.ts';
import type { PlutoSession } from '../pluto-session.ts';
import { type CurrentFile, readCurrentFile, modulePathOf, textHash } from './view-files.ts';

/** Which source to keep. `skip`: both sides stay as they are until the next sync. */
export type Take = 'pt' | 'pluto' | 'skip';

/** A decision for one change. `digest` is that of the source to discard. */
export interface ViewOverride {
  readonly id: string;
  readonly take: Take;
  readonly digest?: string | undefined;
}

/** `declined`: a person decided otherwise, or the settings do not allow agents to decide. */
export type ViewVerdict = Extract<
  Verdict,
  'accepted' | 'stale_id' | 'hash_mismatch' | 'precondition_missing' | 'declined'
>;

/** One declaration that differs. `take` is `undefined` while it is unresolved. */
export interface DecidedChange extends ViewChange {
  readonly take: Take | undefined;
  readonly why: ViewMovement | 'override';
  readonly ptDigest: string | undefined;
  readonly plutoDigest: string | undefined;
}

export interface OverrideResult {
  readonly id: string;
  readonly take: Take;
  readonly verdict: ViewVerdict;
  /** Why the override was rejected. */
  readonly reason?: Reason | undefined;
}

export interface ViewSnapshotRequest {
  /** Path of the `.pt`. */
  readonly path: string;
  readonly overrides: readonly ViewOverride[];
  /** Treats a `.pt` without a known origin as unresolved if the module exists, instead of applying all of it. */
  readonly requiresOrigin?: boolean | undefined;
  /** The limits of an agent's decisions; `undefined` for decisions of a person. */
  readonly rules?: OverrideRules | undefined;
}

/** A `.pt` and its module at one moment. */
export interface ViewSnapshot {
  /** Path of the module. */
  readonly path: ProjectPath;
  readonly view: ProjectPath;
  readonly file: CurrentFile;
  /** The module of the view; `undefined` if it does not exist yet. */
  readonly before: LoadedModule | undefined;
  readonly compared: ViewComparison;
  readonly changes: readonly DecidedChange[];
  readonly verdicts: readonly OverrideResult[];
  /** Whether the whole view applies by default, including the text between declarations. */
  readonly isWhole: boolean;
  /** Identifies the content of both sides: it differs as soon as one side changes. */
  readonly state: string;
}

/**
 * Compares a `.pt` with its module and decides which side wins for each declaration. Changes nothing.
 * @throws AppError PLUTO_PATH_INVALID, PLUTO_MODULE_NOT_FOUND, PLUTO_MODULE_UNREADABLE, PLUTO_SOURCE_INVALID; FILE_CHANGED when the module
 *   has unsaved edits and its file has changed
 */
export async function compareWithModule(
  session: PlutoSession,
  { path, overrides, requiresOrigin = false, rules }: ViewSnapshotRequest,
  signal: AbortSignal,
): Promise<ViewSnapshot> {
  if (!isProjectPath(path) || !path.endsWith('.pt'))
    throw new AppError('PLUTO_PATH_INVALID', { path, reason: 'expected a .pt file' });
  const file = await readCurrentFile(session, path);
  if (file.bytes === undefined) throw new AppError('PLUTO_MODULE_NOT_FOUND', { path });
  const target = modulePathOf(path);
  const { before, containerHash } = await moduleOf(session, target, path, signal);
  const compared = compareView({
    view: decode(path, file.bytes),
    container: before?.module,
    containerHash,
    hash: textHash(session),
    makeId: session.idsFor(target),
    tombstones: readTombstones(before?.container?.optional ?? []).filter(
      ({ id }) => session.knownItem(id) === undefined,
    ),
  });
  const problems = problemsOf(compared.module);
  if (problems.length > 0) throw new AppError('PLUTO_SOURCE_INVALID', { what: path, problems });
  const isUnknown = requiresOrigin && compared.isStale === undefined && before?.path === target;
  const changes = isUnknown ? compared.changes.map(asUnknown) : compared.changes;
  const state = `${session.ports.hasher.gitBlob(file.bytes)} ${textHash(session)(before?.module.text ?? '')}`;
  const isWhole = compared.isStale !== true && !isUnknown;
  return {
    path: target,
    view: path,
    file,
    before,
    compared,
    isWhole,
    state,
    ...decide(session, changes, overrides, rules),
  };
}

const asUnknown = (change: ViewChange): ViewChange => ({ ...change, moved: 'unknown' });

/** The module of the view, up to date with its file. A standalone `.pt` is its own module. */
async function moduleOf(
  session: PlutoSession,
  target: ProjectPath,
  view: ProjectPath,
  signal: AbortSignal,
): Promise<{ readonly before: LoadedModule | undefined; readonly containerHash: string | undefined }> {
  const { hasher } = session.ports;
  const { bytes } = await readCurrentFile(session, target);
  const load = async (): Promise<LoadedModule | undefined> =>
    session.files.includes(target) ? session.module(target) : undefined;
  let before = await load();
  if (bytes !== undefined && before?.gitBlob !== hasher.gitBlob(bytes)) {
    // The watcher has not reported the change yet.
    await session.refresh(signal);
    before = await load();
    if (before?.gitBlob !== hasher.gitBlob(bytes)) throw new AppError('FILE_CHANGED', { file: target });
  }
  if (before === undefined)
    return {
      before: session.files.includes(view) ? await session.module(view) : undefined,
      containerHash: undefined,
    };
  // No view was generated from a module with unsaved edits.
  const isDirty = session.dirty.includes(target);
  return { before, containerHash: bytes === undefined ? undefined : isDirty ? '' : hasher.sha256(bytes) };
}

function decode(path: ProjectPath, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new AppError('PLUTO_MODULE_UNREADABLE', { path, problem: 'text_malformed', reason: 'it is not UTF-8' });
  }
}

/** The default: the side that changed wins. A declaration that the module deleted is never deleted from the view without a decision. */
export function takeBySides({ change, moved }: ViewChange): Take | undefined {
  if (moved === 'view') return 'pt';
  return moved === 'container' && change !== 'added' ? 'pluto' : undefined;
}

function decide(
  session: PlutoSession,
  found: readonly ViewChange[],
  overrides: readonly ViewOverride[],
  rules: OverrideRules | undefined,
): Pick<ViewSnapshot, 'changes' | 'verdicts'> {
  const hash = textHash(session);
  const digest = (text: string | undefined): string | undefined => text && digestOf(hash, text);
  const changes = found.map((change): DecidedChange => ({
    ...change,
    take: takeBySides(change),
    why: change.moved,
    ptDigest: digest(change.after),
    plutoDigest: digest(change.before),
  }));
  const byId = new Map<string, DecidedChange>(changes.map(change => [change.id, change]));
  const verdicts = overrides.map(({ id, take, digest: quoted }): OverrideResult => {
    const change = byId.get(id);
    if (change === undefined) return { id, take, verdict: 'stale_id', reason: reasonOf('no_such_change') };
    const refused = rejectionOf(change, take, quoted, rules);
    if (refused !== undefined) {
      // A rejected override never falls back to the default.
      byId.set(id, { ...change, take: undefined });
      return { id, take, ...refused };
    }
    byId.set(id, { ...change, take, why: 'override' });
    return { id, take, verdict: 'accepted' };
  });
  return { changes: Array.from(byId.values()), verdicts };
}

function rejectionOf(
  change: DecidedChange,
  take: Take,
  quoted: string | undefined,
  rules: OverrideRules | undefined,
): Pick<OverrideResult, 'verdict' | 'reason'> | undefined {
  const discarded = discardedDigest(change, take);
  if (quoted !== undefined && quoted !== discarded)
    return {
      verdict: 'hash_mismatch',
      reason: reasonOf('source_changed'),
    };
  return (
    rules &&
    checkOverrideRules(rules, {
      hasNoPrecondition: quoted === undefined,
      isDestructive: () => discarded !== undefined,
      missingPrecondition: reasonOf('pass_digest'),
    })
  );
}

/** The digest of the source that a decision discards; `undefined` if it discards nothing. */
export function discardedDigest({ ptDigest, plutoDigest }: DecidedChange, take: Take): string | undefined {
  if (take === 'skip') return undefined;
  return take === 'pt' ? plutoDigest : ptDigest;
}
