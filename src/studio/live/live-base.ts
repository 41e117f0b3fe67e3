import type { Ref } from '../../base/brand.ts';
import type { CreatedInstance } from '../write/create-instances.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import type { PatchMessage } from '../../protocol/studio/messages.ts';
import type { Hello } from '../../protocol/studio/stream.ts';
import type { Instance } from '../../roblox/instances/instance.ts';

/** The part of an instance that a live session changes. */
export interface LivePart {
  readonly id: Ref;
  /** Names of properties, `Source` among them; `all` for an instance that is created or removed. */
  readonly names: readonly string[] | 'all';
}

/** The state of a changed part that both sides have. */
export interface AgreedPart {
  readonly instance: Instance;
  readonly names: readonly string[] | 'all';
}

/** The last common version of one place (the base), as a live session updates it. */
export interface LiveBase extends Disposable {
  /** Forgets the texts that differ from the base on disk: an older plugin may apply them while it starts. */
  beforeStart(): Promise<void>;
  /**
   * Forgets the parts that are about to change on one side. Resolves when that is stored, so that a crash leaves no wrong base. Never
   * rejects.
   *
   * @returns a function that restores the properties of the instances `ids`, for changes that did not happen
   */
  beforeChange(parts: readonly LivePart[]): Promise<(ids: ReadonlySet<Ref>) => void>;
  /** Learns parts that Studio acknowledged, or that Studio sent and the files contain. */
  learn(parts: readonly AgreedPart[]): void;
  /**
   * Records that instances of Studio are about to be created on disk, with their descendants. Resolves when that is stored, so that after a
   * crash the files that were written are not taken for ones that never existed. Never rejects.
   */
  beforeCreate(created: readonly CreatedInstance[]): Promise<PlannedCreation>;
  /** Keeps the base of instances that were renamed in Studio, whose files have the new names now. None of them contains another. */
  learnRenamed(ids: readonly Ref[]): void;
  /** Learns instances that were created on disk from Studio, with their descendants: what both sides have in common. */
  learnCreated(created: readonly CreatedInstance[]): void;
}

/** Instances that are about to be created on disk. */
export interface PlannedCreation {
  /** Those that both sides had before: if disk does not have them now, they were removed there. */
  readonly agreed: ReadonlySet<CreatedInstance>;
  /** Forgets those that were not created. */
  abandon(created: readonly CreatedInstance[]): void;
}

/** Opens the base of a Studio's place. */
export interface LiveBases {
  open(session: ProjectSession, hello: Pick<Hello, 'placeId' | 'placeName' | 'placeVersion'>): LiveBase;
}

/** The parts that a message to Studio changes. */
export function livePartsOf({ removed, added, updated }: PatchMessage): readonly LivePart[] {
  return [
    ...removed.map((id): LivePart => ({ id: id as Ref, names: 'all' })),
    ...Object.keys(added).map((id): LivePart => ({ id: id as Ref, names: 'all' })),
    ...updated.map(({ id, changedProperties }): LivePart => ({
      id: id as Ref,
      names: Object.keys(changedProperties),
    })),
  ];
}

/** The parts as the tree has them now, by id. Instances are immutable, so later changes of the tree do not affect them. */
export function captureParts(
  parts: readonly LivePart[],
  session: Pick<ProjectSession, 'get'>,
): ReadonlyMap<string, AgreedPart> {
  return new Map(
    parts.flatMap(({ id, names }) => {
      const instance = session.get(id);
      return instance === undefined ? [] : [[id, { instance, names }] as const];
    }),
  );
}
