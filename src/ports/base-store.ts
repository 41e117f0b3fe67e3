/** The last state of an instance on which both sides agreed: hashes, never values. */
export interface BaseState {
  /** Scripts: the `studioHash` of the text. */
  readonly source?: string;
  /** A fingerprint for each compared property. */
  readonly properties: Readonly<Record<string, string>>;
  /** The tags, and the attributes with a fingerprint each, of an instance that has some. */
  readonly entries?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Earlier values in Studio, newest first, by property; `Source` of a script is its text. */
  readonly earlier?: Readonly<Record<string, readonly string[]>>;
  /** The sides may have changed since, so that only `earlier` and `placeVersion` are valid. */
  readonly isOutdated?: true;
  /** The version of the published place in which Studio had this state, at least 1. A Studio with a lower one opened an older place. */
  readonly placeVersion?: number;
}

const MAX_EARLIER = 16;

/** The hashes of a state, by property. */
const hashesOf = ({
  source,
  properties,
}: Pick<BaseState, 'source' | 'properties'>): readonly (readonly [string, string])[] => [
  ...Object.entries(properties),
  ...(source === undefined ? [] : [['Source', source] as const]),
];

/**
 * Returns `state` with the hashes of `previous` as its earlier ones, at most 16 per property.
 *
 * @param studioHad further earlier hashes in Studio, each with its property, oldest first
 */
export function withEarlier(
  state: Pick<BaseState, 'source' | 'properties' | 'entries' | 'isOutdated' | 'placeVersion'>,
  previous: BaseState | undefined,
  studioHad: readonly (readonly [string, string])[] = [],
): BaseState {
  const { earlier: _, ...current } = state as BaseState;
  const now = new Map(current.isOutdated ? [] : hashesOf(current));
  const earlier = new Map(Object.entries(previous?.earlier ?? {}));
  for (const [name, hash] of [...(previous === undefined ? [] : hashesOf(previous)), ...studioHad]) {
    const known = earlier.get(name) ?? [];
    if (known[0] === hash) continue;
    earlier.set(name, [hash, ...known.filter(one => one !== hash)].slice(0, MAX_EARLIER));
  }
  for (const [name, hash] of now) {
    const rest = earlier.get(name)?.filter(one => one !== hash);
    if (rest?.length === 0) earlier.delete(name);
    else if (rest !== undefined) earlier.set(name, rest);
  }
  return earlier.size === 0 ? current : { ...current, earlier: Object.fromEntries(earlier) };
}

/** Marks a state as one that no longer describes both sides. @param studioHad as for `withEarlier` */
export const asOutdated = (state: BaseState, studioHad: readonly (readonly [string, string])[] = []): BaseState =>
  withEarlier(
    {
      properties: {},
      isOutdated: true,
      ...(state.placeVersion === undefined ? {} : { placeVersion: state.placeVersion }),
    },
    state,
    studioHad,
  );

/** The state of an instance that is about to be created on disk: after a crash, disk has it, had it, or never did. */
export const ABOUT_TO_EXIST: BaseState = { properties: {}, isOutdated: true };

type ChangedStates = ReadonlyMap<string, BaseState | undefined>;
export type BaseUpdate = ChangedStates | ((states: ReadonlyMap<string, BaseState>) => ChangedStates);

/** The changes that an update makes to these states. */
export const computeChanges = (update: BaseUpdate, states: ReadonlyMap<string, BaseState>): ChangedStates =>
  typeof update === 'function' ? update(states) : update;

/**
 * The last agreed state per place, by the key of the instance (`sync/base/base-keys.ts`). Stored outside the workspace. Updates are
 * atomic, also in a crash; several processes may update one place.
 */
export interface BaseStore {
  /** Empty if nothing is stored or the stored state cannot be read. */
  load(place: string): Promise<ReadonlyMap<string, BaseState>>;
  /**
   * Adds or replaces the given keys, and removes those with `undefined`. All other keys keep their current state. A function computes the
   * changes from the current states; no other update comes in between.
   */
  update(place: string, changed: BaseUpdate): Promise<void>;
  /** Marks the stored states of every place as outdated (`asOutdated`). */
  outdateAll(): Promise<void>;
}
