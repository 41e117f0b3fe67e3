import { plainText } from '../base/line-ends.ts';
import { reviewRefused } from '../base/errors.ts';
import { Emitter, type Event } from '../base/emitter.ts';
import { formatSentence, say, type Sentence, type Translate } from '../base/sentence.ts';
import type { DiffHunk, DiffTexts, ReviewControl, ReviewUpdate } from '../ports/review-surface.ts';
import type { RestoredSide, ReviewStatus, UntrackedList } from '../protocol/review.ts';
import type { Choice, Direction } from '../protocol/sync-request.ts';
import { type CountedChange, DecisionCounts } from './decision-counts.ts';
import { commonChoices } from '../protocol/row-choices.ts';
import { HunkDecisions } from './hunk-decisions.ts';
import {
  decide,
  keepMerge,
  type ReviewItem,
  type DecisionMarks,
  type ReviewSides,
  toDecision,
} from './review-sides.ts';

export type ReviewDecision = 'apply' | 'reject';

export interface ReviewSession<C extends ReviewItem> extends ReviewControl {
  /** Resolves with the person's decision; never settles without one. */
  readonly decision: Promise<ReviewDecision>;
  /** The changes that a person decided wholly or in part, in this window or an earlier one, without those that have only a default. */
  chosen(): readonly C[];
  /** Updates the phase after the decision: applying, then ended with the outcome. */
  setPhase(phase: ReviewStatus['phase'], outcome: string | null): void;
  readonly onDidShow: Event<void>;
  /** Blocks Apply while both sides are compared again, because Studio has discarded the previous comparison. */
  setComparing(comparing: boolean): void;
  /** Shows the properties that only Studio has; `undefined`: unknown. */
  setUntracked(untracked: UntrackedList | undefined): void;
  /**
   * Continues with the changes of a newer comparison. Keeps the decision of each change whose sides are the same; makes the others
   * undecided and marks them as reopened. From now on choices are set on `changes`.
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
  /** Translates into the display language; English without it. */
  readonly translate?: Translate | undefined;
  /** The run's list of changes; choices are set on its items. */
  readonly changes: readonly C[];
  /** Ids of the changes whose choices were restored from an earlier window. */
  readonly restoredIds: ReadonlySet<string>;
  /** Problems that the list of changes does not show. Read again after each comparison. */
  warnings?(): readonly Sentence[];
  texts(change: C): Promise<DiffTexts>;
  /** Checks that Apply can write the merged text to both sides. Writes nothing. @throws AppError when it cannot, or when a side has changed */
  checkMerge(change: C, text: string): Promise<void>;
  /** Compares both sides again, unless a comparison is in progress. */
  refresh(): void;
  /** Compares a property of `setUntracked` too. Resolves after the comparison. */
  track?(id: string, property: string): Promise<void>;
}

const unmarked: DecisionMarks = { follows: null, isReopened: false, isRestored: false };
const restoredMarks: DecisionMarks = { ...unmarked, isRestored: true };

/** Creates the state of one review, independent of the surface that shows it. */
export function createReviewSession<C extends ReviewItem>(subject: ReviewSubject<C>): ReviewSession<C> {
  const { sides, translate } = subject;
  const counted = (change: C): CountedChange => ({
    patchType: sides.patchType(change),
    choice: change.choice,
    instances: sides.instances?.(change),
  });
  let { changes } = subject;
  let byId = new Map(changes.map(change => [sides.id(change), change]));
  let chooser = sides.createChooser(changes);
  let counts = new DecisionCounts(changes.map(counted));
  const marks = new Map<string, DecisionMarks>(Array.from(subject.restoredIds, id => [id, restoredMarks]));
  const versions = new Map<string, number>();
  const openDiffs = new Map<string, HunkDecisions>();
  const changed = new Emitter<ReviewUpdate>();
  const didShow = new Emitter<void>();
  let shownIn: string | undefined;
  let revision = 1;
  let phase: ReviewStatus['phase'] = 'deciding';
  let comparing = false;
  let outcome: string | null = null;
  let untracked: UntrackedList | undefined;
  const { promise: decision, resolve: conclude } = Promise.withResolvers<ReviewDecision>();

  const marksOf = (change: C): DecisionMarks => marks.get(sides.id(change)) ?? unmarked;
  const warningsNow = (): readonly string[] => (subject.warnings?.() ?? []).map(one => formatSentence(one, translate));
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
    if (change === undefined) throw reviewRefused('no_such_change', id);
    return change;
  };
  const requireOpen = (): void => {
    if (phase !== 'deciding') throw reviewRefused('already_decided');
  };

  const close = (seen: number, made: ReviewDecision): void => {
    requireOpen();
    if (seen !== revision) throw reviewRefused('review_changed');
    if (made === 'apply' && comparing) throw reviewRefused('comparing');
    if (made === 'apply' && counts.undecided > 0) throw reviewRefused('undecided', counts.undecided);
    phase = made === 'apply' ? 'applying' : 'ended';
    outcome = made === 'apply' ? null : formatSentence(say`Rejected. Nothing was changed.`, translate);
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
    const chosen = ids.map(find);
    if (subject.restore !== undefined && !commonChoices(subject.restore).some(one => one === choice))
      throw reviewRefused('restore_only');
    if (choice === 'merge' && !chosen.every(canMerge)) throw reviewRefused('no_complete_merge');
    chooser(chosen, choice, set);
    publish(touched);
  };
  const canMerge = (change: C): boolean => change.personMerge?.text != null || sides.merged?.(change) !== undefined;
  const requireDiff = (id: string): HunkDecisions => {
    const parts = openDiffs.get(id);
    if (parts === undefined) throw reviewRefused('script_changed');
    return parts;
  };
  /** Chooses a merged text, or the side that has this text already. */
  const mergeText = async (id: string, text: string, hunks: readonly Direction[] | null): Promise<void> => {
    requireOpen();
    const change = find(id);
    const parts = requireDiff(id);
    const plain = plainText(text);
    const side = parts.directionOf(plain);
    const isSuggested = sides.merged?.(change)?.text === plain;
    if (side === undefined && !isSuggested) {
      await subject.checkMerge(change, plain);
      requireOpen();
      if (requireDiff(id) !== parts) throw reviewRefused('script_changed');
    }
    if (hunks === null) parts.decideAll(side ?? null);
    const own = side === undefined && !isSuggested ? { text: plain, hunks } : undefined;
    keepMerge(find(id), own);
    choose([id], side ?? 'merge');
  };
  /** The hunks as the whole change decides them: a push or pull decides all of them. */
  const hunksOf = (id: string): readonly DiffHunk[] => {
    const hunks = openDiffs.get(id)?.hunks() ?? [];
    const choice = byId.get(id)?.choice;
    if (choice == null || choice === 'merge') return hunks;
    return hunks.map(hunk => ({ ...hunk, choice: choice === 'skip' ? null : choice }));
  };
  const decideHunk = async (id: string, hunk: number, choice: Direction): Promise<void> => {
    requireOpen();
    const change = find(id);
    const parts = requireDiff(id);
    parts.restore(hunksOf(id).map(shown => shown.choice));
    parts.decide(hunk, choice);
    const outcome = parts.outcome();
    if (typeof outcome === 'string') {
      keepMerge(change, undefined);
      return choose([id], outcome);
    }
    if (outcome !== undefined)
      return await mergeText(
        id,
        outcome.text,
        parts.choices().flatMap(one => one ?? []),
      );
    keepMerge(change, { text: null, hunks: parts.choices() });
    reopen(change);
  };
  /** Makes a change undecided whose hunks are decided in part. */
  const reopen = (change: C): void => {
    counts.remove(counted(change));
    decide(change, null);
    counts.add(counted(change));
    marks.set(sides.id(change), unmarked);
    publish([change]);
  };

  return {
    decision,
    status,
    snapshot: () => ({
      ...status(),
      rows: changes.map(change => sides.toRow(change, marksOf(change))),
      paths: sides.paths(changes),
      warnings,
      ...(untracked === undefined ? {} : { untracked }),
    }),
    row(id) {
      const change = byId.get(id);
      return change && sides.toRow(change, marksOf(change));
    },
    chosen: () =>
      changes.filter(
        change => (change.choice !== null && marks.has(sides.id(change))) || change.personMerge !== undefined,
      ),
    onDidChange: changed.event,
    choose,
    merge: (id, text) => mergeText(id, text, null),
    apply: seen => close(seen, 'apply'),
    reject: seen => close(seen, 'reject'),
    version: id => (byId.has(id) ? (versions.get(id) ?? 0) : undefined),
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
    async track(id, property) {
      requireOpen();
      const isListed = untracked?.properties.some(each => each.id === id && each.property === property);
      if (isListed !== true || subject.track === undefined) throw reviewRefused('no_such_change', id);
      const wasDifferent = byId.has(id);
      await subject.track(id, property);
      // A change with other differences is the person's to decide.
      if (phase === 'deciding' && !wasDifferent && byId.has(id)) choose([id], 'pull');
    },
    async texts(id) {
      let change = find(id);
      let version = versions.get(id);
      let texts = await subject.texts(change);
      // A side changed while the texts were read, so they are not those that a decision would apply to.
      while (versions.get(id) !== version) {
        change = find(id);
        version = versions.get(id);
        texts = await subject.texts(change);
      }
      const parts = HunkDecisions.of(texts);
      const before = openDiffs.get(id);
      const isSame = before?.disk === parts?.disk && before?.studio === parts?.studio;
      if (parts !== undefined && !isSame) {
        parts.restore(change.personMerge?.hunks ?? []);
        openDiffs.set(id, parts);
      }
      const own = byId.get(id)?.personMerge?.text;
      return own == null ? texts : { ...texts, merged: { text: own } };
    },
    hunks: hunksOf,
    decideHunk,
    setPhase(next, ended) {
      phase = next;
      outcome = ended;
      if (next === 'ended') comparing = false;
      publish(undefined);
    },
    setComparing(now) {
      if (comparing === now) return;
      comparing = now;
      publish([]);
    },
    setUntracked(list) {
      if (untracked === list) return;
      untracked = list;
      publish(undefined);
    },
    replace(next) {
      const before = byId;
      const previousWarnings = warnings;
      warnings = warningsNow();
      let moved = before.size !== next.length || previousWarnings.join('\n') !== warnings.join('\n');
      for (const change of next) {
        const old = before.get(sides.id(change));
        if (old !== undefined && sides.isSame(old, change)) {
          decide(change, old.choice, old.reason);
          keepMerge(change, old.personMerge);
          continue;
        }
        moved = true;
        openDiffs.delete(sides.id(change));
        versions.set(sides.id(change), (versions.get(sides.id(change)) ?? 0) + 1);
        // A new change may have a default that the person has not seen.
        const { choice, personMerge } = old ?? change;
        const isReopened = choice !== null || personMerge !== undefined || marksOf(change).isReopened;
        if (old !== undefined) decide(change, null, change.reason);
        marks.set(sides.id(change), { ...unmarked, isReopened });
      }
      sides.withdrawConflicts(next);
      changes = next;
      byId = new Map(next.map(change => [sides.id(change), change]));
      chooser = sides.createChooser(next);
      counts = new DecisionCounts(next.map(counted));
      comparing = false;
      publish(moved ? undefined : []);
    },
  };
}
