import type { Event } from '../../../base/emitter.ts';
import { AppError } from '../../../base/errors.ts';
import type { PlutoSession, SessionChange } from '../pluto-session.ts';
import { lookAtView, type ViewLook, type ViewLookRequest } from './look-at-view.ts';
import { syncView, type ViewSync, type ViewSyncRequest } from './sync-view.ts';
import type { ViewJournal } from './view-journal.ts';
import { writeIntoView } from './write-into-view.ts';

/** A comparison of a `.pt` with its module, for a review. */
export interface SeenView extends Pick<ViewLook, 'path' | 'view' | 'changes' | 'verdicts' | 'state'> {
  /** Identifies this comparison. */
  readonly number: number;
}

/** The modules that syncs of `.pt` files work on, in this thread or in a worker. */
export interface ViewModules {
  readonly isReadOnly: boolean;
  /** In memory. */
  readonly onDidChange: Event<SessionChange>;
  /** @throws AppError as `lookAtView` */
  look(request: ViewLookRequest, signal: AbortSignal): Promise<SeenView>;
  /** @throws AppError as `syncView` */
  sync(request: ViewSyncRequest, signal: AbortSignal, journal: ViewJournal | undefined): Promise<ViewSync>;
  /** @throws AppError as `writeIntoView`; also FILE_CHANGED if the comparison is too old */
  writeInto(
    seen: Pick<SeenView, 'number' | 'view'>,
    change: { readonly id: string; readonly text: string },
    journal: ViewJournal | undefined,
  ): Promise<void>;
}

/** More than the number of concurrent reviews; each needs only its latest comparison. */
const MAX_LOOKS = 20;

export function viewModulesOf(session: PlutoSession): ViewModules {
  const looks = new Map<number, ViewLook>();
  let lastNumber = 0;
  return {
    isReadOnly: session.isReadOnly,
    onDidChange: session.onDidChange,
    async look(request, signal) {
      const look = await lookAtView(session, request, signal);
      const number = (lastNumber += 1);
      looks.set(number, look);
      looks.delete(number - MAX_LOOKS);
      const { path, view, changes, verdicts, state } = look;
      return { path, view, changes, verdicts, state, number };
    },
    sync: (request, signal, journal) => syncView(session, request, signal, journal),
    async writeInto({ number, view }, change, journal) {
      const look = looks.get(number);
      if (look === undefined) throw new AppError('FILE_CHANGED', { file: view });
      await writeIntoView(session, look, change, journal);
    },
  };
}
