import type { ProjectPath, Ref } from '../../base/brand.ts';
import { DisposableStore } from '../../base/disposable-store.ts';
import type { TimeSlice } from '../../base/time-slice.ts';
import type { FileEdit } from '../../ports/file-system.ts';
import type { PullOutcome, PullRequest, PullsPlan } from '../../project/project-session.ts';
import { writeGroups } from '../../project/writeback/write-edits.ts';
import { failureReason } from '../../protocol/failure-reasons.ts';
import { type Reason, reasonOf } from '../../protocol/reason.ts';
import type { Instance } from '../../roblox/instances/instance.ts';
import { groupByPath } from './group-by-path.ts';
import { readWritten, type WriteContext, type WriteOutcome } from './write-context.ts';
import type { RecordFailure, WrittenItem } from './write-journal.ts';

/** An update or removal of one instance. */
export interface WrittenPull {
  readonly request: Extract<PullRequest, { readonly kind: 'edit' | 'delete' }>;
  readonly item: WrittenItem;
  /** The state of instances that Studio has after the pull; `undefined` for those that it removed. */
  readonly inStudio: readonly (readonly [Ref, Instance | undefined])[];
  /**
   * Returns why the tree has a state that Studio did not know; `undefined` if it has none. Called again after planning, because a change
   * may have been read meanwhile.
   */
  conflict(): Reason | undefined;
  /** Whether the tree has what was written. If not, the pull failed, unless another program has saved the file since. */
  readonly isInTree?: () => boolean;
}

/** The outcome of one pull. */
type PullResult = Omit<WriteOutcome, 'what'>;

/** Maximum number of plans for one request. Pulls that are not planned by then fail. */
const MAX_PLANS = 128;

/** Pulls to plan together. `isRetry`: those that were refused beside others are planned again. */
interface Batch {
  readonly pulls: readonly WrittenPull[];
  readonly isRetry: boolean;
}

/**
 * A pull that was not written: the tree changed (`conflict`); the plan contains the edits of a conflict, so it is planned again without
 * them (`outdated`); another pull may be the reason, so it is planned again without half of the others (`shared`); or for its own reason.
 */
type RefusedPull =
  | { readonly kind: 'outdated'; readonly pull: WrittenPull }
  | { readonly kind: 'conflict' | 'shared' | 'own'; readonly pull: WrittenPull; readonly reason: Reason };

type PlannedPull = readonly [WrittenPull, ReadonlySet<ProjectPath>];

/**
 * Plans, records and writes the pulls of one request together: each file is read and written once, and one entry of the history has all.
 * A pull that fails does not fail others: those that a whole file refuses are planned again in halves.
 */
export class PullWriter {
  readonly #context: WriteContext;
  readonly #slice: TimeSlice;
  #plansLeft = MAX_PLANS;
  #refused: WrittenItem[] = [];

  constructor(context: WriteContext, slice: TimeSlice) {
    this.#context = context;
    this.#slice = slice;
  }

  /** Adds an item to those that `recordRefused` records. */
  refuse(item: WrittenItem): void {
    this.#refused.push(item);
  }

  /** Records Studio's side of what was not written. */
  async recordRefused(): Promise<void> {
    const items = this.#refused;
    this.#refused = [];
    await this.#context.writeJournal.recordRefused(items);
  }

  /** Writes pulls of different instances, none of which is below another one unless it comes first and both are in model files. */
  async write(pulls: readonly WrittenPull[]): Promise<ReadonlyMap<WrittenPull, PullResult>> {
    const results = new Map<WrittenPull, PullResult>();
    const open: Batch[] = [{ pulls, isRetry: false }];
    const reasons = new Map<WrittenPull, Reason>();
    // The iteration includes the batches that are added during it.
    for (const batch of open) {
      if (batch.pulls.length === 0) continue;
      if (this.#plansLeft === 0) {
        for (const pull of batch.pulls) this.#fail(pull, reasons.get(pull) ?? reasonOf('not_planned'), results);
        continue;
      }
      this.#plansLeft -= 1;
      const refused = await this.#attempt(batch.pulls, results);
      const isAlone = batch.pulls.length === 1;
      const outdated: WrittenPull[] = [];
      const shared: WrittenPull[] = [];
      const retried: WrittenPull[] = [];
      for (const refusal of refused) {
        const { kind, pull } = refusal;
        if (kind === 'outdated') {
          outdated.push(pull);
          continue;
        }
        reasons.set(pull, refusal.reason);
        if (kind === 'conflict') this.#fail(pull, refusal.reason, results, 'conflict');
        else if (kind === 'shared' && !isAlone) shared.push(pull);
        else if (!batch.isRetry && refused.length < batch.pulls.length) retried.push(pull);
        else this.#fail(pull, refusal.reason, results);
      }
      const half = Math.ceil(shared.length / 2);
      open.push(
        { pulls: shared.slice(0, half), isRetry: batch.isRetry },
        { pulls: shared.slice(half), isRetry: batch.isRetry },
        { pulls: outdated, isRetry: batch.isRetry },
        { pulls: retried, isRetry: true },
      );
    }
    if (this.#plansLeft > 0) await this.recordRefused();
    return results;
  }

  #fail(
    pull: WrittenPull,
    reason: Reason,
    results: Map<WrittenPull, PullResult>,
    outcome: 'failed' | 'conflict' = 'failed',
  ): void {
    results.set(pull, { outcome, reason });
    if (pull.item.studio !== null) this.refuse(pull.item);
  }

  /** Plans and writes pulls together. @returns those that were not written, all others have a result */
  async #attempt(
    pulls: readonly WrittenPull[],
    results: Map<WrittenPull, PullResult>,
  ): Promise<readonly RefusedPull[]> {
    const { session, writeJournal, signal } = this.#context;
    const refused: RefusedPull[] = [];
    const planned: PlannedPull[] = [];
    let plan: PullsPlan;
    let recordFailure: RecordFailure;
    try {
      plan = await session.planPulls(
        pulls.map(({ request }) => request),
        signal,
      );
      const checked = await this.#checkConflicts(pulls);
      if (checked.some(({ kind }) => kind === 'conflict')) return checked;
      for (const [index, pull] of pulls.entries()) {
        const outcome = plan.pulls[index];
        if (outcome?.ok === true) planned.push([pull, outcome.paths]);
        else refused.push(refusalOf(pull, outcome));
      }
      if (planned.length === 0) return refused;
      recordFailure = await writeJournal.recordFiles(
        planned.map(([{ item }, paths]) => [item, paths]),
        plan.edits,
      );
    } catch (error) {
      signal.throwIfAborted();
      const reason = failureReason(error);
      return pulls.map(pull => ({ kind: 'shared', pull, reason }));
    }
    return [...refused, ...(await this.#writePlanned(planned, plan.edits, recordFailure, results))];
  }

  /** Finds the conflicts among pulls that were planned together; the others are outdated if there is one. */
  async #checkConflicts(pulls: readonly WrittenPull[]): Promise<readonly RefusedPull[]> {
    const checked: RefusedPull[] = [];
    for (const pull of pulls) {
      await this.#slice.yieldToEventLoop();
      const reason = pull.conflict();
      checked.push(reason === undefined ? { kind: 'outdated', pull } : { kind: 'conflict', pull, reason });
    }
    return checked;
  }

  async #writePlanned(
    planned: readonly PlannedPull[],
    edits: readonly FileEdit[],
    recordFailure: RecordFailure,
    results: Map<WrittenPull, PullResult>,
  ): Promise<readonly RefusedPull[]> {
    const { session, feed, group, files, signal } = this.#context;
    const refused: (RefusedPull & { readonly kind: 'shared' | 'own' })[] = [];
    using assumed = new DisposableStore();
    for (const [{ inStudio }] of planned)
      for (const [id, instance] of inStudio) assumed.add(feed.assume(group, id, instance));
    try {
      const edited = new Map(edits.map(edit => [edit.path, edit]));
      const groupOf = groupByPath(
        planned.map(([, paths]) => paths),
        edited.keys(),
      );
      const { done, overwritten, failures } = await writeGroups(edits, files, groupOf);
      const finished = new Set(done);
      const places = new Set(done);
      const failed = new Map<string, Reason>();
      const written: PlannedPull[] = [];
      for (const [pull, paths] of planned) {
        await this.#slice.yieldToEventLoop();
        const own = Array.from(paths).filter(path => edited.has(path));
        const failure = own.map(path => failures.get(groupOf(path))).find(one => one !== undefined);
        const ownDone = own.filter(path => finished.has(path)).length;
        if (failure === undefined || ownDone === own.length) {
          written.push([pull, new Set(own)]);
          if (own.length > 0) continue;
        } else {
          const kind = ownDone === 0 && !paths.has(failure.path) ? 'shared' : 'own';
          refused.push({ kind, pull, reason: failure.problem });
          failed.set(pull.item.id, failure.problem);
        }
        // Nothing was written, so disk may differ from the tree.
        if (ownDone === 0)
          for (const path of session.get(pull.request.id)?.metadata.relevantPaths ?? []) places.add(path);
      }
      await readWritten(session, Array.from(places));
      const [problem] = failed.values();
      if (problem !== undefined) await recordFailure(problem, done, failed);
      await this.#settleWritten(written, edited, new Set(overwritten), results);
    } catch (error) {
      signal.throwIfAborted();
      const reason = failureReason(error);
      for (const [pull] of planned) if (!results.has(pull)) this.#fail(pull, reason, results);
      return [];
    }
    // Partly written changes cannot be planned as before.
    return refused.filter(({ kind, pull, reason }) => {
      if (kind === 'own') this.#fail(pull, reason, results);
      return kind === 'shared';
    });
  }

  async #settleWritten(
    written: readonly PlannedPull[],
    edits: ReadonlyMap<ProjectPath, FileEdit>,
    overwritten: ReadonlySet<ProjectPath>,
    results: Map<WrittenPull, PullResult>,
  ): Promise<void> {
    const { signal } = this.#context;
    const changed = new Map<ProjectPath, boolean>();
    const otherInTree = new Set<WrittenPull>();
    for (const [pull] of written) {
      await this.#slice.yieldToEventLoop();
      if (pull.isInTree?.() === false) otherInTree.add(pull);
    }
    for (const [pull, paths] of written) {
      await this.#slice.yieldToEventLoop();
      try {
        let isOverwritten = false;
        for (const path of paths) {
          const known = changed.get(path) ?? (overwritten.has(path) || !(await this.#isAsWritten(edits.get(path))));
          changed.set(path, known);
          isOverwritten ||= known;
        }
        // A later edit on disk is not a failure: like any other, it is sent to Studio next.
        if (isOverwritten || !otherInTree.has(pull)) results.set(pull, { outcome: 'written', isOverwritten });
        else results.set(pull, { outcome: 'failed', reason: reasonOf('reads_other_text') });
      } catch (error) {
        signal.throwIfAborted();
        results.set(pull, { outcome: 'failed', reason: failureReason(error) });
      }
    }
  }

  /** Whether the written file still has the bytes of the plan. */
  async #isAsWritten(edit: FileEdit | undefined): Promise<boolean> {
    const { files, hasher } = this.#context;
    if (edit?.kind !== 'write') return true;
    const stat = await files.stat(edit.path);
    return stat?.kind === 'file' && hasher.gitBlob(await files.read(edit.path)) === hasher.gitBlob(edit.bytes);
  }
}

const refusalOf = (pull: WrittenPull, outcome: PullOutcome | undefined): RefusedPull =>
  outcome?.ok === false
    ? { kind: outcome.isOfWholeFile === true ? 'shared' : 'own', pull, reason: outcome.reason }
    : { kind: 'own', pull, reason: reasonOf('no_pull') };
