import { say, type Sentence, whole } from '../base/sentence.ts';
import { forAgent, forCommandLine, forPerson } from './error-body.ts';
import type { ErrorBody, OverrideVerdict, Place, SyncChange, SyncStatus } from './sync.ts';

/** Who reads it: an agent, which calls tools, a person in VS Code, or whoever called `atlas-bridge`. */
export type Reader = 'agent' | 'person' | 'command line';

/** What the summary of a run is made from. */
export interface Summarized {
  readonly status: SyncStatus;
  readonly runId: string;
  readonly place?: Place | undefined;
  readonly changes: readonly Pick<SyncChange, 'direction' | 'outcome'>[];
  readonly overrides: readonly OverrideVerdict[];
  readonly error?: ErrorBody | undefined;
}

/** What happened and what to do next, complete by itself: some clients show the model nothing else. */
export function summarySentence(run: Summarized, reader: Reader): Sentence {
  const unused = run.overrides.filter(({ verdict, reason }) => verdict !== 'accepted' || reason !== undefined);
  const ending = endingSentence(run, reader);
  if (unused.length === 0) return ending;
  const list = unused.map(o => `${o.id} (${o.verdict}${o.reason === undefined ? '' : `: ${o.reason}`})`).join('; ');
  return say`${ending} Overrides that were not used: ${list}.`;
}

const describeErrorFor: Readonly<Record<Reader, (error: ErrorBody) => Sentence>> = {
  agent: forAgent,
  person: forPerson,
  'command line': forCommandLine,
};

/** Nobody can be asked at the command line. */
const decideThere = 'Decide in VS Code: open the project there, connect Studio, and run "Atlas Bridge: Sync".';

function endingSentence({ status, runId, place, changes, error }: Summarized, reader: Reader): Sentence {
  const count = (matches: (change: Summarized['changes'][number]) => boolean): number => changes.filter(matches).length;
  const where = place?.name ?? 'Studio';
  const pushed = count(({ outcome }) => outcome === 'applied');
  const written = count(({ outcome }) => outcome === 'written');
  const skipped = count(({ outcome }) => outcome === 'skipped');
  const failed = count(({ outcome }) => outcome === 'failed');
  const unknown = count(({ outcome }) => outcome === 'unknown');
  const undecided = count(({ direction }) => direction === 'unresolved');
  const all = changes.length === 1 ? say`1 change` : say`${changes.length} changes`;
  const parts = [
    ...(pushed === 0 ? [] : [say`${pushed} pushed to ${where}`]),
    ...(written === 0 ? [] : [say`${written} written to disk`]),
    ...(skipped === 0 ? [] : [say`${skipped} skipped`]),
  ];
  // An agent counts on each figure, a person reads what there was.
  const done =
    reader === 'person' && parts.length > 0
      ? say`${parts}`
      : say`${pushed} pushed to ${where}, ${written} written to disk, ${skipped} skipped`;
  switch (status) {
    case 'success':
      return say`Sync completed successfully: ${done}.`;
    case 'empty':
      return say`No changes to sync: disk and ${where} hold the same.`;
    case 'dryrun':
      return say`Dry run complete: ${all}, ${undecided} undecided. Nothing was changed.`;
    case 'review_pending':
      if (reader === 'person') return say`A sync waits for your decision.`;
      return say`A person is still deciding in VS Code. Go on with operation_wait and operationId "${runId}".`;
    case 'partial': {
      const left = unknown === 0 ? say`${failed} failed` : say`${failed} failed, ${unknown} not known`;
      return say`The sync was only partly done: ${done}, ${left}. Each failed change says why; nothing of it was overwritten unseen.`;
    }
    case 'rejected':
      return reader === 'person'
        ? say`The changes were rejected. Nothing was changed.`
        : say`A person rejected the changes. Nothing was changed.`;
    case 'fastfail_unresolved':
      // Nothing is open but that somebody confirms what the overrides say.
      if (undecided === 0)
        return reader === 'person'
          ? say`Decisions of agents wait for your confirmation, so nothing was changed.`
          : say`The setting atlas.overrides.approval is "ask", so a person confirms overrides; nothing was changed. Use mode "standard" to ask a person.`;
      if (reader !== 'agent') {
        const open =
          undecided === 1
            ? say`${undecided} of ${all} is undecided, so nothing was changed.`
            : say`${undecided} of ${all} are undecided, so nothing was changed.`;
        return reader === 'person' ? open : say`${open} ${whole(decideThere)}`;
      }
      return undecided === 1
        ? say`${undecided} of ${all} is undecided, so nothing was changed. Decide each with an override (id, direction, studioHash), or use mode "standard" to ask a person.`
        : say`${undecided} of ${all} are undecided, so nothing was changed. Decide each with an override (id, direction, studioHash), or use mode "standard" to ask a person.`;
    case 'review_timeout':
      return reader === 'person'
        ? say`Nobody decided in time, so nothing was changed. Sync again when you can decide.`
        : say`Nobody decided in time, so nothing was changed. Ask the person, then sync again.`;
    case 'cancelled':
      return say`The sync was cancelled. Nothing was changed.`;
    case 'disconnected':
      return failed + unknown + pushed + written === 0
        ? say`The link to Studio broke. Nothing was changed.`
        : say`The link to Studio broke: ${done}, ${failed + unknown} not known or not done. Each change says what is known; a dry run after reconnecting shows the rest.`;
    case 'not_connected':
    case 'sync_in_progress':
    case 'error':
      return error === undefined ? say`The sync failed.` : describeErrorFor[reader](error);
  }
}
