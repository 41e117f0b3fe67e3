import { isScriptClass } from '../../protocol/script-class.ts';
import { sourceHash } from '../../roblox/instances/script-source.ts';
import type { ProjectPath, Ref } from '../../base/brand.ts';
import type { PausableWork } from '../../base/time-slice.ts';
import type { BaseState } from '../../ports/base-store.ts';
import type { GitStatus } from '../../ports/git.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { VerdictResult } from '../../protocol/run-result.ts';
import { reasonOf } from '../../protocol/reason.ts';
import type { Compared, StudioChange } from '../../protocol/studio/stream.ts';
import type { Instance } from '../../roblox/instances/instance.ts';
import { parseRef } from '../../roblox/values/ref.ts';
import type { BaseStates } from '../base/base-state.ts';
import { compareWithBase, movementOf } from '../base/three-sides.ts';
import { defaultSelection } from '../defaults.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import { sameNameCounter } from './same-name.ts';
import { withdrawConflictsInSteps } from './consistency.ts';
import type { RunChange } from './run-change.ts';

export interface ChangeListDeps {
  readonly session: ProjectSession;
  readonly git: GitStatus | undefined;
  readonly hasher: Hasher;
  readonly baseStates: BaseStates;
  /** The stored base state of an instance; it may be outdated. */
  readonly baseOf: (id: Ref | undefined, pathInStudio: string) => BaseState | undefined;
  /** The side that changed the name of an instance since the base; `undefined` if that is not known. */
  readonly renamedOn: (id: Ref) => 'disk' | 'studio' | undefined;
  /** Whether this Studio was up to date with the base before. Another Studio may have opened an older place. */
  readonly isSameStudio: boolean;
  /** The version of the place that Studio opened; 0 if it is unknown. */
  readonly placeVersion: number;
}

/** Adds file paths, defaults and verdicts to the comparison of Studio. The result is the list for review, tools and palette. */
export function* buildChangeList(
  compared: Compared,
  overrides: readonly VerdictResult[],
  deps: ChangeListDeps,
): PausableWork<readonly RunChange[]> {
  const byId = new Map(overrides.map(override => [override.id, override]));
  const sameName = sameNameCounter(deps.session);
  const comparedChanges: ComparedChange[] = [];
  for (const studio of compared.changes) {
    comparedChanges.push(compareChange(studio, deps));
    yield;
  }
  const isOlderPlace = !deps.isSameStudio && comparedChanges.some(({ sides }) => sides.isOlderInStudio);
  const changes: RunChange[] = [];
  for (const change of comparedChanges) {
    const { studio } = change;
    changes.push({
      ...buildChange(change, byId.get(studio.id), isOlderPlace, deps),
      ...(studio.patchType === 'Remove' ? { sameNameOnDisk: sameName(studio.parentId, studio.name) } : {}),
    });
    yield;
  }
  yield* withdrawConflictsInSteps(changes);
  return changes;
}

type ComparedChange = Pick<RunChange, 'studio' | 'disk' | 'diskHash' | 'diskState' | 'fsPath' | 'sides'>;

function compareChange(studio: StudioChange, deps: ChangeListDeps): ComparedChange {
  const ref = studio.patchType === 'Remove' ? undefined : parseRef(studio.id);
  const disk = ref === undefined ? undefined : deps.session.get(ref);
  const fsPath = disk === undefined ? null : deps.session.fsPathOf(disk.id);
  const diskHash = disk === undefined ? undefined : hashOfSource(disk, deps.hasher);
  const base = deps.baseOf(disk?.id, studio.path);
  const diskState = disk && deps.baseStates.identify(disk);
  const renamedOn = disk && deps.renamedOn(disk.id);
  const sides = compareWithBase(studio, disk, diskHash, base, deps.baseStates, deps.placeVersion, renamedOn);
  return { studio, disk, diskHash, diskState, fsPath, sides };
}

function buildChange(
  change: ComparedChange,
  override: VerdictResult | undefined,
  isOlderPlace: boolean,
  deps: ChangeListDeps,
): RunChange {
  const { studio, disk, fsPath, sides } = change;
  const chosen = defaultSelection(deps.git, {
    patchType: studio.patchType,
    movement: movementOf(studio, sides),
    isOlderInStudio: isOlderPlace || sides.isOlderInStudio,
    relevantPaths: disk?.metadata.relevantPaths ?? [],
    fsPath,
    filesBelow: disk === undefined ? undefined : filesBelowFolder(disk, deps.session),
    sourceDiffers: studio.sourceDiffers,
    otherPropertiesDiffer: Object.keys(studio.properties ?? {}).length > 0,
    studioHashes: [studio.studioHash, studio.draftHash].filter(hash => hash !== undefined),
  });
  // A failed override does not fall back to the default, because its sender relied on a wrong assumption.
  const choice =
    override === undefined ? chosen.selection : override.verdict === 'accepted' ? override.direction : null;
  return {
    ...change,
    defaultSelection: chosen.selection,
    defaultReason: chosen.reason,
    override,
    choice,
    reason:
      override === undefined || override.verdict === 'accepted'
        ? undefined
        : (override.reason ?? reasonOf('failure', override.verdict)),
    outcome: undefined,
  };
}

function filesBelowFolder(disk: Instance, session: ProjectSession): readonly ProjectPath[] | undefined {
  if (disk.className !== 'Folder') return undefined;
  const files: ProjectPath[] = [];
  for (const below of session.descendants(disk.id)) {
    const path = below.id === disk.id ? null : session.fsPathOf(below.id);
    if (path !== null && below.className !== 'Folder') files.push(path);
  }
  return files;
}

/** The hash of the script's text in Studio after a push. */
export function hashOfSource(disk: Instance, hasher: Hasher): string | undefined {
  if (!isScriptClass(disk.className)) return undefined;
  const source = disk.properties.get('Source');
  return source?.type === 'String' ? sourceHash(source.value, hasher) : undefined;
}
