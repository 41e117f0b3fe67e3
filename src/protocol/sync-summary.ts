import { type ReasonOrText, reasonSentence, toReason } from './reason.ts';
import { plural } from '../base/plural.ts';
import { shortened } from '../base/safe-text.ts';
import { joinWithSemicolons, say, type Sentence, plainSentence } from '../base/sentence.ts';
import { forAgent, forCommandLine, forPerson } from './error-body.ts';
import type { RestoredSide } from './review.ts';
import type { BulkVerdict, ErrorBody, OverrideVerdict, Place, SyncChange, SyncStatus } from './sync-result.ts';

/** The reader of a summary: an agent that calls tools, a person in VS Code, or a user of the command line. */
export type Reader = 'agent' | 'person' | 'command line';

/** The facts of a run that its summary uses. */
export interface SummaryFacts {
  readonly status: SyncStatus;
  readonly runId: string;
  readonly place?: Place | undefined;
  /** The side that a restore brought back; absent for a sync. */
  readonly restoredSide?: RestoredSide | undefined;
  readonly changes: readonly (Pick<SyncChange, 'direction' | 'outcome'> & { readonly patchType: string })[];
  readonly overrides: readonly Reasoned<OverrideVerdict>[];
  readonly bulk?: readonly Reasoned<BulkVerdict>[] | undefined;
  readonly untracked?: number | undefined;
  readonly error?: ErrorBody | undefined;
}

type Reasoned<T> = Omit<T, 'reason'> & { readonly reason?: ReasonOrText | undefined };

/** Unused overrides that a summary names. */
const MAX_NAMED_OVERRIDES = 5;
/** Characters of an id or path that a summary names. */
const MAX_NAME_LENGTH = 100;

/** Describes the result and the next step. Complete without the other fields, because some clients show the model only this sentence. */
export function summarySentence(run: SummaryFacts, reader: Reader): Sentence {
  const unused = [
    ...run.overrides
      .filter(({ verdict, reason }) => verdict !== 'accepted' || reason !== undefined)
      .map(({ id, verdict, reason }) => [id, verdict, reason] as const),
    ...(run.bulk ?? [])
      .filter(({ verdict }) => verdict !== 'accepted')
      .map(
        ({ under, direction, verdict, reason }) =>
          [`${direction} of ${under ?? 'everything'}`, verdict, reason] as const,
      ),
  ];
  const ending = withUntracked(endingSentence(run, reader), run);
  if (unused.length === 0) return ending;
  const rest = unused.length - MAX_NAMED_OVERRIDES;
  const named = unused.slice(0, MAX_NAMED_OVERRIDES).map(([what, verdict, reason]) => {
    const name = shortened(what, MAX_NAME_LENGTH);
    return reason === undefined
      ? say`${name} (${verdict})`
      : say`${name} (${verdict}: ${reasonSentence(toReason(reason))})`;
  });
  const list = joinWithSemicolons([...named, ...(rest > 0 ? [say`and ${rest} more`] : [])]);
  return say`${ending} Overrides that were not used: ${list}.`;
}

/** Adds the number of untracked properties, so that "identical" is never understood to include them. */
function withUntracked(ending: Sentence, { status, untracked = 0 }: SummaryFacts): Sentence {
  if (untracked === 0 || (status !== 'dryrun' && status !== 'empty')) return ending;
  return plural(
    untracked,
    say`${ending} 1 property is only in Studio and not tracked.`,
    say`${ending} ${untracked} properties are only in Studio and not tracked.`,
  );
}

const describeErrorFor: Readonly<Record<Reader, (error: ErrorBody) => Sentence>> = {
  agent: forAgent,
  person: forPerson,
  'command line': forCommandLine,
};

/** The command line cannot ask for decisions. */
const decideThere = 'Decide in VS Code: open the project there, connect Studio, and run "Atlas Bridge: Sync".';

function endingSentence(run: SummaryFacts, reader: Reader): Sentence {
  const { status, runId, place, restoredSide, changes, error } = run;
  const count = (matches: (change: SummaryFacts['changes'][number]) => boolean): number =>
    changes.filter(matches).length;
  const where = place?.name ?? 'Studio';
  const pushed = count(({ outcome }) => outcome === 'applied');
  const deleted =
    restoredSide === undefined ? count(change => change.outcome === 'written' && change.patchType === 'Add') : 0;
  const written = count(({ outcome }) => outcome === 'written') - deleted;
  const merged = count(({ outcome }) => outcome === 'merged');
  const skipped = count(({ outcome }) => outcome === 'skipped');
  const failed = count(({ outcome }) => outcome === 'failed');
  const unknown = count(({ outcome }) => outcome === 'unknown');
  const undecided = count(({ direction }) => direction === 'unresolved');
  const all = plural(changes.length, say`1 change`, say`${changes.length} changes`);
  const done = [
    ...(pushed === 0 ? [] : [restoredSide ? say`${pushed} restored in ${where}` : say`${pushed} pushed to ${where}`]),
    ...(written === 0 ? [] : [restoredSide ? say`${written} restored on disk` : say`${written} written to disk`]),
    ...(deleted === 0 ? [] : [say`${deleted} deleted from disk`]),
    ...(merged === 0 ? [] : [say`${merged} merged`]),
    ...(skipped === 0 ? [] : [say`${skipped} skipped`]),
  ];
  const notDone = [
    ...(failed === 0 ? [] : [say`${failed} failed`]),
    ...(unknown === 0 ? [] : [say`${unknown} with unknown outcome`]),
  ];
  switch (status) {
    case 'success':
      if (restoredSide !== undefined)
        return done.length === 0 ? say`Restore completed successfully.` : say`Restore completed successfully: ${done}.`;
      return done.length === 0 ? say`Sync completed successfully.` : say`Sync completed successfully: ${done}.`;
    case 'empty':
      if (restoredSide === 'disk') return say`Nothing to restore: the files are as they were before that sync.`;
      if (restoredSide === 'studio') return say`Nothing to restore: ${where} is as it was before that sync.`;
      return say`No changes to sync: disk and ${where} are identical.`;
    case 'dryrun':
      return undecided === 0
        ? say`Dry run complete: ${all}. Nothing was changed.`
        : say`Dry run complete: ${all}, ${undecided} undecided. Nothing was changed.`;
    case 'review_pending':
      if (reader === 'person') return say`A sync is waiting for your decision.`;
      return say`A person is still deciding in VS Code. Call operation_wait with operationId "${runId}".`;
    case 'partial': {
      const counts = [...done, ...notDone, ...(undecided === 0 ? [] : [say`${undecided} undecided`])];
      if (counts.length === 0) return say`The sync was completed only in part.`;
      return undecided === 0
        ? say`The sync was completed only in part: ${counts}. Each failed change has a reason and was not overwritten.`
        : say`The sync was completed only in part: ${counts}. Each failed or undecided change has a reason and was not overwritten. Sync again to decide.`;
    }
    case 'rejected':
      return reader === 'person'
        ? say`The changes were rejected. Nothing was changed.`
        : say`A person rejected the changes. Nothing was changed.`;
    case 'fastfail_unresolved':
      // Every change is decided, but a person has to confirm the overrides.
      if (undecided === 0)
        return reader === 'person'
          ? say`Nothing was changed: decisions of an agent require your confirmation.`
          : say`Nothing was changed: the setting atlas.overrides.approval is "ask", so a person must confirm overrides. Use mode "standard" to ask a person.`;
      if (reader !== 'agent') {
        const open =
          undecided === 1
            ? say`${undecided} of ${all} is undecided, so nothing was changed.`
            : say`${undecided} of ${all} are undecided, so nothing was changed.`;
        return reader === 'person' ? open : say`${open} ${plainSentence(decideThere)}`;
      }
      return undecided === 1
        ? say`${undecided} of ${all} is undecided, so nothing was changed. Decide each with an override (id, direction, studioHash), or use mode "standard" to ask a person.`
        : say`${undecided} of ${all} are undecided, so nothing was changed. Decide each with an override (id, direction, studioHash), or use mode "standard" to ask a person.`;
    case 'review_timeout':
      return reader === 'person'
        ? say`The review timed out without a decision. Nothing was changed. Sync again when you have time to decide.`
        : say`The review timed out without a decision. Nothing was changed. Ask the person, then sync again.`;
    case 'cancelled':
      return say`The sync was cancelled. Nothing was changed.`;
    case 'disconnected': {
      if (failed + unknown + pushed + written + merged === 0)
        return say`Studio disconnected before anything was changed.`;
      const rest = failed + unknown;
      const counts = [...done, ...(rest === 0 ? [] : [say`${rest} failed or with unknown outcome`])];
      return say`Studio disconnected during the sync: ${counts}. Reconnect and start a dry run to see the current state.`;
    }
    case 'not_connected':
    case 'sync_in_progress':
    case 'error': {
      const why = error === undefined ? say`The sync failed.` : describeErrorFor[reader](error);
      // Without these, every change is as it was.
      if (failed + unknown + pushed + written + merged + deleted === 0) return why;
      return say`${why} The sync was completed only in part: ${[...done, ...notDone]}. Start a dry run to see the current state.`;
    }
  }
}
