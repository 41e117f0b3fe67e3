import type { ProjectPath } from '../../../base/brand.ts';
import { AppError } from '../../../base/errors.ts';
import type { LoadedModule } from '../../language/modules/load-module.ts';
import { countOf, differingComments, freeComments } from '../../language/pt/free-comments.ts';
import { digestOf, writeView } from '../../language/pt/view.ts';
import { withModule } from '../changed-module.ts';
import type { PlutoSession } from '../pluto-session.ts';
import {
  type DecidedChange,
  type OverrideResult,
  compareWithModule,
  type ViewSnapshot,
  type ViewSnapshotRequest,
} from './compare-with-module.ts';
import { type CommentSides, mergeComments } from './merge-comments.ts';
import { mergeView } from './merge-view.ts';
import type { ViewJournal } from './view-journal.ts';
import { readCurrentFile, textHash } from './view-files.ts';

export interface ViewSyncRequest extends ViewSnapshotRequest {
  /** The state of both sides that the overrides were made for. Without it: the current one. */
  readonly state?: string;
}

export interface ViewSync {
  readonly path: ProjectPath;
  readonly view: ProjectPath;
  /** `unresolved`: both sides changed or the history is unknown; nothing was changed. */
  readonly status: 'synced' | 'already' | 'unresolved';
  readonly changes: readonly DecidedChange[];
  readonly verdicts: readonly OverrideResult[];
  /** The number of merged comments between declarations. */
  readonly comments?: number;
}

/**
 * Applies the edits of a `.pt` to its module, saves the module, and regenerates the `.pt`, so that both are equal except for skipped
 * declarations. If only one side changed, it wins; if both did, an override decides, or nothing is changed.
 * @param journal records both files before anything is changed
 * @throws AppError PLUTO_PATH_INVALID, PLUTO_MODULE_NOT_FOUND, PLUTO_MODULE_UNREADABLE, PLUTO_SOURCE_INVALID, PLUTO_READ_ONLY, FILE_CHANGED,
 *   FS_WRITE_FAILED
 */
export async function syncView(
  session: PlutoSession,
  { state, ...request }: ViewSyncRequest,
  signal: AbortSignal,
  journal?: ViewJournal,
): Promise<ViewSync> {
  if (session.isReadOnly) throw new AppError('PLUTO_READ_ONLY', { action: 'sync_pt' });
  const snapshot = await compareWithModule(session, request, signal);
  if (state !== undefined && state !== snapshot.state) throw new AppError('FILE_CHANGED', { file: snapshot.view });
  const { path, view, changes, verdicts } = snapshot;
  const answer = { path, view, changes, verdicts };
  const isRefused = verdicts.some(({ verdict }) => verdict !== 'accepted');
  if (isRefused || changes.some(({ take }) => take === undefined)) return { ...answer, status: 'unresolved' };
  const after = merged(session, snapshot);
  const old = snapshot.before?.module.text;
  const isRecorded =
    journal !== undefined && [old, snapshot.compared.module.text].some(text => text !== after.module.text);
  if (isRecorded) {
    // If the module stays the same, the `.pt` gets its comments.
    const before = old === after.module.text ? snapshot.compared.module.text : old;
    const recorded = { ...snapshot, whole: { before, after: after.module.text } };
    await journal.record(recorded, await readCurrentFile(session, path));
  }
  await session.transact('sync_pt', signal, modules => {
    // An agent may have edited it in memory while the journal was written.
    const own = snapshot.before?.path === path ? snapshot.before : undefined;
    if (modules.find(module => module.path === path) !== own) throw new AppError('FILE_CHANGED', { file: path });
    return { modules: [after] };
  });
  const [saved] = await session.save(signal, [path], isRecorded);
  if (saved?.kind === 'failed') throw saved.error;
  const isRenewed = await renew(session, snapshot);
  const comments =
    snapshot.before === undefined ? 0 : differingComments(snapshot.before.module, snapshot.compared.module);
  return { ...answer, comments, status: saved === undefined && !isRenewed ? 'already' : 'synced' };
}

const taken = ({ changes }: ViewSnapshot, take: DecidedChange['take']): readonly DecidedChange[] =>
  changes.filter(change => change.take === take);

function merged(session: PlutoSession, snapshot: ViewSnapshot): LoadedModule {
  const { path, before, compared, changes } = snapshot;
  const own: LoadedModule = before ?? {
    kind: 'loaded',
    path,
    module: compared.module,
    container: undefined,
    gitBlob: '',
  };
  const fromView = taken(snapshot, 'pt');
  const isWhole = snapshot.isWhole && fromView.length === changes.length;
  if (isWhole && before?.path === path && before.module.text === compared.module.text) return before;
  if (isWhole) return { ...withModule(own, compared.module), path };
  const makeId = session.idsFor(path);
  const sides = { view: compared.module, container: own.module, base: baseOf(session, snapshot) };
  return mergeComments(mergeView(own, compared, fromView, makeId), sides, makeId);
}

/** Counts comments between declarations as they were when the view was generated. */
function baseOf(session: PlutoSession, { compared, before }: ViewSnapshot): CommentSides['base'] {
  if (compared.isStale === false && before !== undefined) {
    const counts = countOf(freeComments(before.module).map(({ text }) => text));
    return text => counts.get(text) ?? 0;
  }
  if (compared.baseComments === undefined) return undefined;
  const counts = countOf(compared.baseComments);
  return text => counts.get(digestOf(textHash(session), text)) ?? 0;
}

/** Writes the view of the saved module, with skipped declarations unchanged. Returns whether the file changed. */
async function renew(session: PlutoSession, snapshot: ViewSnapshot): Promise<boolean> {
  const { path, view, file, compared } = snapshot;
  const saved = await session.module(path);
  const hash = textHash(session);
  const skipped = taken(snapshot, 'skip');
  const shown = skipped.length === 0 ? saved : mergeView(saved, compared, skipped, session.idsFor(path));
  const { bytes = new Uint8Array() } = await readCurrentFile(session, path);
  const stamp =
    skipped.length === 0
      ? { fileHash: session.ports.hasher.sha256(bytes), hash }
      : { bases: new Map(skipped.map(({ id }) => [id, compared.bases.get(id)])), hash };
  const text = new TextEncoder().encode(writeView(shown.module, stamp));
  const { hasher, files } = session.ports;
  if (file.bytes !== undefined && hasher.gitBlob(text) === hasher.gitBlob(file.bytes)) return false;
  await files.replace(view, text, file.precondition);
  return true;
}
