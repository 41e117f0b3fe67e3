import type { Event } from '../../../base/emitter.ts';
import { AppError } from '../../../base/errors.ts';
import type { PlutoSession, SessionChange } from '../pluto-session.ts';
import { compareWithModule, type ViewSnapshot, type ViewSnapshotRequest } from './compare-with-module.ts';
import { syncView, type ViewSync, type ViewSyncRequest } from './sync-view.ts';
import type { ViewJournal } from './view-journal.ts';
import { type MergedDeclaration, mergeIntoView, writeIntoView } from './write-into-view.ts';

/** A comparison of a `.pt` with its module, for a review. */
export interface ViewReviewState extends Pick<ViewSnapshot, 'path' | 'view' | 'changes' | 'verdicts' | 'state'> {
  /** Identifies this comparison. */
  readonly number: number;
}

/** The fields that identify a comparison. */
export type ComparedView = Pick<ViewReviewState, 'number' | 'view'>;

/** The modules that syncs of `.pt` files work on, in this thread or in a worker. */
export interface ViewModules {
  readonly isReadOnly: boolean;
  /** Fires when a module changes in memory. */
  readonly onDidChange: Event<SessionChange>;
  /** @throws AppError as `compareWithModule` */
  compare(request: ViewSnapshotRequest, signal: AbortSignal): Promise<ViewReviewState>;
  /** @throws AppError as `syncView` */
  sync(request: ViewSyncRequest, signal: AbortSignal, journal: ViewJournal | undefined): Promise<ViewSync>;
  /**
   * Writes merged declarations into the `.pt`.
   * @throws AppError as `writeIntoView`; also FILE_CHANGED if the comparison is too old
   */
  writeInto(
    compared: ComparedView,
    merged: readonly MergedDeclaration[],
    journal: ViewJournal | undefined,
  ): Promise<void>;
  /** Checks what `writeInto` would write. @throws AppError as `mergeIntoView`; also FILE_CHANGED if the comparison is too old */
  checkMerge(compared: ComparedView, merged: readonly MergedDeclaration[]): Promise<void>;
}

/** More than the number of concurrent reviews; each needs only its latest comparison. */
const MAX_SNAPSHOTS = 20;

export function viewModulesOf(session: PlutoSession): ViewModules {
  const snapshots = new Map<number, ViewSnapshot>();
  let lastNumber = 0;
  const find = ({ number, view }: ComparedView): ViewSnapshot => {
    const snapshot = snapshots.get(number);
    if (snapshot === undefined) throw new AppError('FILE_CHANGED', { file: view });
    return snapshot;
  };
  return {
    isReadOnly: session.isReadOnly,
    onDidChange: session.onDidChange,
    async compare(request, signal) {
      const snapshot = await compareWithModule(session, request, signal);
      const number = (lastNumber += 1);
      snapshots.set(number, snapshot);
      snapshots.delete(number - MAX_SNAPSHOTS);
      const { path, view, changes, verdicts, state } = snapshot;
      return { path, view, changes, verdicts, state, number };
    },
    sync: (request, signal, journal) => syncView(session, request, signal, journal),
    writeInto: async (compared, merged, journal) => writeIntoView(session, find(compared), merged, journal),
    checkMerge: async (compared, merged) => void mergeIntoView(find(compared), merged),
  };
}
