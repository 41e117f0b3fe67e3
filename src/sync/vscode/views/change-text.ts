import { isDeletion, restoringDirection } from '../../../protocol/deletion.ts';
import { reasonText } from '../../../protocol/reason.ts';
import type { PendingChange, PendingState } from '../../pending-changes.ts';
import type { Choice } from '../../../protocol/sync-request.ts';
import { PatchType } from '../../../protocol/sync-result.ts';
import type { Localize } from '../../../vscode/localization/localize.ts';
import type { RecordedResult } from '../../../protocol/run-result.ts';
import type { RestoredSide } from '../../../protocol/review.ts';
import type { ReviewStrings } from '../../../protocol/review-strings.ts';
import { restoreStrings } from '../../../review/restore-strings.ts';
import { reviewStrings } from '../../../review/review-strings.ts';
import { personSummary } from '../../../vscode/localization/person-sentence.ts';

/** A codicon id and a theme color. */
export interface LineIcon {
  readonly id: string;
  readonly color?: string;
}

const added: LineIcon = { id: 'diff-added', color: 'gitDecoration.addedResourceForeground' };
const deleted: LineIcon = { id: 'diff-removed', color: 'gitDecoration.deletedResourceForeground' };
const kindIcons: Readonly<Record<PatchType, LineIcon>> = {
  Add: added,
  Edit: { id: 'diff-modified', color: 'gitDecoration.modifiedResourceForeground' },
  Remove: { id: 'vm', color: 'gitDecoration.untrackedResourceForeground' },
};

/** The icon of a change. @param restored the side that the open review restores; `undefined` for a sync */
export function changeIcon(kind: PatchType, restored?: RestoredSide): LineIcon {
  if (restored === undefined || kind === 'Edit') return kindIcons[kind];
  return isDeletion(kind, restoringDirection(restored)) ? deleted : added;
}

/** The icon of a change, or of a run, that changed nothing. */
export const unchangedIcon: LineIcon = { id: 'dash' };

/** The icon of a recorded change: what it did. */
export function recordedIcon({
  patchType,
  outcome,
  movedFrom,
}: Pick<RecordedResult['changes'][number], 'patchType' | 'outcome' | 'movedFrom'>): LineIcon {
  if (movedFrom !== undefined) return { id: 'diff-renamed', color: 'gitDecoration.renamedResourceForeground' };
  if (outcome === 'failed') return { id: 'error', color: 'list.errorForeground' };
  if (outcome === 'skipped') return unchangedIcon;
  // A newer version may have recorded another kind.
  const kind = PatchType.safeParse(patchType).data;
  if (kind === undefined) return { id: 'circle' };
  if (kind === 'Edit' || (outcome !== 'applied' && outcome !== 'written')) return kindIcons[kind];
  return isDeletion(kind, outcome === 'applied' ? 'push' : 'pull') ? deleted : added;
}

/** The decoration of a line for its choice; VS Code allows at most two characters. */
export const choiceMarks: Readonly<Record<Choice | 'undecided', { readonly mark: string; readonly color?: string }>> = {
  push: { mark: '↑' },
  pull: { mark: '↓' },
  merge: { mark: '↕' },
  skip: { mark: '–' },
  undecided: { mark: '?', color: 'list.warningForeground' },
};

export interface ChangeText {
  readonly description: string;
  /** One entry per line, without Markdown. */
  readonly tooltip: readonly string[];
  /** The screen reader text after the name. */
  readonly spoken: string;
}

/** The texts of a line. @param restored the side that the open review restores; `undefined` for a sync */
export function changeText(change: PendingChange, { t }: Localize, restored?: RestoredSide): ChangeText {
  const strings = stringsOf({ t }, restored);
  const { patchType, choice, className, fsPath } = change;
  const kind = strings.kinds[patchType];
  const decision = choice === null ? strings.undecided : strings.choices[choice];
  const why = change.reason === null ? strings.reasons[change.defaultReason] : reasonText(change.reason, t);
  const agent = change.agent === null ? [] : [strings.agentAsked[change.agent]];
  const { renamed, renamedTooltip } = renameText(change, { t }, restored);
  return {
    // The side bar cuts the end.
    description: [...renamed, className, decision, ...agent].join(' · '),
    spoken: [className, kind.name, ...renamed, decision, ...agent].join(', '),
    tooltip: [
      `${change.path} (${className})`,
      kind.explanation,
      ...renamedTooltip,
      ...(choice === null
        ? [`${strings.undecided}: ${why}`]
        : [strings.effects[patchType][choice], t('Why: {0}', why)]),
      ...agent,
      ...(fsPath === null ? [] : [t('File: {0}', fsPath)]),
    ],
  };
}

const stringsOf = (localize: Localize, restored: RestoredSide | undefined): ReviewStrings =>
  restored === undefined ? reviewStrings(localize, 'en') : restoreStrings(localize, 'en', restored);

/** The name of a renamed instance on the side that its path does not show. */
function renameText({ path, names }: PendingChange, { t }: Localize, restored: RestoredSide | undefined) {
  if (names === undefined) return { renamed: [], renamedTooltip: [] };
  const { studio, disk } = names;
  const isShown = (name: string): boolean => `/${path}`.endsWith(`/${name}`);
  if (restored === undefined)
    return {
      renamed: [isShown(disk) ? t('"{0}" in Studio', studio) : t('"{0}" on disk', disk)],
      renamedTooltip: [t('Named "{0}" in Studio and "{1}" on disk.', studio, disk)],
    };
  // The recorded version has the place of the side that is not restored.
  const [before, now] = restored === 'disk' ? [studio, disk] : [disk, studio];
  return {
    renamed: [isShown(now) ? t('"{0}" before the sync', before) : t('"{0}" now', now)],
    renamedTooltip: [t('Named "{0}" before the sync and "{1}" now.', before, now)],
  };
}

/** The counts of a group: its changes by kind, and the undecided ones. */
export function groupText(
  changes: readonly Pick<PendingChange, 'patchType' | 'choice'>[],
  { t }: Localize,
  restored?: RestoredSide,
): Pick<ChangeText, 'description' | 'spoken'> {
  const deleted = (count: number): string => t('{0} to delete', count);
  const broughtBack = (count: number): string => t('{0} to bring back', count);
  const kinds: Readonly<Record<PatchType, (count: number) => string>> = {
    Add: restored === undefined ? count => t('{0} only on disk', count) : restored === 'disk' ? deleted : broughtBack,
    Edit: count => t('{0} changed', count),
    Remove:
      restored === undefined ? count => t('{0} only in Studio', count) : restored === 'disk' ? broughtBack : deleted,
  };
  const parts = (['Add', 'Edit', 'Remove'] as const).flatMap(kind => {
    const count = changes.filter(({ patchType }) => patchType === kind).length;
    return count === 0 ? [] : [kinds[kind](count)];
  });
  const open = changes.filter(({ choice }) => choice === null).length;
  if (open > 0) parts.push(t('{0} undecided', open));
  return { description: parts.join(' · '), spoken: parts.join(', ') };
}

/**
 * The message above the lines of the view, if it needs one.
 *
 * @param ago the localized age of the comparison: `3 minutes ago`
 */
export function changesMessage(
  { kind, changes, placeName, review, problem }: PendingState,
  ago: string,
  isConnected: boolean,
  { t }: Localize,
): string | undefined {
  if (kind === 'reviewing') return review?.status().summary;
  const isStudioMissing = problem?.status === 'not_connected';
  // The view's welcome content covers a missing Studio, but a view with rows has none.
  if (isStudioMissing && changes.length === 0) return undefined;
  if (problem !== undefined && !isStudioMissing) return personSummary(problem, { t });
  if (kind !== 'compared') return undefined;
  const place = placeName ?? 'Studio';
  if (!isConnected) return t('Studio is not connected. Compared with {0} {1}.', place, ago);
  // Studio does not report its edits, so the list is as old as the comparison.
  return changes.length === 0
    ? t('Compared with {0} {1}: no differences.', place, ago)
    : t('Compared with {0} {1}.', place, ago);
}
