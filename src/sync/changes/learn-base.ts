import { hasChangedStudio, isDone } from '../../protocol/sync-result.ts';
import type { Ref } from '../../base/brand.ts';
import { type PausableWork, TimeSlice } from '../../base/time-slice.ts';
import { visibleServices } from '../../protocol/studio/messages.ts';
import type { Place } from '../../protocol/sync-result.ts';
import { ABOUT_TO_EXIST, type BaseState, type BaseStore, asOutdated, withEarlier } from '../../ports/base-store.ts';
import type { Clock } from '../../ports/clock.ts';
import type { TextToStore } from '../../ports/text-store.ts';
import type { Logger } from '../../ports/logger.ts';
import type { StudioChange, StudioInstance } from '../../protocol/studio/stream.ts';
import { variantFromWire } from '../../roblox/values/variant-wire.ts';
import type { RunChange } from './run-change.ts';
import { runAtOneRevision } from '../../project/run-at-one-revision.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import type { Instance } from '../../roblox/instances/instance.ts';
import type { Reflection } from '../../roblox/instances/reflection.ts';
import { baseKeys, ChildrenByKey, isAtOrBelowAny } from '../base/base-keys.ts';
import { RenamedKeys } from '../base/renamed-keys.ts';
import { isOlderVersion } from '../base/three-sides.ts';
import { findAgreedStates } from '../base/agreed-states.ts';
import { type BaseStates, isSameState } from '../base/base-state.ts';
import { type BaseTexts, textToStore } from '../base/base-texts.ts';
import { placeKey } from '../base/place-key.ts';

export interface LearnBaseDeps {
  readonly bases: BaseStore;
  /** Kept across runs, because it caches hashes. */
  readonly baseStates: BaseStates;
  /** Kept across runs, because it stores texts after a run. */
  readonly baseTexts: BaseTexts;
  readonly reflection: Reflection;
  readonly clock: Clock;
  readonly log: Logger;
}

type States = ReadonlyMap<string, BaseState>;
const noStates: States = new Map();

/** The states that a run gave both sides. */
export interface AppliedStates {
  /** Of the instances that the run created on disk: their state in Studio. */
  readonly created: ReadonlyMap<RunChange, StudioInstance>;
  /** Of the instances whose files the run wrote: their state on disk when it was verified. Disk may have changed since. */
  readonly verified: ReadonlyMap<RunChange, Instance>;
}

const nothingApplied: AppliedStates = { created: new Map(), verified: new Map() };

/** The new states of the base, and the texts that they refer to. */
interface BaseChanges {
  readonly states: ReadonlyMap<string, BaseState | undefined>;
  readonly texts: readonly TextToStore[];
}

/** The base of one place during one run: the last common state of both sides. */
export class LearnedBase {
  readonly #deps: LearnBaseDeps;
  readonly #session: ProjectSession;
  #keys: ReadonlyMap<Ref, string> = new Map();
  /** Includes outdated states. */
  #stored: States = noStates;
  #renamed = new RenamedKeys([], () => false);
  #place = '';
  #studioId: string | undefined;
  #placeVersion = 0;
  /** Of each change that `forget` expects to change Studio or to create files: its key, and its state if it does not. */
  readonly #unchanged = new Map<RunChange, readonly [string, BaseState | undefined]>();

  constructor(session: ProjectSession, deps: LearnBaseDeps) {
    this.#session = session;
    this.#deps = deps;
  }

  /**
   * Reads the base of the place. When the store fails, the run continues without a base.
   *
   * @param placeVersion the version of the place that Studio opened; 0 if it is unknown
   */
  async load(place: Place, studioId: string | undefined, placeVersion: number): Promise<void> {
    this.#placeVersion = placeVersion;
    this.#place = placeKey(place, this.#session);
    this.#studioId = studioId;
    this.#keys = await runAtOneRevision(this.#session, () => baseKeys(this.#session), new TimeSlice(this.#deps.clock));
    this.#deps.baseStates.useKeys(this.#keys);
    this.#stored = await this.#attempt('read', () => this.#deps.bases.load(this.#place), noStates);
  }

  /** Whether this Studio was up to date with the base before. Another Studio may have opened an older place. */
  isSameStudio(): boolean {
    return this.#deps.baseStates.isSameStudio(this.#place, this.#studioId);
  }

  /** The stored state of an instance of the tree, or of a Studio-only one. It may be outdated. */
  stateOf(id: Ref | undefined, pathInStudio: string): BaseState | undefined {
    const key = id === undefined ? pathInStudio : this.#baseKeyOf(id);
    return key === undefined ? undefined : this.#stored.get(key);
  }

  /** Records which instances of the comparison have different names on both sides. */
  useRenames(changes: readonly StudioChange[]): void {
    const renamed = changes.flatMap(({ id, properties }) => {
      const name = variantFromWire(properties?.['Name']?.current);
      const key = this.#keys.get(id as Ref);
      return key === undefined || !name.ok || name.value.type !== 'String'
        ? []
        : [{ key, nameInStudio: name.value.value }];
    });
    this.#renamed = new RenamedKeys(renamed, key => this.#stored.has(key));
  }

  /** The side that changed the name of an instance since the base; `undefined` if that is not known. */
  renamedOn(id: Ref): 'disk' | 'studio' | undefined {
    const key = this.#keys.get(id);
    return key === undefined ? undefined : this.#renamed.movedOn(key);
  }

  #baseKeyOf(id: Ref): string | undefined {
    const key = this.#keys.get(id);
    return key === undefined ? undefined : this.#renamed.toBase(key);
  }

  /** Updates the base from a comparison of the tree at `revision`: instances without a change are equal on both sides. */
  async learnUnchanged(changes: readonly RunChange[], revision: number): Promise<void> {
    const slice = new TimeSlice(this.#deps.clock);
    const differing = new Set(changes.map(change => change.disk?.id));
    const learned = new Map<string, BaseState | undefined>();
    const inTree = new Set<string>();
    const texts: TextToStore[] = [];
    for (const [id, key] of this.#keys) {
      await slice.yieldToEventLoop();
      inTree.add(key);
      const instance = this.#session.get(id);
      if (instance === undefined || differing.has(id) || !this.#isCompared(key)) continue;
      const state = this.#deps.baseStates.of(instance);
      const stored = this.#stored.get(key);
      texts.push(...textToStore(instance, state));
      // Both sides have the state, so an older place that has it is not older for this instance.
      if (!isSameState(state, stored) || isOlderVersion(this.#placeVersion, stored))
        learned.set(key, this.#agreed(state, stored));
    }
    const inStudio = new Set(changes.filter(({ studio }) => studio.patchType === 'Remove').map(keyInStudio));
    for (const key of this.#stored.keys())
      if (!inTree.has(key) && !inStudio.has(key) && !this.#renamed.isBaseKey(key)) learned.set(key, undefined);
    // The tree may have changed during the pauses of hashing, and its new state was not compared.
    if (this.#session.revision() === revision) await this.#update(learned, texts);
    if (!changes.some(({ sides }) => sides.isOlderInStudio)) this.#useStudio();
  }

  /** The state, which belongs to the version of the place that Studio opened. */
  #agreed(state: BaseState, previous: BaseState | undefined, had?: Parameters<typeof withEarlier>[2]): BaseState {
    const version = this.#placeVersion === 0 ? {} : { placeVersion: this.#placeVersion };
    return withEarlier({ ...state, ...version }, previous, had);
  }

  #useStudio(): void {
    this.#deps.baseStates.useStudio(this.#place, this.#studioId);
  }

  /**
   * Marks the instances that a run will change as outdated, so that a crash cannot leave a wrong base. What a push replaces is an earlier
   * state from then on.
   */
  async forget(changes: readonly RunChange[]): Promise<void> {
    const slice = new TimeSlice(this.#deps.clock);
    const forgotten = new Map<string, BaseState | undefined>();
    /** Keys that are removed with their descendants. */
    const whole = new Set<string>();
    for (const change of changes) {
      await slice.yieldToEventLoop();
      const key = change.disk === undefined ? keyInStudio(change) : this.#baseKeyOf(change.disk.id);
      if (key === undefined) continue;
      if (change.studio.patchType !== 'Edit') whole.add(key);
      else {
        const state = this.#stored.get(key);
        const had = change.choice === 'pull' ? [] : this.#inStudio(change.studio);
        const outdated = state === undefined ? undefined : asOutdated(state);
        if (had.length > 0) {
          this.#unchanged.set(change, [key, outdated]);
          forgotten.set(key, asOutdated(state ?? { properties: {} }, had));
        } else if (outdated !== undefined) forgotten.set(key, outdated);
      }
    }
    if (whole.size > 0)
      for (const key of this.#stored.keys()) {
        await slice.yieldToEventLoop();
        if (isAtOrBelowAny(key, whole)) forgotten.set(key, undefined);
      }
    for (const change of changes) {
      if (change.choice !== 'pull' || change.studio.patchType !== 'Remove') continue;
      const key = keyInStudio(change);
      forgotten.set(key, ABOUT_TO_EXIST);
      this.#unchanged.set(change, [key, undefined]);
    }
    await this.#update(forgotten);
  }

  /** Updates the base with the verified changes of a run. */
  async learnApplied(changes: readonly RunChange[], states: AppliedStates = nothingApplied): Promise<void> {
    // A run that created or renamed instances has changed the keys.
    const before = this.#keys;
    const learn = (): PausableWork<BaseChanges> => this.#appliedStates(changes, states, before);
    const applied = await runAtOneRevision(this.#session, learn, new TimeSlice(this.#deps.clock));
    await this.#update(applied.states, applied.texts);
    if (changes.every(({ sides, outcome }) => !sides.isOlderInStudio || isDone(outcome))) this.#useStudio();
  }

  *#appliedStates(
    changes: readonly RunChange[],
    { created, verified }: AppliedStates,
    before: ReadonlyMap<Ref, string>,
  ): PausableWork<BaseChanges> {
    this.#keys = yield* baseKeys(this.#session);
    this.#deps.baseStates.useKeys(this.#keys);
    const learned = new Map(this.#underNewNames(changes, before));
    const texts: TextToStore[] = [];
    for (const change of changes) {
      const { disk, outcome, studio } = change;
      yield;
      const unchanged = this.#unchanged.get(change);
      if (disk === undefined) {
        if (unchanged !== undefined && !isDone(outcome) && outcome !== 'unknown') learned.set(...unchanged);
        continue;
      }
      const key = this.#keys.get(disk.id);
      const now = this.#session.get(disk.id);
      if (key === undefined || now === undefined || studio.patchType === 'Remove') continue;
      const isPushed = outcome === 'applied' && now.properties === disk.properties && now.className === disk.className;
      const previous = learned.get(key) ?? this.#stored.get(key);
      const had = hasChangedStudio(outcome) || outcome === 'unknown' ? this.#inStudio(studio) : [];
      const agreed = isPushed ? now : isDone(outcome) ? verified.get(change) : undefined;
      if (agreed !== undefined) {
        const state = this.#deps.baseStates.of(agreed);
        learned.set(key, this.#agreed(state, previous, had));
        texts.push(...textToStore(agreed, state));
      } else if (had.length > 0) learned.set(key, asOutdated(previous ?? { properties: {} }, had));
      else if (unchanged !== undefined) learned.set(...unchanged);
    }
    const children = new ChildrenByKey(this.#session, this.#keys);
    const agreed = { ...this.#deps, session: this.#session, keys: this.#keys, children };
    for (const [change, studio] of created) {
      yield;
      if (change.outcome !== 'written') continue;
      for (const [key, state, instance] of findAgreedStates(studio, change.studio.parentId as Ref, agreed)) {
        yield;
        learned.set(key, this.#agreed(state, this.#stored.get(key)));
        texts.push(...textToStore(instance, state));
      }
    }
    return { states: learned, texts };
  }

  /** Moves the base of instances whose names are equal again, and of those below them, to the new keys. */
  *#underNewNames(
    changes: readonly RunChange[],
    before: ReadonlyMap<Ref, string>,
  ): Generator<readonly [string, BaseState | undefined]> {
    const isOpen = new Set<Ref>();
    const done: Ref[] = [];
    for (const { studio, disk, outcome } of changes) {
      if (disk === undefined || studio.properties?.['Name'] === undefined) continue;
      if (isDone(outcome)) done.push(disk.id);
      else isOpen.add(disk.id);
    }
    const moved = new Map<string, BaseState>();
    for (const id of done) {
      let above = this.#session.get(id);
      while (above !== undefined && !isOpen.has(above.id)) above = this.#session.get(above.parent);
      if (above !== undefined) continue;
      for (const below of this.#session.descendants(id)) {
        const [old, key] = [before.get(below.id), this.#keys.get(below.id)];
        const base = old === undefined ? undefined : this.#renamed.toBase(old);
        const state = base === undefined ? undefined : this.#stored.get(base);
        if (base === undefined || state === undefined || key === undefined || key === base) continue;
        yield [base, undefined];
        moved.set(key, state);
      }
    }
    yield* moved;
  }

  /** The state in Studio of the properties that differ. */
  #inStudio({ studioHash, sourceDiffers, properties }: StudioChange): readonly (readonly [string, string])[] {
    const had: (readonly [string, string])[] = [];
    if (sourceDiffers && studioHash !== undefined) had.push(['Source', studioHash]);
    for (const [name, { current }] of Object.entries(properties ?? {})) {
      const value = variantFromWire(current);
      if (value.ok) had.push([name, this.#deps.baseStates.property(value.value)]);
    }
    return had;
  }

  /** Whether the plugin compares the service of the key. */
  #isCompared(key: string): boolean {
    const { ignoreHiddenServices, syncScriptsOnly } = this.#session.info;
    if (syncScriptsOnly) return false;
    return !ignoreHiddenServices || visibleServices.includes(key.split('/', 1)[0] ?? '');
  }

  async #update(
    changed: ReadonlyMap<string, BaseState | undefined>,
    texts: readonly TextToStore[] = [],
  ): Promise<void> {
    const slice = new TimeSlice(this.#deps.clock);
    const agreed = new Map<string, BaseState>();
    for (const [key, state] of this.#stored) {
      await slice.yieldToEventLoop();
      agreed.set(key, state);
    }
    for (const [key, state] of changed) {
      await slice.yieldToEventLoop();
      if (state === undefined) agreed.delete(key);
      else agreed.set(key, state);
    }
    this.#stored = agreed;
    this.#deps.baseTexts.store(texts, () => new Set(Array.from(agreed.values(), ({ source }) => source ?? '')));
    if (changed.size > 0)
      await this.#attempt('written', () => this.#deps.bases.update(this.#place, changed), undefined);
  }

  async #attempt<T>(what: string, work: () => Promise<T>, otherwise: T): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.#deps.log.warn(`the base could not be ${what}`, { reason: String(error) });
      return otherwise;
    }
  }
}

const keyInStudio = ({ studio }: RunChange): string => studio.path;
