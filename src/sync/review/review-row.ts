import { isScriptClass } from '../../protocol/script-class.ts';
import { namedPath } from '../../protocol/path-name.ts';
import type { Translate } from '../../base/sentence.ts';
import type { ReviewRow } from '../../protocol/review.ts';
import type { StudioChange } from '../../protocol/studio/stream.ts';
import type { PropertyChange } from '../../protocol/sync-result.ts';
import { explainDefault } from '../base/explain-default.ts';
import type { RunChange } from '../changes/run-change.ts';
import { changedSide } from './changed-side.ts';
import { type DecisionMarks, toDecision } from '../../review/review-sides.ts';

/** Names for numbers and ids in properties. Returns `undefined` for unknown ones. */
export interface ValueNames {
  enumItem(className: string, property: string, value: number): string | undefined;
  path(id: string): string | undefined;
}

/** The change as a review shows it. */
export function toRow(
  change: RunChange,
  marks: DecisionMarks,
  names: ValueNames,
  translate: Translate | undefined,
): ReviewRow {
  const { studio, override } = change;
  const properties = studio.properties ?? {};
  const enumNames = enumNamesOf(studio.className, properties, names);
  return {
    ...toDecision(studio.id, change, marks),
    ...namedPath(studio.path, studio.name),
    className: studio.className,
    patchType: studio.patchType,
    fsPath: change.fsPath,
    ...(change.newFile === undefined ? {} : { newFile: change.newFile }),
    hasSource: studio.sourceDiffers || (isScriptClass(studio.className) && studio.patchType !== 'Edit'),
    properties,
    ...(studio.subtree === undefined || studio.subtree.count === 1 ? {} : { subtree: listOf(studio.subtree) }),
    defaultSelection: change.defaultSelection,
    ...(change.merge === undefined ? {} : { merge: change.merge.preview }),
    defaultReason: change.defaultReason,
    explanation: explainDefault({ ...change, patchType: change.studio.patchType }, translate),
    side: changedSide(change),
    override: override === undefined ? null : { direction: override.direction, verdict: override.verdict },
    outcome: change.outcome ?? null,
    ...(enumNames === undefined ? {} : { enumNames }),
  };
}

const listOf = ({
  count,
  classes,
  listed,
}: NonNullable<StudioChange['subtree']>): NonNullable<ReviewRow['subtree']> => ({
  count,
  classes,
  listed,
});

const sides = ['current', 'incoming'] as const satisfies readonly (keyof PropertyChange)[];

/** The member of an encoded value if it has this type: `{"Enum": 256}`. */
function member(value: unknown, type: 'Enum' | 'Ref'): unknown {
  return typeof value === 'object' && value !== null && type in value
    ? (value as Record<string, unknown>)[type]
    : undefined;
}

function enumNamesOf(
  className: string,
  properties: Readonly<Record<string, PropertyChange>>,
  names: ValueNames,
): ReviewRow['enumNames'] {
  const found: Record<string, Partial<Record<keyof PropertyChange, string>>> = {};
  for (const [property, change] of Object.entries(properties))
    for (const side of sides) {
      const value = member(change[side], 'Enum');
      const name = typeof value === 'number' ? names.enumItem(className, property, value) : undefined;
      if (name !== undefined) found[property] = { ...found[property], [side]: name };
    }
  return Object.keys(found).length === 0 ? undefined : found;
}

/** The paths of all instances that the properties of `changes` refer to. */
export function referredPaths(changes: readonly RunChange[], names: ValueNames): Readonly<Record<string, string>> {
  const paths: Record<string, string> = {};
  for (const { studio } of changes)
    for (const change of Object.values(studio.properties ?? {}))
      for (const side of sides) {
        const id = member(change[side], 'Ref');
        const path = typeof id === 'string' && !(id in paths) ? names.path(id) : undefined;
        if (typeof id === 'string' && path !== undefined) paths[id] = path;
      }
  return paths;
}
