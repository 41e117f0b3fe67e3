import { withUnixLineEnds } from '../../base/line-ends.ts';
import { hasConflictMarkers } from '../../base/conflict-markers.ts';
import { WorkLimitError } from '../../base/work-limit-error.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { Logger } from '../../ports/logger.ts';
import type { ScriptMerger } from '../../ports/script-merger.ts';
import type { Settings } from '../../ports/settings.ts';
import { type Reason, reasonOf } from '../../protocol/reason.ts';
import type { VerdictResult } from '../../protocol/run-result.ts';
import type { SyncOverride } from '../../protocol/sync-request.ts';
import { mergesCapability } from '../../protocol/studio/stream.ts';
import { findHunks } from '../../review/hunks.ts';
import { decide } from '../../review/review-sides.ts';
import type { StudioInstance } from '../../protocol/studio/stream.ts';
import type { StudioLink } from '../../studio/studio-link.ts';
import type { RunChange } from '../changes/run-change.ts';
import { type ChangeMerge, mergeProperties } from '../merge/merge-change.ts';
import { readInStudio } from '../changes/read-in-studio.ts';
import type { LearnBaseDeps, LearnedBase } from '../changes/learn-base.ts';

/** Maximum number of changes per comparison that are merged without a request. */
const MAX_PROPOSALS = 100;
/** Longer scripts are merged only on request. */
const MAX_LENGTH = 1_000_000;
const MAX_PREVIEW_LENGTH = 500;

export interface ProposeMergesDeps extends LearnBaseDeps {
  readonly link: Pick<StudioLink, 'read' | 'hello'>;
  readonly hasher: Hasher;
  readonly settings: Settings;
  readonly merger: ScriptMerger;
}

interface MergeCandidates {
  readonly compareId: string;
  readonly changes: readonly RunChange[];
  readonly verdicts: readonly VerdictResult[];
  readonly base: LearnedBase;
}

/** A merge, or the reason why there is none. */
type Attempt = { readonly merge: ChangeMerge } | { readonly problem: Reason };

/**
 * Merges the changes for which an override requests it and, unless the setting is off, those that both sides changed since the base. Does
 * not modify the others.
 */
export async function proposeMerges(
  { compareId, changes, verdicts, base }: MergeCandidates,
  overrides: readonly SyncOverride[],
  deps: ProposeMergesDeps,
  signal: AbortSignal,
): Promise<{ readonly changes: readonly RunChange[]; readonly verdicts: readonly VerdictResult[] }> {
  const mode = deps.settings.mergeAuto();
  const requested = new Map(overrides.flatMap(one => (one.direction === 'merge' ? [[one.id, one] as const] : [])));
  const isRequested = (change: RunChange): boolean =>
    change.override?.verdict === 'accepted' && requested.has(change.studio.id);
  const canMerge = deps.link.hello.capabilities.includes(mergesCapability);
  const suggested = mode === 'off' || !canMerge ? [] : changes.filter(isMovedOnBothSides).slice(0, MAX_PROPOSALS);
  const wanted = new Set([...changes.filter(isRequested), ...suggested]);
  if (wanted.size === 0) return { changes, verdicts };

  const scripts = await readScripts(Array.from(wanted), compareId, deps, signal);
  const attempts = new Map<RunChange, Attempt>();
  for (const change of wanted) {
    signal.throwIfAborted();
    const text = isRequested(change) ? requested.get(change.studio.id)?.text : undefined;
    const attempt = canMerge
      ? await mergeChange(change, text, scripts.get(change.studio.id), base, deps, signal)
      : { problem: reasonOf('plugin_without_merge') };
    attempts.set(change, attempt);
  }
  const problems = new Map<string, Reason>();
  const proposed = changes.map(change => {
    const attempt = attempts.get(change);
    if (attempt === undefined) return change;
    if ('merge' in attempt) return withMerge(change, attempt.merge, mode === 'apply');
    if (isRequested(change)) {
      problems.set(change.studio.id, attempt.problem);
      decide(change, null, attempt.problem);
    }
    return change;
  });
  return {
    changes: proposed,
    verdicts: verdicts.map(verdict => {
      const reason = problems.get(verdict.id);
      return reason === undefined ? verdict : { ...verdict, verdict: 'not_mergeable', reason };
    }),
  };
}

const isMovedOnBothSides = ({ studio, override, defaultReason, sides }: RunChange): boolean =>
  studio.patchType === 'Edit' &&
  override === undefined &&
  (defaultReason === 'base_both_moved' || defaultReason === 'base_never_compared') &&
  !sides.hasDraft;

/** A suggested merge leaves the change undecided, because a person or an agent has to look at it, unless the setting applies it. */
function withMerge(change: RunChange, merge: ChangeMerge, isApplied: boolean): RunChange {
  if (change.override !== undefined) return { ...change, merge };
  return {
    ...change,
    merge,
    defaultSelection: 'merge',
    defaultReason: 'base_merged',
    choice: isApplied ? 'merge' : null,
  };
}

async function readScripts(
  changes: readonly RunChange[],
  compareId: string,
  { link }: ProposeMergesDeps,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, StudioInstance>> {
  const scripts = changes.filter(({ studio }) => studio.sourceDiffers).map(({ studio }) => studio.id);
  if (scripts.length === 0) return new Map();
  const { instances } = await readInStudio(link, compareId, scripts, signal);
  return new Map(instances.map(instance => [instance.id, instance]));
}

async function mergeChange(
  change: RunChange,
  resolution: string | undefined,
  inStudio: StudioInstance | undefined,
  base: LearnedBase,
  deps: ProposeMergesDeps,
  signal: AbortSignal,
): Promise<Attempt> {
  const { studio, disk, sides } = change;
  if (studio.patchType !== 'Edit' || disk === undefined) return { problem: reasonOf('one_side_only') };
  if (sides.hasDraft) return { problem: reasonOf('save_draft') };
  if (resolution !== undefined && !studio.sourceDiffers) return { problem: reasonOf('texts_equal') };
  const state = sides.hasBase ? base.stateOf(disk.id, studio.path) : undefined;
  const properties = Object.entries(studio.properties ?? {}).map(([name, values]) => ({
    ...values,
    ...(sides.parts.find(part => part.name === name) ?? { name, isKnown: false, onDisk: true, inStudio: true }),
  }));
  const { conflicts, ...merged } = mergeProperties(properties, state, value => deps.baseStates.entries(value));
  if (conflicts.length > 0) return { problem: reasonOf('no_merge_of', conflicts.join(', ')) };
  const preview = {
    fromDisk: Object.keys(merged.toStudio),
    fromStudio: Object.keys(merged.toDisk),
  };
  if (!studio.sourceDiffers) return { merge: { ...merged, source: undefined, preview } };
  const studioText = inStudio?.source;
  // Studio changed after the comparison, and a merge quotes the hash of the comparison.
  if (studioText !== undefined && inStudio?.studioHash !== studio.studioHash)
    return { problem: reasonOf('script_changed') };
  const source = disk.properties.get('Source');
  const diskText = source?.type === 'String' ? source.value : undefined;
  if (diskText === undefined || studioText === undefined) return { problem: reasonOf('text_unreadable') };
  const text =
    resolution === undefined
      ? await mergeScript(state?.source, diskText, studioText, deps, signal)
      : await checkResolution(resolution, deps);
  if ('problem' in text) return text;
  const hash = deps.hasher.gitBlob(text.text);
  const lines = previewOf(diskText, text.text);
  return { merge: { ...merged, source: { text: text.text, hash }, preview: { ...preview, preview: lines } } };
}

type MergedText = { readonly text: string } | { readonly problem: Reason };

async function mergeScript(
  hash: string | undefined,
  disk: string,
  studio: string,
  { baseTexts, merger, log }: ProposeMergesDeps,
  signal: AbortSignal,
): Promise<MergedText> {
  const base = hash === undefined ? undefined : await baseTexts.read(hash, signal);
  if (base === undefined) return { problem: reasonOf('no_common_version') };
  if (Math.max(base.length, disk.length, studio.length) > MAX_LENGTH) return { problem: reasonOf('script_too_long') };
  try {
    const { text, conflicts, problem } = await merger.merge({ base, disk, studio });
    if (conflicts.length > 0) return { problem: reasonOf('same_lines') };
    return problem === undefined ? { text } : { problem: reasonOf('merge_not_compiled', problem) };
  } catch (error) {
    return failedMerge(error, log);
  }
}

async function checkResolution(resolution: string, { merger, log }: ProposeMergesDeps): Promise<MergedText> {
  const text = withUnixLineEnds(resolution);
  if (hasConflictMarkers(text)) return { problem: reasonOf('conflict_markers') };
  try {
    const problem = await merger.compileProblem(text);
    return problem === undefined ? { text } : { problem: reasonOf('text_not_compiled', problem) };
  } catch (error) {
    return failedMerge(error, log);
  }
}

/** The reason why the thread did not merge or compile. It leaves one change undecided and does not fail the run. */
function failedMerge(error: unknown, log: Logger): MergedText {
  if (error instanceof WorkLimitError && error.limit.kind === 'time')
    return { problem: reasonOf('merge_too_slow', error.limit.seconds) };
  log.error('could not merge a script', error);
  return { problem: reasonOf('merge_failed') };
}

/** The lines that the merge replaces in the file or adds to it. */
function previewOf(disk: string, merged: string): string {
  const [before, after] = [disk.split('\n'), merged.split('\n')];
  const lines = findHunks(disk, merged).flatMap(hunk => [
    `@@ line ${hunk.disk.start + 1} @@`,
    ...before.slice(hunk.disk.start, hunk.disk.start + hunk.disk.count).map(line => `-${line}`),
    ...after.slice(hunk.studio.start, hunk.studio.start + hunk.studio.count).map(line => `+${line}`),
  ]);
  const text = lines.join('\n');
  return text.length <= MAX_PREVIEW_LENGTH ? text : `${text.slice(0, MAX_PREVIEW_LENGTH - 1)}…`;
}
