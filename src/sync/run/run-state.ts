import type { Sentence } from '../../base/sentence.ts';
import type { Generations } from '../../protocol/acknowledgement.ts';
import type { Place } from '../../protocol/sync-result.ts';
import type { RunResult } from '../../protocol/run-result.ts';
import type { ReviewSession } from '../../review/review-session.ts';
import type { SavedChoices } from '../../review/saved-choices.ts';
import type { RunChange } from '../changes/run-change.ts';
import type { RunPhase } from '../sync-engine.ts';
import type { Comparison, ComparisonFacts } from './compare.ts';
import type { ProgressStep } from './run-messages.ts';

/** The subjects of a run; known once the run may begin. */
export interface RunSubject {
  /** The handle of the Studio; `undefined` if only files are restored. */
  readonly studio: string | undefined;
  readonly place: Place;
  readonly generations: () => Generations;
  /** Releases the project's run lock; `undefined` for a run that changes nothing. */
  readonly release: (() => Promise<void>) | undefined;
}

/** A run that may still change state. Each state keeps the facts of the previous ones. */
export type ActiveState =
  | { readonly phase: 'requested' }
  | { readonly phase: 'comparing'; readonly subject: RunSubject; readonly comparison: ComparisonFacts | undefined }
  | ({ readonly phase: 'reviewing'; readonly review: ReviewSession<RunChange> } & ComparedRun)
  | ({ readonly phase: 'applying'; readonly step: ApplyStep; readonly review: Review } & ComparedRun)
  | ({ readonly phase: 'verifying'; readonly review: Review } & ComparedRun);

/** `ending`: the result is known, while the record gets its ending and the lock is released. */
export type RunState =
  | ActiveState
  | { readonly phase: 'ending'; readonly from: ActiveState; readonly result: RunResult }
  | { readonly phase: 'ended'; readonly from: ActiveState; readonly result: RunResult };

/** `journaled`: both sides are recorded. `committed`: the first command that changes anything is about to be sent. */
type ApplyStep = 'planning' | 'journaled' | 'committed';
type Review = ReviewSession<RunChange> | undefined;
interface ComparedRun {
  readonly subject: RunSubject;
  readonly comparison: ComparisonFacts;
}

export type RunEvent =
  | { readonly type: 'comparing'; readonly subject: RunSubject }
  | { readonly type: 'compared'; readonly comparison: Comparison }
  | {
      readonly type: 'reviewing';
      readonly review: ReviewSession<RunChange>;
      readonly saved?: SavedChoices<RunChange> | undefined;
    }
  | { readonly type: 'applying' }
  | { readonly type: 'journaled' }
  | { readonly type: 'committed' }
  | { readonly type: 'verifying' }
  | { readonly type: 'ending'; readonly result: RunResult }
  | { readonly type: 'ended' }
  | { readonly type: 'completed'; readonly result: RunResult }
  /** The result is final, so the project and Studio are no longer needed. */
  | { readonly type: 'released' };

/** Observes the events of a run. */
export interface RunObserver {
  /** @throws Error when the run has ended or its state does not allow the event; the caller then stops */
  enter(event: RunEvent, message?: Sentence): void;
  progress(step: ProgressStep, done: number, total: number): void;
  /** Called for an answer of Studio after the time limit; the outcomes of the changes are then complete. */
  late(): void;
}

/**
 * The only function that changes the state of a run.
 *
 * @throws Error when the state does not allow the event, which also stops leftover work of a cancelled run
 */
export function transition(state: RunState, event: RunEvent): RunState {
  switch (event.type) {
    case 'comparing':
      if (state.phase === 'requested') return { phase: 'comparing', subject: event.subject, comparison: undefined };
      break;
    case 'compared':
      // Both sides are compared again while a person decides.
      if (state.phase === 'comparing' || state.phase === 'reviewing')
        return { ...state, comparison: factsOf(event.comparison) };
      break;
    case 'reviewing':
      if (state.phase === 'comparing' && state.comparison !== undefined)
        return { phase: 'reviewing', subject: state.subject, comparison: state.comparison, review: event.review };
      break;
    case 'applying': {
      if ((state.phase !== 'comparing' && state.phase !== 'reviewing') || state.comparison === undefined) break;
      const review = state.phase === 'reviewing' ? state.review : undefined;
      return { phase: 'applying', subject: state.subject, comparison: state.comparison, review, step: 'planning' };
    }
    case 'journaled':
      if (state.phase === 'applying' && state.step === 'planning') return { ...state, step: 'journaled' };
      // Cancelled while the record was written.
      if (state.phase === 'ending' || state.phase === 'ended') return state;
      break;
    case 'committed':
      if (state.phase === 'applying' && state.step === 'journaled') return { ...state, step: 'committed' };
      break;
    case 'verifying':
      if (state.phase === 'applying' && state.step === 'committed')
        return { phase: 'verifying', subject: state.subject, comparison: state.comparison, review: state.review };
      break;
    case 'ending':
      if (isActive(state)) return { phase: 'ending', from: state, result: event.result };
      break;
    case 'ended':
      if (state.phase === 'ending') return { ...state, phase: 'ended' };
      break;
    case 'released':
      if (state.phase === 'ended') return { ...state, from: { phase: 'requested' } };
      break;
    case 'completed':
      if (state.phase === 'ended') return { ...state, result: event.result };
      break;
  }
  throw new Error(`a run that is ${state.phase} cannot become ${event.type}`);
}

export const isActive = (state: RunState): state is ActiveState => state.phase !== 'ending' && state.phase !== 'ended';

/** The current state of the run, or its last one before the end. */
export const activeState = (state: RunState): ActiveState => (isActive(state) ? state : state.from);

/** Whether a command that changes something may have been sent. */
export const hasBegun = (state: ActiveState): boolean =>
  state.phase === 'verifying' || (state.phase === 'applying' && state.step === 'committed');

export const isCancellable = (state: RunState): state is ActiveState => isActive(state) && !hasBegun(state);

export const isJournaled = (state: ActiveState): boolean =>
  state.phase === 'verifying' || (state.phase === 'applying' && state.step !== 'planning');

export const subjectOf = (state: ActiveState): RunSubject | undefined =>
  state.phase === 'requested' ? undefined : state.subject;

export const comparisonOf = (state: ActiveState): ComparisonFacts | undefined =>
  state.phase === 'requested' ? undefined : state.comparison;

export const reviewOf = (state: ActiveState): ReviewSession<RunChange> | undefined =>
  state.phase === 'requested' || state.phase === 'comparing' ? undefined : state.review;

function factsOf(comparison: Comparison): ComparisonFacts {
  const { base: _base, writes: _writes, ...facts } = comparison;
  return facts;
}

/** The phase for others: a run has ended when all of its work is done. */
export const phaseOf = (state: RunState): RunPhase => (state.phase === 'ending' ? state.from.phase : state.phase);
