import type { PausableWork } from '../../base/time-slice.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { Settings } from '../../ports/settings.ts';
import { checkOverrideRules } from '../../protocol/override-policy.ts';
import { reasonOf } from '../../protocol/reason.ts';
import type { BulkResult, ChangeResult } from '../../protocol/run-result.ts';
import type { BulkOverride } from '../../protocol/sync-result.ts';
import { withdrawConflictsInSteps } from '../changes/consistency.ts';
import { type RunChange, toSyncChange } from '../changes/run-change.ts';
import { digestOf, matchesFilters } from '../changes/select-changes.ts';

interface BulkDeps {
  readonly hasher: Hasher;
  readonly settings: Settings;
}

/**
 * Decides all changes that a bulk override selects, if both sides of each are as in the list that its digest identifies. An override for a
 * single change takes precedence. With a different digest, the selected changes are undecided, because the caller relied on another list.
 */
export function* decideInBulk(
  list: readonly RunChange[],
  bulk: readonly BulkOverride[],
  deps: BulkDeps,
): PausableWork<{ readonly changes: readonly RunChange[]; readonly verdicts: readonly BulkResult[] }> {
  if (bulk.length === 0) return { changes: list, verdicts: [] };
  const lists = [yield* shownList(list)];
  // The caller may have seen its list before it decided single changes.
  if (bulk.some(({ undecided }) => undecided === true) && list.some(({ override }) => override !== undefined))
    lists.push(yield* shownList(yield* withoutOverrides(list, deps.settings)));
  const changes = [...list];
  const results: { readonly verdict: BulkResult; readonly selected: readonly number[] }[] = [];
  for (const override of bulk) {
    const { selected, digest } = yield* select(override, lists, deps.hasher);
    const verdict = verdictOf(override, digest, selected.length, deps);
    for (const index of selected) {
      const change = changes[index];
      if (change !== undefined && change.override === undefined) changes[index] = applyVerdict(change, verdict);
      if (index % 512 === 511) yield;
    }
    results.push({ verdict, selected });
  }
  yield* withdrawConflictsInSteps(changes);
  const verdicts = results.map(({ verdict, selected }): BulkResult => {
    const accepted = selected.filter(index => isDecidedBy(changes[index], verdict)).length;
    return { ...verdict, accepted };
  });
  return { changes, verdicts };
}

interface Selection {
  readonly selected: readonly number[];
  readonly digest: string;
}

/** Selects from the first of `lists` in which the changes have the digest of the override, or else from the first one. */
function* select(
  override: BulkOverride,
  lists: readonly (readonly ChangeResult[])[],
  hasher: Hasher,
): PausableWork<Selection> {
  let first: Selection | undefined;
  for (const shown of lists) {
    const selected: number[] = [];
    for (const [index, change] of shown.entries()) {
      if (index % 512 === 511) yield;
      if (matchesFilters(change, { ...override, direction: undefined })) selected.push(index);
    }
    const ofList = selected.flatMap(index => shown[index] ?? []);
    const selection = { selected, digest: yield* digestOf(ofList, hasher) };
    if (selection.digest === override.digest) return selection;
    first ??= selection;
  }
  return first ?? { selected: [], digest: '' };
}

function* shownList(changes: readonly RunChange[]): PausableWork<readonly ChangeResult[]> {
  const shown: ChangeResult[] = [];
  for (const change of changes) {
    shown.push(toSyncChange(change, () => undefined));
    if (shown.length % 128 === 0) yield;
  }
  return shown;
}

/** The changes with their defaults, as a list without overrides shows them. */
function* withoutOverrides(list: readonly RunChange[], settings: Settings): PausableWork<readonly RunChange[]> {
  const isMergeApplied = settings.mergeAuto() === 'apply';
  const changes: RunChange[] = [];
  for (const change of list) {
    const { defaultSelection } = change;
    const isSuggestion = defaultSelection === 'merge' && !isMergeApplied;
    changes.push({ ...change, override: undefined, choice: isSuggestion ? null : defaultSelection });
    if (changes.length % 128 === 0) yield;
  }
  yield* withdrawConflictsInSteps(changes);
  return changes;
}

function verdictOf(override: BulkOverride, digest: string, selected: number, { settings }: BulkDeps): BulkResult {
  const result = { ...override, selected, accepted: 0 };
  if (override.digest !== digest)
    return { ...result, verdict: 'digest_mismatch', reason: reasonOf('list_digest_now', digest) };
  const ruled = checkOverrideRules(settings, {
    hasNoPrecondition: false,
    isDestructive: () => true,
    missingPrecondition: reasonOf('pass_studio_hash'),
  });
  return ruled === undefined
    ? { ...result, verdict: 'accepted' }
    : { ...result, verdict: 'declined', reason: ruled.reason };
}

function applyVerdict(change: RunChange, { verdict, direction, reason }: BulkResult): RunChange {
  if (verdict === 'accepted') {
    const override = { id: change.studio.id, direction, verdict: 'accepted' as const };
    return { ...change, override, choice: direction, reason: undefined };
  }
  return { ...change, choice: null, reason };
}

const isDecidedBy = (change: RunChange | undefined, { verdict, direction }: BulkResult): boolean =>
  verdict === 'accepted' && change?.choice === direction;
