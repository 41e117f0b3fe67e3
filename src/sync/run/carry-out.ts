import type { ProjectPath } from '../../base/brand.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FileSystem } from '../../ports/file-system.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { JournalStore } from '../../ports/journal-store.ts';
import type { Settings } from '../../ports/settings.ts';
import { BUDGET_MS } from '../../protocol/limits.ts';
import type { JournalNote } from '../../protocol/journal/journal-record.ts';
import type { Place, SyncMode } from '../../protocol/sync.ts';
import type { Reflection } from '../../roblox/instances/reflection.ts';
import type { StudioLink } from '../../studio/studio-link.ts';
import type { RunChange } from '../changes/run-change.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import { applyInStudio, type Decision } from './apply-in-studio.ts';
import { buildJournal, type BothSides } from './journal-record.ts';
import type { ProgressStep } from './progress-words.ts';
import { inWritingOrder, writeFiles, type PlannedWrite } from './planned-write.ts';

export interface CarryOutDeps {
  /** `undefined` where the tree has no part in it. */
  readonly session: Pick<ProjectSession, 'get' | 'rootId'> | undefined;
  readonly reflection: Reflection;
  readonly files: FileSystem;
  readonly journal: JournalStore;
  readonly hasher: Hasher;
  readonly clock: Clock;
  readonly settings: Settings;
}

export interface CarryOutRequest {
  readonly runId: string;
  readonly mode: SyncMode;
  readonly requestedBy: string;
  readonly place: Place;
  readonly decided: readonly Decision[];
  /** Everything that the pulls among them write. */
  readonly writes: readonly PlannedWrite[];
  /** `undefined` where Studio has no part in it: then every change is confirmed. */
  readonly studio: { readonly link: StudioLink; readonly compareId: string } | undefined;
}

/** What the point of no return means for whoever holds the run. */
export interface CarryOutObserver {
  /** Both sides are in the journal; the run will have an ending there. */
  journalled(): void;
  /** Called right before the first command that changes anything; until then `signal` cancels with nothing done. */
  pointOfNoReturn(): void | Promise<void>;
  /** Studio answered after the run had given it up; the outcomes of the changes say it by now. */
  late?(): void;
  progress?(step: ProgressStep, done: number, total: number): void;
}

/**
 * Journals both sides, lets Studio apply and confirm, writes the files. Sets `outcome` and `reason` of every change. One change that
 * fails leaves the others alone.
 *
 * @returns the changes whose files were to be written, whatever became of it
 * @throws AppError before the point of no return; after it as `applyInStudio`
 */
export async function carryOut(
  request: CarryOutRequest,
  deps: CarryOutDeps,
  signal: AbortSignal,
  observer: CarryOutObserver,
): Promise<readonly RunChange[]> {
  const { decided, studio, runId } = request;
  const writes = inWritingOrder(request.writes);
  await journalBothSides({ ...request, writes }, deps);
  observer.journalled();
  signal.throwIfAborted();
  await observer.pointOfNoReturn();
  // From here on nothing is taken back: a half-applied run is worse than a late answer.
  const unstoppable = new AbortController().signal;
  const confirmed =
    studio === undefined
      ? decided.map(({ change }) => change)
      : await applyInStudio(
          decided,
          {
            ...studio,
            runId,
            reflection: deps.reflection,
            late: () => observer.late?.(),
            progress: (done, total) => observer.progress?.('applied', done, total),
          },
          unstoppable,
        );
  // What a crash leaves half-written may be finished only where Studio has confirmed it.
  const idsOf = (changes: readonly RunChange[]): string[] => changes.map(change => change.studio.id);
  const applied = decided.map(({ change }) => change).filter(change => change.outcome === 'applied');
  const note: JournalNote = { kind: 'confirmed', ids: idsOf(confirmed), applied: idsOf(applied) };
  await deps.journal.note(runId, note);
  const told = (done: number, total: number): void => observer.progress?.('written', done, total);
  await writeFiles(writes, confirmed, deps.files, told, {
    clock: deps.clock,
    ms: BUDGET_MS.write * deps.settings.budgetScale(),
  });
  return confirmed;
}

async function journalBothSides(request: CarryOutRequest, deps: CarryOutDeps): Promise<void> {
  const { runId, mode, requestedBy, place, decided, writes } = request;
  const pathsOf = new Map<RunChange, ProjectPath[]>();
  for (const { edit, changes } of writes)
    for (const change of changes) pathsOf.set(change, [...(pathsOf.get(change) ?? []), edit.path]);
  const bytesAt = new Map<ProjectPath, Uint8Array | undefined>();
  const sides: BothSides[] = [];
  for (const { change, studio } of decided) {
    const files = new Map<ProjectPath, Uint8Array | undefined>();
    for (const path of [change.fsPath, ...(pathsOf.get(change) ?? [])]) {
      if (path === null || files.has(path)) continue;
      if (!bytesAt.has(path)) {
        const stat = await deps.files.stat(path);
        bytesAt.set(path, stat?.kind === 'file' ? await deps.files.read(path) : undefined);
      }
      files.set(path, bytesAt.get(path));
    }
    sides.push({ change, studio, files });
  }
  const head = { runId, at: deps.clock.date(), mode, requestedBy, place };
  const { record, blobs } = buildJournal({ head, sides, writes }, deps);
  await deps.journal.append(runId, record, blobs);
}
