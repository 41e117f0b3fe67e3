import type { ProjectPath } from '../../base/brand.ts';
import type {
  ChangeOutcome,
  Choice,
  DefaultReason,
  Direction,
  OverrideVerdict,
  SyncChange,
} from '../../protocol/sync.ts';
import type { StudioChange } from '../../protocol/studio/stream.ts';
import type { Instance } from '../../roblox/instances/instance.ts';
import type { ThreeSides } from '../base/three-sides.ts';

/** One change of a run: what Studio said, what disk held at that moment, what is decided, what became of it. */
export interface RunChange {
  readonly studio: StudioChange;
  /** The tree's instance at the comparison; `undefined` for `Remove`. Its identity tells whether disk moved since. */
  readonly disk: Instance | undefined;
  /** Of `Remove`: how many of its name disk had beside it at the comparison. */
  readonly namesakesOnDisk?: number;
  readonly fsPath: ProjectPath | null;
  /** Scripts on disk: hash of the text that a push writes into Studio. */
  readonly diskHash: string | undefined;
  /** Both sides against what they last agreed on. */
  readonly sides: ThreeSides;
  readonly defaultSelection: Direction | null;
  readonly defaultReason: DefaultReason;
  readonly override: OverrideVerdict | undefined;
  /** What leads to it from below the DataModel, where the tree does not say so. */
  readonly parents?: readonly { readonly name: string; readonly className: string }[];
  /** null = undecided. */
  choice: Choice | null;
  /** Why it is undecided although something was asked for, or why it failed. */
  reason: string | undefined;
  outcome: ChangeOutcome | undefined;
}

/** Whether a decided change did not happen, as far as is known. */
export const isNotDone = ({ outcome }: RunChange): boolean => outcome === 'failed' || outcome === 'unknown';

/** The change as spec 000 and DESIGN.md section 4 show it. */
export function toSyncChange(change: RunChange): SyncChange {
  const { studio, outcome, reason } = change;
  return {
    path: studio.path,
    id: studio.id,
    direction: change.choice ?? 'unresolved',
    patchType: studio.patchType,
    className: studio.className,
    ...(studio.studioHash === undefined ? {} : { studioHash: studio.studioHash }),
    defaultSelection: change.defaultSelection,
    fsPath: change.fsPath,
    ...(studio.patchType === 'Edit' && hasAny(studio.properties) ? { properties: studio.properties } : {}),
    defaultReason: change.defaultReason,
    ...(outcome === undefined ? {} : { outcome }),
    ...(reason === undefined ? {} : { reason }),
  };
}

/** A script whose text alone differs has no properties to show. */
const hasAny = (properties: StudioChange['properties']): properties is NonNullable<StudioChange['properties']> =>
  Object.keys(properties ?? {}).length > 0;
