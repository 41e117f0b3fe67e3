import { namedPath } from '../../protocol/path-name.ts';
import type { ChangeResult, VerdictResult } from '../../protocol/run-result.ts';
import type { Reason } from '../../protocol/reason.ts';
import type { DefaultReason } from '../../protocol/default-reasons.ts';
import type { ProjectPath } from '../../base/brand.ts';
import type { Resolution } from '../../protocol/sync-request.ts';
import type { ChangeOutcome, Subtree, PropertyChange } from '../../protocol/sync-result.ts';
import type { StudioChange, StudioInstance } from '../../protocol/studio/stream.ts';
import type { Instance } from '../../roblox/instances/instance.ts';
import type { Reflection } from '../../roblox/instances/reflection.ts';
import type { FileEdit } from '../../ports/file-system.ts';
import { decide, type ReviewItem } from '../../review/review-sides.ts';
import { type ChangeMerge, mergeWithText } from '../merge/merge-change.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { ThreeSides } from '../base/three-sides.ts';

/**
 * One change of a run: both sides at the comparison, the decision, and the outcome. Only `decide`, `keepMerge`, `adoptPersonMerge`,
 * `settle`, `nameNewFile`, `noteRecorded`, `noteWritten`, `noteRefusal` and `reopen` change it.
 */
export interface RunChange extends ReviewItem {
  readonly studio: StudioChange;
  /** The instance of the tree at the comparison; `undefined` for `Remove`. A different instance now means that disk has changed since. */
  readonly disk: Instance | undefined;
  /** For `Remove`: the number of children of its parent with the same name on disk at the comparison. */
  readonly sameNameOnDisk?: number;
  readonly fsPath: ProjectPath | null;
  /** The file or folder that a pull would create; `undefined` also where it is not known. */
  readonly newFile?: ProjectPath;
  /** Scripts on disk: hash of the text that a push writes into Studio. Files that a restore replaces: hash of their bytes. */
  readonly diskHash: string | undefined;
  /** Identifies the disk side of the instance; `undefined` for `Remove`. */
  readonly diskState: string | undefined;
  /** Both sides compared with the base. */
  readonly sides: ThreeSides;
  readonly defaultSelection: Resolution | null;
  readonly defaultReason: DefaultReason;
  /** The content that the choice `merge` writes, unless a person merged the texts; `undefined` without a possible merge. */
  readonly merge?: ChangeMerge | undefined;
  readonly override: VerdictResult | undefined;
  /** The ancestors below the DataModel that are not in the tree. */
  readonly parents?: readonly { readonly name: string; readonly className: string }[];
  readonly outcome: ChangeOutcome | undefined;
  /** Whether the record of the run in the journal has it. */
  readonly isRecorded?: boolean;
  /** The files that the run has written for it, or may have written. */
  readonly writtenFiles?: readonly ProjectPath[];
  /** Whether Studio refused the change, so that it changed nothing there. */
  readonly isRefusedInStudio?: boolean;
}

/** A decided change, with the latest state of Studio. */
export interface PlannedChange {
  readonly change: RunChange;
  readonly studio: StudioInstance | undefined;
  /** For a pull or merge, the new content of the files; `studio` by default. */
  readonly written?: StudioInstance;
}

/** One write and the changes that require it; a file may contain several. */
export interface PlannedWrite {
  readonly edit: FileEdit;
  readonly changes: readonly RunChange[];
}

/** Makes a person's merge the content that the choice `merge` writes. */
export function adoptPersonMerge(change: RunChange, hasher: Hasher): void {
  const text = change.personMerge?.text;
  if (change.choice !== 'merge' || text == null) return;
  const hash = hasher.gitBlob(text);
  Object.assign(change, { merge: mergeWithText(change.merge, change.studio.properties ?? {}, text, hash) });
}

/** Names the file or folder that the pull of a change creates, as it was planned. */
export function nameNewFile(change: RunChange, newFile: ProjectPath): void {
  Object.assign(change, { newFile });
}

/** Records that the record of the run has the change. */
export function noteRecorded(change: RunChange): void {
  Object.assign(change, { isRecorded: true });
}

/** Records that the run has written a file of the change, or may have written it. */
export function noteWritten(change: RunChange, path: ProjectPath): void {
  // Not copied, because the removal of a folder can have thousands of files.
  if (change.writtenFiles === undefined) Object.assign(change, { writtenFiles: [path] });
  else (change.writtenFiles as ProjectPath[]).push(path);
}

/** Records whether Studio refused the change as a whole. */
export function noteRefusal(change: RunChange, isRefusedInStudio: boolean): void {
  Object.assign(change, { isRefusedInStudio });
}

/** Records the outcome of a change. @param reason why it failed or is unknown */
export function settle(change: RunChange, outcome: ChangeOutcome | undefined, reason?: Reason): void {
  Object.assign(change, { outcome, reason });
}

/** The current content of the sides that changed since the comparison. */
export interface FreshSides {
  /** Members are `undefined` if disk no longer has the instance. */
  readonly disk?: Pick<RunChange, 'diskHash' | 'diskState'>;
  readonly studio?: Pick<StudioChange, 'studioHash' | 'subtree'>;
}

/** Withdraws a decision because a side changed since the comparison. The change gets the current hashes. */
export function reopen(change: RunChange, reason: Reason, { disk, studio }: FreshSides): void {
  decide(change, null, reason);
  const now = studio === undefined ? {} : { studio: { ...change.studio, ...studio } };
  Object.assign(change, { outcome: undefined, ...disk, ...now });
}

export const fail = (change: RunChange, reason: Reason): void => settle(change, 'failed', reason);

/** Whether a change did not happen, as far as is known: its decision was withdrawn, it failed, or it was not confirmed. */
export const isIncomplete = ({ choice, outcome }: RunChange): boolean =>
  choice === null || outcome === 'failed' || outcome === 'unknown';

/** The expected hash of a script in Studio afterwards; `undefined` if unknown. */
export function hashAfter({ choice, merge, studio, diskHash }: RunChange): string | undefined {
  if (choice === 'merge') return merge?.source?.hash ?? studio.studioHash;
  return choice === 'push' && studio.patchType !== 'Remove' ? diskHash : undefined;
}

/** Returns the name of an enum item by the property and its value; `undefined` if unknown. */
export type EnumItemNames = (className: string, property: string, value: number) => string | undefined;

export const enumItemNames =
  (reflection: Reflection): EnumItemNames =>
  (className, property, value) => {
    const type = reflection.property(className, property)?.type;
    return typeof type === 'object' ? reflection.enumItemName(type.enum, value) : undefined;
  };

/** The change as tools and the command line show it. */
export function toSyncChange(change: RunChange, enumItem: EnumItemNames): ChangeResult {
  const { studio, outcome, reason } = change;
  const { studioHash, draftHash, subtree } = studio;
  const diskHash = change.diskHash ?? change.diskState;
  return {
    ...namedPath(studio.path, studio.name),
    id: studio.id,
    direction: change.choice ?? 'unresolved',
    patchType: studio.patchType,
    className: studio.className,
    ...(studioHash === undefined ? {} : { studioHash }),
    ...(diskHash === undefined ? {} : { diskHash }),
    ...(draftHash === undefined ? {} : { hasDraft: true }),
    ...(subtree === undefined ? {} : { subtree: withoutList(subtree) }),
    defaultSelection: change.defaultSelection,
    ...(change.merge === undefined ? {} : { merge: change.merge.preview }),
    fsPath: change.fsPath,
    ...(change.newFile === undefined ? {} : { newFile: change.newFile }),
    ...(studio.patchType === 'Edit' && hasAny(studio.properties)
      ? { properties: withChangedName(withEnumNames(studio.className, studio.properties, enumItem)) }
      : {}),
    defaultReason: change.defaultReason,
    ...(outcome === undefined ? {} : { outcome }),
    ...(reason === undefined ? {} : { reason }),
  };
}

/** Only a review lists the paths, because they would make an answer too long. */
const withoutList = ({ count, classes, hash }: Subtree): Subtree => ({ count, classes, hash });

/** A script that differs only in its text has no properties to show. */
const hasAny = (properties: StudioChange['properties']): properties is NonNullable<StudioChange['properties']> =>
  Object.keys(properties ?? {}).length > 0;

/** Answers show a different name as `changedName`. */
function withChangedName(properties: NonNullable<StudioChange['properties']>): NonNullable<StudioChange['properties']> {
  const { Name: changedName, ...others } = properties;
  return changedName === undefined ? properties : { changedName, ...others };
}

/** Adds the names of enum items to values that are numbers. */
export function withEnumNames(
  className: string,
  properties: NonNullable<StudioChange['properties']>,
  enumItem: EnumItemNames,
): NonNullable<StudioChange['properties']> {
  let named: Record<string, PropertyChange> | undefined;
  for (const property of Object.keys(properties)) {
    const change = properties[property];
    const current = enumValue(change?.current);
    const incoming = enumValue(change?.incoming);
    if (current === undefined && incoming === undefined) continue;
    const currentName = current === undefined ? undefined : enumItem(className, property, current);
    const incomingName = incoming === undefined ? undefined : enumItem(className, property, incoming);
    named ??= { ...properties };
    named[property] = {
      ...change,
      ...(currentName === undefined ? {} : { currentName }),
      ...(incomingName === undefined ? {} : { incomingName }),
    };
  }
  return named ?? properties;
}

function enumValue(value: PropertyChange['current']): number | undefined {
  const number = typeof value === 'object' && 'Enum' in value ? value['Enum'] : undefined;
  return typeof number === 'number' ? number : undefined;
}
