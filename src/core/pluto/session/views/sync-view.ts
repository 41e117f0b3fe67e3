import type { ProjectPath } from '../../../../base/brand.ts';
import { AppError } from '../../../../base/errors.ts';
import { isProjectPath } from '../../../../base/project-path.ts';
import type { LoadedModule } from '../../project/load-module.ts';
import { compareView, type Moved, type ViewChange, type ViewComparison } from '../../pt/compare-view.ts';
import { digestOf, writeView } from '../../pt/view.ts';
import { withModule } from '../changed-module.ts';
import { problemsOf } from '../edits/snippet.ts';
import type { PlutoSession } from '../pluto-session.ts';
import { mergeView } from './merge-view.ts';
import { fileNow, modulePathOf, textHash } from './view-files.ts';

/** A decision for one change, with the text that it relies on: the digest of the side that loses. */
export interface ViewOverride {
  readonly id: string;
  readonly take: 'pt' | 'pluto';
  readonly digest?: string | undefined;
}

export type OverrideVerdict = 'accepted' | 'stale_id' | 'hash_mismatch';

/** One declaration that differs, and whose text counts; `take` undefined: nobody has decided. */
export interface DecidedChange extends ViewChange {
  readonly take: 'pt' | 'pluto' | undefined;
  readonly why: Moved | 'override';
  readonly ptDigest: string | undefined;
  readonly plutoDigest: string | undefined;
}

export interface ViewSync {
  readonly path: ProjectPath;
  readonly view: ProjectPath;
  /** `unresolved`: both sides have moved, or nobody can say; nothing was changed. */
  readonly status: 'synced' | 'already' | 'unresolved';
  readonly changes: readonly DecidedChange[];
  readonly verdicts: readonly {
    readonly id: string;
    readonly take: 'pt' | 'pluto';
    readonly verdict: OverrideVerdict;
  }[];
}

/**
 * Brings the edits of a `.pt` into its module, saves the module, and renews the `.pt`, so that both say the same. Where only the view was
 * changed, it counts; where only the module was, that does; where both were, an override decides, or nothing happens.
 * @throws AppError PLUTO_PATH_INVALID, PLUTO_MODULE_NOT_FOUND, PLUTO_MODULE_UNREADABLE, PLUTO_SOURCE_INVALID, PLUTO_READ_ONLY, FILE_CHANGED,
 *   FS_WRITE_FAILED
 */
export async function syncView(
  session: PlutoSession,
  { path, overrides }: { readonly path: string; readonly overrides: readonly ViewOverride[] },
  signal: AbortSignal,
): Promise<ViewSync> {
  if (session.isReadOnly) throw new AppError('PLUTO_READ_ONLY', { action: 'sync_pt' });
  if (!isProjectPath(path) || !path.endsWith('.pt'))
    throw new AppError('PLUTO_PATH_INVALID', { path, reason: 'the path of a .pt file was expected' });
  const file = await fileNow(session, path);
  if (file.bytes === undefined) throw new AppError('PLUTO_MODULE_NOT_FOUND', { path });
  const target = modulePathOf(path);
  const before = await moduleBefore(session, target, path);
  const compared = await compare(session, decode(path, file.bytes), target, before);
  const problems = problemsOf(compared.module);
  if (problems.length > 0) throw new AppError('PLUTO_SOURCE_INVALID', { what: path, problems });
  const { changes, verdicts } = decide(session, compared.changes, overrides);
  const answer = { path: target, view: path, changes, verdicts };
  const isRefused = verdicts.some(({ verdict }) => verdict !== 'accepted');
  if (isRefused || changes.some(({ take }) => take === undefined)) return { ...answer, status: 'unresolved' };
  const after = merged(session, target, before, compared, changes);
  await session.transact('sync_pt', signal, () => ({ modules: [after] }));
  const [saved] = await session.save(signal, [target]);
  if (saved?.kind === 'failed') throw saved.error;
  const isRenewed = await renew(session, target, path, file);
  return { ...answer, status: saved === undefined && !isRenewed ? 'already' : 'synced' };
}

/** The module that the view is of; a `.pt` that was a module of its own is that itself. */
async function moduleBefore(
  session: PlutoSession,
  target: ProjectPath,
  view: ProjectPath,
): Promise<LoadedModule | undefined> {
  if (session.files.includes(target)) return session.module(target);
  return session.files.includes(view) ? session.module(view) : undefined;
}

async function compare(
  session: PlutoSession,
  view: string,
  target: ProjectPath,
  before: LoadedModule | undefined,
): Promise<ViewComparison> {
  const onDisk = before?.path === target ? (await fileNow(session, target)).bytes : undefined;
  const isDirty = session.dirty.includes(target);
  // Edits that are not saved make it another module than any view was made from.
  const containerHash = onDisk === undefined ? undefined : isDirty ? '' : session.ports.hasher.sha256(onDisk);
  const container = before?.module;
  return compareView({ view, container, containerHash, hash: textHash(session), makeId: session.idsFor(target) });
}

function decode(path: ProjectPath, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new AppError('PLUTO_MODULE_UNREADABLE', { path, problem: 'text_malformed', reason: 'it is not UTF-8' });
  }
}

function decide(
  session: PlutoSession,
  found: readonly ViewChange[],
  overrides: readonly ViewOverride[],
): Pick<ViewSync, 'changes' | 'verdicts'> {
  const hash = textHash(session);
  const digest = (text: string | undefined): string | undefined => text && digestOf(hash, text);
  const changes = found.map((change): DecidedChange => {
    const byMove = { view: 'pt', container: 'pluto', both: undefined, unknown: undefined } as const;
    return {
      ...change,
      take: byMove[change.moved],
      why: change.moved,
      ptDigest: digest(change.after),
      plutoDigest: digest(change.before),
    };
  });
  const byId = new Map<string, DecidedChange>(changes.map(change => [change.id, change]));
  const verdicts = overrides.map(({ id, take, digest: relied }) => {
    const change = byId.get(id);
    if (change === undefined) return { id, take, verdict: 'stale_id' as const };
    const loses = take === 'pt' ? change.plutoDigest : change.ptDigest;
    if (relied !== undefined && relied !== loses) {
      // It was decided about another text, so it is open again.
      byId.set(id, { ...change, take: undefined });
      return { id, take, verdict: 'hash_mismatch' as const };
    }
    byId.set(id, { ...change, take, why: 'override' });
    return { id, take, verdict: 'accepted' as const };
  });
  return { changes: Array.from(byId.values()), verdicts };
}

function merged(
  session: PlutoSession,
  target: ProjectPath,
  before: LoadedModule | undefined,
  compared: ViewComparison,
  changes: readonly DecidedChange[],
): LoadedModule {
  const own: LoadedModule = before ?? {
    kind: 'loaded',
    path: target,
    module: compared.module,
    container: undefined,
    gitBlob: '',
  };
  const taken = changes.filter(({ take }) => take === 'pt');
  // Comments between declarations come along where the view alone was changed.
  const isWhole = compared.isStale !== true && taken.length === changes.length;
  if (isWhole && before?.path === target && before.module.text === compared.module.text) return before;
  if (isWhole) return { ...withModule(own, compared.module), path: target };
  return mergeView(own, compared, taken, session.idsFor(target));
}

/** The view of what was just saved; answers whether its file had to change. */
async function renew(
  session: PlutoSession,
  target: ProjectPath,
  view: ProjectPath,
  { bytes, precondition }: Awaited<ReturnType<typeof fileNow>>,
): Promise<boolean> {
  const module = await session.module(target);
  const { bytes: saved = new Uint8Array() } = await fileNow(session, target);
  const fileHash = session.ports.hasher.sha256(saved);
  const text = new TextEncoder().encode(writeView(module.module, { fileHash, hash: textHash(session) }));
  const { hasher, files } = session.ports;
  if (bytes !== undefined && hasher.gitBlob(text) === hasher.gitBlob(bytes)) return false;
  await files.replace(view, text, precondition);
  return true;
}
