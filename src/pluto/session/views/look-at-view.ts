import type { ProjectPath } from '../../../base/brand.ts';
import { AppError } from '../../../base/errors.ts';
import { isProjectPath } from '../../../base/project-path.ts';
import { type OverrideRules, verdictOfRules } from '../../../protocol/override-policy.ts';
import type { Verdict } from '../../../protocol/sync.ts';
import type { LoadedModule } from '../../language/modules/load-module.ts';
import { readTombstones } from '../../language/container/tombstone-section.ts';
import { compareView, type Moved, type ViewChange, type ViewComparison } from '../../language/pt/compare-view.ts';
import { digestOf } from '../../language/pt/view.ts';
import { problemsOf } from '../edits/snippet.ts';
import type { PlutoSession } from '../pluto-session.ts';
import { type FileNow, fileNow, modulePathOf, textHash } from './view-files.ts';

/** Whose text counts; `skip`: each side keeps its own, and the next sync decides anew. */
export type Take = 'pt' | 'pluto' | 'skip';

/** A decision for one change, with the text that it relies on: the digest of the side that loses. */
export interface ViewOverride {
  readonly id: string;
  readonly take: Take;
  readonly digest?: string | undefined;
}

/** `declined`: a person decided otherwise, or the settings let no agent decide. */
export type ViewVerdict = Extract<
  Verdict,
  'accepted' | 'stale_id' | 'hash_mismatch' | 'precondition_missing' | 'declined'
>;

/** One declaration that differs, and whose text counts; `take` undefined: nobody has decided. */
export interface DecidedChange extends ViewChange {
  readonly take: Take | undefined;
  readonly why: Moved | 'override';
  readonly ptDigest: string | undefined;
  readonly plutoDigest: string | undefined;
}

export interface JudgedOverride {
  readonly id: string;
  readonly take: Take;
  readonly verdict: ViewVerdict;
  /** Why it does not count. */
  readonly reason?: string | undefined;
}

export interface ViewLookRequest {
  /** Of the `.pt`. */
  readonly path: string;
  readonly overrides: readonly ViewOverride[];
  /** A `.pt` that does not say what it was made from counts for nothing beside a module, instead of as a whole. */
  readonly isWary?: boolean | undefined;
  /** What an agent may decide; left out where a person has. */
  readonly rules?: OverrideRules | undefined;
}

/** A `.pt` and its module as they were at one moment. */
export interface ViewLook {
  /** Of the module. */
  readonly path: ProjectPath;
  readonly view: ProjectPath;
  readonly file: FileNow;
  /** What the view is a view of; undefined: nothing yet. */
  readonly before: LoadedModule | undefined;
  readonly compared: ViewComparison;
  readonly changes: readonly DecidedChange[];
  readonly verdicts: readonly JudgedOverride[];
  /** Whether all that the view says counts, what stands between its declarations too, where nothing is decided otherwise. */
  readonly isWhole: boolean;
  /** Another one as soon as one side is. */
  readonly state: string;
}

/**
 * Compares a `.pt` with its module and says of each declaration which side counts. Changes nothing.
 * @throws AppError PLUTO_PATH_INVALID, PLUTO_MODULE_NOT_FOUND, PLUTO_MODULE_UNREADABLE, PLUTO_SOURCE_INVALID; FILE_CHANGED when the module
 *   has edits that are not saved, and its file is another one
 */
export async function lookAtView(
  session: PlutoSession,
  { path, overrides, isWary = false, rules }: ViewLookRequest,
  signal: AbortSignal,
): Promise<ViewLook> {
  if (!isProjectPath(path) || !path.endsWith('.pt'))
    throw new AppError('PLUTO_PATH_INVALID', { path, reason: 'the path of a .pt file was expected' });
  const file = await fileNow(session, path);
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
  const isUnknown = isWary && compared.isStale === undefined && before?.path === target;
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

/** The module that the view is of, as its file has it now; a `.pt` that was a module of its own is that itself. */
async function moduleOf(
  session: PlutoSession,
  target: ProjectPath,
  view: ProjectPath,
  signal: AbortSignal,
): Promise<{ readonly before: LoadedModule | undefined; readonly containerHash: string | undefined }> {
  const { hasher } = session.ports;
  const { bytes } = await fileNow(session, target);
  const load = async (): Promise<LoadedModule | undefined> =>
    session.files.includes(target) ? session.module(target) : undefined;
  let before = await load();
  if (bytes !== undefined && before?.gitBlob !== hasher.gitBlob(bytes)) {
    // Nobody has told yet that it is another file.
    await session.refresh(signal);
    before = await load();
    if (before?.gitBlob !== hasher.gitBlob(bytes)) throw new AppError('FILE_CHANGED', { file: target });
  }
  if (before === undefined)
    return {
      before: session.files.includes(view) ? await session.module(view) : undefined,
      containerHash: undefined,
    };
  // Edits that are not saved make it another module than any view was made from.
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

/** What the sides themselves say; what an older view still has, and the module has deleted since, is nobody's to delete without a word. */
export function takeBySides({ change, moved }: ViewChange): Take | undefined {
  if (moved === 'view') return 'pt';
  return moved === 'container' && change !== 'added' ? 'pluto' : undefined;
}

function decide(
  session: PlutoSession,
  found: readonly ViewChange[],
  overrides: readonly ViewOverride[],
  rules: OverrideRules | undefined,
): Pick<ViewLook, 'changes' | 'verdicts'> {
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
  const verdicts = overrides.map(({ id, take, digest: relied }): JudgedOverride => {
    const change = byId.get(id);
    if (change === undefined) return { id, take, verdict: 'stale_id', reason: 'there is no such change any more' };
    const refused = refusalOf(change, take, relied, rules);
    if (refused !== undefined) {
      // It never falls back to what the sides say: somebody meant something else.
      byId.set(id, { ...change, take: undefined });
      return { id, take, ...refused };
    }
    byId.set(id, { ...change, take, why: 'override' });
    return { id, take, verdict: 'accepted' };
  });
  return { changes: Array.from(byId.values()), verdicts };
}

function refusalOf(
  change: DecidedChange,
  take: Take,
  relied: string | undefined,
  rules: OverrideRules | undefined,
): Pick<JudgedOverride, 'verdict' | 'reason'> | undefined {
  const loser = digestOfLoser(change, take);
  if (relied !== undefined && relied !== loser)
    return {
      verdict: 'hash_mismatch',
      reason: 'the override relied on a text that is no longer there',
    };
  return (
    rules &&
    verdictOfRules(rules, {
      isBare: relied === undefined,
      isDestructive: () => loser !== undefined,
      missingPrecondition: 'it replaces or removes a text: quote the digest of that text',
    })
  );
}

/** The text that is gone when that side counts, as an override quotes it; undefined where nothing is. */
export function digestOfLoser({ ptDigest, plutoDigest }: DecidedChange, take: Take): string | undefined {
  if (take === 'skip') return undefined;
  return take === 'pt' ? plutoDigest : ptDigest;
}
