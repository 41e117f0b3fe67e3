import { AppError } from '../base/errors.ts';
import { Emitter, type Event } from '../base/emitter.ts';
import { inWords, say, type Sentence, type Translate } from '../base/sentence.ts';
import type { DiffTexts, ReviewControl, ReviewUpdate } from '../ports/review-surface.ts';
import type { RestoredSide, ReviewStatus } from '../protocol/review.ts';
import type { Choice } from '../protocol/sync.ts';
import { type CountedChange, DecisionCounts } from './decision-counts.ts';
import { OpenedTexts } from './opened-texts.ts';
import { decide, type ReviewItem, type DecisionMarks, type ReviewSides, toDecision } from './review-sides.ts';

export type ReviewDecision = 'apply' | 'reject';

export interface ReviewSession<C extends ReviewItem> extends ReviewControl {
  /** Resolves with the person's decision; stays open for ever if there is none. */
  readonly decision: Promise<ReviewDecision>;
  /** What a person has chosen, here or in an earlier window; not what was preselected. */
  chosen(): readonly C[];
  /** After the decision: shows that the run goes on, and in the end what came of it. */
  setPhase(phase: ReviewStatus['phase'], outcome: string | null): void;
  /** The window that shows it. */
  shownIn(): string | undefined;
  readonly onDidShow: Event<void>;
  /** While both sides are compared again nothing can be concluded: what Studio kept for the old comparison is gone. */
  setComparing(comparing: boolean): void;
  /**
   * Goes on with the changes of a newer comparison. Decisions whose sides did not change are kept; others become undecided and are marked
   * as moved. The choices are made on `changes` from now on.
   */
  replace(changes: readonly C[]): void;
}

export interface ReviewSubject<C extends ReviewItem> {
  readonly runId: string;
  readonly placeName: string;
  readonly requestedBy: string;
  /** The side that a restore brings back; `undefined` for a sync. */
  readonly restore?: RestoredSide | undefined;
  readonly sides: ReviewSides<C>;
  /** Into the language of whoever decides; left out: English. */
  readonly translate?: Translate | undefined;
  /** The run's own list: choices are made on it. */
  readonly changes: readonly C[];
  /** Ids of the changes that were chosen in an earlier window. */
  readonly kept: ReadonlySet<string>;
  /** What the changes do not speak of, in English; it may be more or less after a comparison. Left out: nothing. */
  warnings?(): readonly string[];
  texts(change: C): Promise<DiffTexts>;
  /** Writes the text to disk and compares again. @throws AppError with nothing written, when a side has moved */
  merge(change: C, text: string): Promise<void>;
  /** Compares both sides again, unless that is under way. */
  refresh(): void;
}

const unmarked: DecisionMarks = { follows: null, moved: false, kept: false };
const keptMarks: DecisionMarks = { ...unmarked, kept: true };

/** What a person sees and decides of one run, before any surface. */
export function createReviewSession<C extends ReviewItem>(subject: ReviewSubject<C>): ReviewSession<C> {
  const { sides, translate } = subject;
  const refusal = (problem: Sentence): AppError =>
    new AppError('INVALID_INPUT', { problems: inWords(problem, translate) });
  const counted = (change: C): CountedChange => ({ patchType: sides.patchType(change), choice: change.choice });
  let { changes } = subject;
  let byId = new Map(changes.map(change => [sides.id(change), change]));
  let together = sides.together(changes);
  let counts = new DecisionCounts(changes.map(counted));
  const marks = new Map<string, DecisionMarks>(Array.from(subject.kept, id => [id, keptMarks]));
  const opened = new Map<string, OpenedTexts>();
  const changed = new Emitter<ReviewUpdate>();
  const didShow = new Emitter<void>();
  let shownIn: string | undefined;
  let revision = 1;
  let phase: ReviewStatus['phase'] = 'deciding';
  let comparing = false;
  let outcome: string | null = null;
  const { promise: decision, resolve: conclude } = Promise.withResolvers<ReviewDecision>();

  const marksOf = (change: C): DecisionMarks => marks.get(sides.id(change)) ?? unmarked;
  const warningsNow = (): readonly string[] => subject.warnings?.() ?? [];
  let warnings = warningsNow();
  const status = (): ReviewStatus => ({
    revision,
    runId: subject.runId,
    sides: sides.pair,
    placeName: subject.placeName,
    requestedBy: subject.requestedBy,
    ...(subject.restore === undefined ? {} : { restore: subject.restore }),
    phase,
    total: counts.total,
    undecided: counts.undecided,
    comparing,
    summary: sides.summary(counts),
    outcome,
  });
  const publish = (touched: Iterable<C> | undefined): void => {
    revision += 1;
    const rows = touched && Array.from(touched, change => toDecision(sides.id(change), change, marksOf(change)));
    changed.fire({ status: status(), rows });
  };
  const find = (id: string): C => {
    const change = byId.get(id);
    if (change === undefined) throw refusal(say`there is no change ${id} in this review`);
    return change;
  };
  const requireOpen = (): void => {
    if (phase !== 'deciding') throw refusal(say`this review is already decided`);
  };

  const close = (seen: number, made: ReviewDecision): void => {
    requireOpen();
    if (seen !== revision) throw refusal(say`the review changed meanwhile; look again`);
    if (made === 'apply' && comparing)
      throw refusal(say`both sides are being compared again; look at what has moved first`);
    if (made === 'apply' && counts.undecided > 0)
      throw new AppError('INVALID_INPUT', { problems: sides.summary(counts) });
    phase = made === 'apply' ? 'applying' : 'ended';
    outcome = made === 'apply' ? null : inWords(say`Rejected. Nothing was changed.`, translate);
    try {
      publish([]);
    } finally {
      conclude(made);
    }
  };

  const choose = (ids: readonly string[], choice: Choice): void => {
    requireOpen();
    const touched = new Set<C>();
    const set = (change: C, made: Choice, cause: C | undefined): void => {
      counts.remove(counted(change));
      decide(change, made);
      counts.add(counted(change));
      marks.set(sides.id(change), { ...unmarked, follows: cause === undefined ? null : sides.id(cause) });
      touched.add(change);
    };
    together(ids.map(find), choice, set);
    publish(touched);
  };
  const merge = async (id: string, text: string): Promise<void> => {
    requireOpen();
    const seen = find(id);
    if (!opened.has(id)) throw refusal(say`a side has moved since its text was shown; open the diff again`);
    await subject.merge(seen, text);
    const now = byId.get(id);
    // Gone: what was merged is what the other side has.
    if (now === undefined) return;
    if (!sides.isTargetSame(seen, now))
      throw refusal(say`the merged text is written, but the other side has moved meanwhile; look at the diff again`);
    choose([id], 'push');
  };

  return {
    decision,
    status,
    snapshot: () => ({
      ...status(),
      rows: changes.map(change => sides.toRow(change, marksOf(change))),
      paths: sides.paths(changes),
      warnings,
    }),
    row(id) {
      const change = byId.get(id);
      return change && sides.toRow(change, marksOf(change));
    },
    chosen: () => changes.filter(change => change.choice !== null && marks.has(sides.id(change))),
    onDidChange: changed.event,
    choose,
    merge,
    apply: seen => close(seen, 'apply'),
    reject: seen => close(seen, 'reject'),
    shownIn: () => shownIn,
    onDidShow: didShow.event,
    setShownIn(window) {
      if (shownIn === window) return;
      shownIn = window;
      didShow.fire();
    },
    refresh: () => {
      if (phase === 'deciding') subject.refresh();
    },
    async texts(id) {
      const change = find(id);
      const texts = await subject.texts(change);
      const parts = OpenedTexts.of(texts);
      const before = opened.get(id);
      const isSame = before?.disk === parts?.disk && before?.studio === parts?.studio;
      if (parts !== undefined && !isSame) opened.set(id, parts);
      return texts;
    },
    hunks: id => opened.get(id)?.hunks() ?? [],
    async decideHunk(id, hunk, choice) {
      requireOpen();
      const parts = opened.get(id);
      if (parts === undefined) throw refusal(say`a side has moved since its text was shown; open the diff again`);
      parts.decide(hunk, choice);
      const outcome = parts.outcome();
      if (outcome === undefined) publish([find(id)]);
      else if (typeof outcome === 'string') choose([id], outcome);
      else await merge(id, outcome.text);
    },
    setPhase(next, said) {
      phase = next;
      outcome = said;
      publish(undefined);
    },
    setComparing(now) {
      if (comparing === now) return;
      comparing = now;
      publish([]);
    },
    replace(next) {
      const before = byId;
      const told = warnings;
      warnings = warningsNow();
      let moved = before.size !== next.length || told.join('\n') !== warnings.join('\n');
      for (const change of next) {
        const old = before.get(sides.id(change));
        if (old !== undefined && sides.isSame(old, change)) {
          decide(change, old.choice, old.reason);
          continue;
        }
        moved = true;
        opened.delete(sides.id(change));
        if (old !== undefined) decide(change, null, change.reason);
        marks.set(sides.id(change), { ...unmarked, moved: true });
      }
      sides.withdrawConflicts(next);
      changes = next;
      byId = new Map(next.map(change => [sides.id(change), change]));
      together = sides.together(next);
      counts = new DecisionCounts(next.map(counted));
      comparing = false;
      publish(moved ? undefined : []);
    },
  };
}
