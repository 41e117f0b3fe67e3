import { formatSentence, say, type Sentence, type Translate } from '../../base/sentence.ts';
import { type DefaultReason, defaultRules } from '../../protocol/default-reasons.ts';
import type { PatchType } from '../../protocol/sync-result.ts';
import type { ThreeSides, ChangedPart } from './three-sides.ts';

/** Input of the explanation. */
export interface DefaultExplanation {
  readonly patchType: PatchType;
  readonly defaultReason: DefaultReason;
  readonly sides: ThreeSides;
}

/** Explains the default of one change: the base, both sides, and the rule that applied. */
export function explainDefault({ patchType, defaultReason, sides }: DefaultExplanation, translate?: Translate): string {
  // A restore does not compare the project, so base and disk say nothing about it.
  if (defaultReason === 'restored') return formatSentence(defaultRules.restored.explanation, translate);
  return [baseSentence(patchType, sides), ...partSentences(patchType, sides), defaultRules[defaultReason].explanation]
    .map(sentence => formatSentence(sentence, translate))
    .join(' ');
}

function baseSentence(patchType: PatchType, { hasBase }: ThreeSides): Sentence {
  if (!hasBase) return say`The last synced version is unknown.`;
  return patchType === 'Add' || patchType === 'Remove'
    ? say`Both sides had it when they last matched.`
    : say`Both sides matched before.`;
}

/** The changes since the base. Where the instance is now is the kind of the change, which is shown beside the explanation. */
function partSentences(patchType: PatchType, { hasBase, parts, hasDraft }: ThreeSides): readonly Sentence[] {
  const draft = hasDraft ? [say`The script has unsaved edits in Studio.`] : [];
  if (!hasBase) return draft;
  if (patchType === 'Add') return [say`Studio: removed since.`];
  if (patchType === 'Remove') return [say`Disk: removed since.`];
  const names = (of: (part: ChangedPart) => boolean): string =>
    parts
      .filter(of)
      .map(part => part.name)
      .join(', ');
  const onDisk = names(part => part.isKnown && part.onDisk);
  const inStudio = names(part => part.isKnown && part.inStudio);
  const unknown = names(part => !part.isKnown);
  return [
    onDisk === '' ? say`Disk: unchanged since.` : say`Disk: changed since (${onDisk}).`,
    inStudio === '' ? say`Studio: unchanged since.` : say`Studio: changed since (${inStudio}).`,
    ...draft,
    ...(unknown === '' ? [] : [say`Never compared before: ${unknown}.`]),
  ];
}
