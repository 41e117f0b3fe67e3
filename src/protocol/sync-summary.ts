import { type ReasonOrText, reasonSentence, toReason } from './reason.ts';
import { plural } from '../base/plural.ts';
import { joinWithSemicolons, say, type Sentence, plainSentence } from '../base/sentence.ts';
import { forAgent, forCommandLine, forPerson } from './error-body.ts';
import type { ErrorBody, OverrideVerdict, Place, SyncChange, SyncStatus } from './sync.ts';

/** The reader of a summary: an agent that calls tools, a person in VS Code, or a user of the command line. */
export type Reader = 'agent' | 'person' | 'command line';

/** The facts of a run that its summary uses. */
export interface Summarized {
  readonly status: SyncStatus;
  readonly runId: string;
  readonly place?: Place | undefined;
  readonly changes: readonly Pick<SyncChange, 'direction' | 'outcome'>[];
  readonly overrides: readonly (Omit<OverrideVerdict, 'reason'> & { readonly reason?: ReasonOrText | undefined })[];
  readonly error?: ErrorBody | undefined;
}

/** Unused overrides that a summary names. */
const MAX_NAMED_OVERRIDES = 5;

/** Describes the result and the next step. Complete without the other fields, because some clients show the model only this sentence. */
export function summarySentence(run: Summarized, reader: Reader): Sentence {
  const unused = run.overrides.filter(({ verdict, reason }) => verdict !== 'accepted' || reason !== undefined);
  const ending = endingSentence(run, reader);
  if (unused.length === 0) return ending;
  const rest = unused.length - MAX_NAMED_OVERRIDES;
  const named = unused
    .slice(0, MAX_NAMED_OVERRIDES)
    .map(({ id, verdict, reason }) =>
      reason === undefined ? say`${id} (${verdict})` : say`${id} (${verdict}: ${reasonSentence(toReason(reason))})`,
    );
  const list = joinWithSemicolons([...named, ...(rest > 0 ? [say`and ${rest} more`] : [])]);
  return say`${ending} Overrides that were not used: ${list}.`;
}

const describeErrorFor: Readonly<Record<Reader, (error: ErrorBody) => Sentence>> = {
  agent: forAgent,
  person: forPerson,
  'command line': forCommandLine,
};

/** The command line cannot ask for decisions. */
const decideThere = 'Decide in VS Code: open the project there, connect Studio, and run "Atlas Bridge: Sync".';

function endingSentence({ status, runId, place, changes, error }: Summarized, reader: Reader): Sentence {
  const count = (matches: (change: Summarized['changes'][number]) => boolean): number => changes.filter(matches).length;
  const where = place?.name ?? 'Studio';
  const pushed = count(({ outcome }) => outcome === 'applied');
  const written = count(({ outcome }) => outcome === 'written');
  const merged = count(({ outcome }) => outcome === 'merged');
  const skipped = count(({ outcome }) => outcome === 'skipped');
  const failed = count(({ outcome }) => outcome === 'failed');
  const unknown = count(({ outcome }) => outcome === 'unknown');
  const undecided = count(({ direction }) => direction === 'unresolved');
  const all = plural(changes.length, say`1 change`, say`${changes.length} changes`);
  const parts = [
    ...(pushed === 0 ? [] : [say`${pushed} pushed to ${where}`]),
    ...(written === 0 ? [] : [say`${written} written to disk`]),
    ...(merged === 0 ? [] : [say`${merged} merged`]),
    ...(skipped === 0 ? [] : [say`${skipped} skipped`]),
  ];
  // An agent gets every number; a person gets only the ones that are not zero.
  const done =
    reader === 'person' && parts.length > 0
      ? say`${parts}`
      : merged > 0
        ? say`${pushed} pushed to ${where}, ${written} written to disk, ${merged} merged, ${skipped} skipped`
        : say`${pushed} pushed to ${where}, ${written} written to disk, ${skipped} skipped`;
  switch (status) {
    case 'success':
      return say`Sync completed successfully: ${done}.`;
    case 'empty':
      return say`No changes to sync: disk and ${where} are identical.`;
    case 'dryrun':
      return say`Dry run complete: ${all}, ${undecided} undecided. Nothing was changed.`;
    case 'review_pending':
      if (reader === 'person') return say`A sync is waiting for your decision.`;
      return say`A person is still deciding in VS Code. Call operation_wait with operationId "${runId}".`;
    case 'partial': {
      const left = [
        ...(failed > 0 || undecided === 0 ? [say`${failed} failed`] : []),
        ...(unknown === 0 ? [] : [say`${unknown} with unknown outcome`]),
        ...(undecided === 0 ? [] : [say`${undecided} undecided`]),
      ];
      return undecided === 0
        ? say`The sync was completed only in part: ${done}, ${left}. Each failed change has a reason and was not overwritten.`
        : say`The sync was completed only in part: ${done}, ${left}. Each failed or undecided change has a reason and was not overwritten. Sync again to decide.`;
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
    case 'disconnected':
      return failed + unknown + pushed + written === 0
        ? say`Studio disconnected before anything was changed.`
        : say`Studio disconnected during the sync: ${done}, ${failed + unknown} failed or with unknown outcome. Reconnect and start a dry run to see the current state.`;
    case 'not_connected':
    case 'sync_in_progress':
    case 'error':
      return error === undefined ? say`The sync failed.` : describeErrorFor[reader](error);
  }
}
