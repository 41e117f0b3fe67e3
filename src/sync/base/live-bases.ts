import { isScriptClass } from '../../protocol/script-class.ts';
import type { Ref } from '../../base/brand.ts';
import { SerialQueue } from '../../base/serial-queue.ts';
import { TimeSlice } from '../../base/time-slice.ts';
import {
  ABOUT_TO_EXIST,
  type BaseState,
  type BaseStore,
  type BaseUpdate,
  withEarlier,
} from '../../ports/base-store.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { Logger } from '../../ports/logger.ts';
import type { TextToStore } from '../../ports/text-store.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import type { Reflection } from '../../roblox/instances/reflection.ts';
import type { StudioInstance } from '../../protocol/studio/stream.ts';
import type { AgreedPart, LivePart, LiveBase, LiveBases, PlannedCreation } from '../../studio/live/live-base.ts';
import type { CreatedInstance } from '../../studio/write/create-instances.ts';
import { findAgreedStates } from './agreed-states.ts';
import { BaseKeysOnDemand, childKey, ChildrenByKey, isAtOrBelowAny, keyAtOrAbove, pathKeyOf } from './base-keys.ts';
import { BaseStates, isSameState } from './base-state.ts';
import { type BaseTexts, textToStore } from './base-texts.ts';
import { placeKey } from './place-key.ts';
import { FormerKeys } from './former-keys.ts';

export interface LiveBasesDeps {
  readonly bases: BaseStore;
  readonly baseTexts: Pick<BaseTexts, 'store'>;
  readonly hasher: Hasher;
  readonly reflection: Reflection;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Delay before the texts of scripts are stored, so that a burst of saves stores only the last text. */
const STORE_TEXTS_MS = 2000;
const never = new AbortController().signal;

/**
 * Updates the bases of the places in Live Sync. A part of an instance leaves the base before it changes on one side, and returns when both
 * sides have it. If several Studios have one place open, nothing returns: what one of them confirmed may be missing in another.
 */
export function createLiveBases(deps: LiveBasesDeps): LiveBases {
  const open = new Map<string, number>();
  const former = new WeakMap<ProjectSession, FormerKeys>();
  return {
    open(session, { placeId, placeName, placeVersion }) {
      const place = placeKey({ name: placeName, placeId }, session);
      const keys = former.get(session) ?? new FormerKeys(session);
      former.set(session, keys);
      open.set(place, (open.get(place) ?? 0) + 1);
      const base = new PlaceBase({
        ...deps,
        place,
        placeVersion,
        session,
        former: keys,
        // A session that has ended may still be writing.
        isAlone: () => (open.get(place) ?? 0) <= 1,
      });
      return Object.assign(base, {
        [Symbol.dispose]() {
          open.set(place, (open.get(place) ?? 1) - 1);
          base.storeTexts();
        },
      });
    },
  };
}

interface PlaceBaseDeps extends LiveBasesDeps {
  readonly place: string;
  /** 0 if it is unknown. */
  readonly placeVersion: number;
  readonly session: ProjectSession;
  readonly former: FormerKeys;
  /** Whether no other live session has the place open. */
  readonly isAlone: () => boolean;
}

/** The state of an instance before and after parts of it were forgotten. */
interface ForgottenState {
  readonly id: Ref | undefined;
  readonly from: BaseState;
  readonly to: BaseState;
}

class PlaceBase implements Omit<LiveBase, typeof Symbol.dispose> {
  readonly #deps: PlaceBaseDeps;
  readonly #states: BaseStates;
  readonly #updates = new SerialQueue();
  /** States of renamed instances by the rest of the key, until Studio has the new name too. */
  readonly #renamed = new Map<Ref, ReadonlyMap<string, BaseState>>();
  /** Texts that are not stored yet, by key. */
  #texts = new Map<string, TextToStore>();
  #cancelStoring: (() => void) | undefined;

  constructor(deps: PlaceBaseDeps) {
    this.#deps = deps;
    this.#states = new BaseStates(deps.hasher);
  }

  async beforeStart(): Promise<void> {
    const { session, bases, place, clock } = this.#deps;
    const slice = new TimeSlice(clock);
    const differing: LivePart[] = [];
    const stored = await this.#attempt(() => bases.load(place), new Map<string, BaseState>());
    if (stored.size === 0) return;
    for (const instance of session.descendants(session.rootId)) {
      await slice.yieldToEventLoop();
      if (!isScriptClass(instance.className)) continue;
      const source = stored.get(this.#pathKey(instance.id) ?? '')?.source;
      if (source !== undefined && source !== this.#states.of(instance).source)
        differing.push({ id: instance.id, names: ['Source'] });
    }
    await this.beforeChange(differing);
  }

  async beforeChange(parts: readonly LivePart[]): Promise<(ids: ReadonlySet<Ref>) => void> {
    const whole = new Set<string>();
    /** Those of `whole` that are keys of the current tree. */
    const created = new Set<string>();
    const byKey = new Map<string, Set<string>>();
    const idsOf = new Map<string, Ref>();
    const renamed = new Map<Ref, { readonly from: string; readonly names: ReadonlySet<string> }>();
    for (const { id, names } of parts) {
      const key = this.#pathKey(id);
      const former = this.#deps.former.take(id);
      for (const one of former) whole.add(one);
      if (names !== 'all' && former[0] !== undefined) renamed.set(id, { from: former[0], names: new Set(names) });
      if (key === undefined) continue;
      idsOf.set(key, id);
      if (names === 'all') {
        whole.add(key);
        created.add(key);
      } else byKey.set(key, new Set([...(byKey.get(key) ?? []), ...names]));
    }
    const forgotten = new Map<string, ForgottenState>();
    if (whole.size === 0 && byKey.size === 0) return () => undefined;
    await this.#update(states => {
      const changed = new Map<string, BaseState | undefined>();
      for (const [id, { from, names }] of renamed) this.#renamed.set(id, statesBelow(states, from, names));
      this.#forgetRenamed(created, byKey);
      for (const [key, names] of byKey) {
        const state = states.get(key);
        if (state === undefined || whole.has(key) || !hasAny(state, names)) continue;
        const to = without(state, names);
        changed.set(key, to);
        forgotten.set(key, { id: idsOf.get(key), from: state, to });
      }
      if (whole.size > 0) for (const key of states.keys()) if (isAtOrBelowAny(key, whole)) changed.set(key, undefined);
      return changed;
    });
    return ids => this.#restore(forgotten, ids);
  }

  /** Forgets parts that are about to change of instances whose new names Studio does not have yet, and of those below them. */
  #forgetRenamed(whole: ReadonlySet<string>, byKey: ReadonlyMap<string, ReadonlySet<string>>): void {
    for (const [id, below] of this.#renamed) {
      const top = this.#pathKey(id);
      const isBelow = (key: string): boolean => key === top || key.startsWith(`${top}/`);
      if (top !== undefined && ![...whole, ...byKey.keys()].some(isBelow)) continue;
      const rest = Array.from(below).flatMap(([end, state]) => {
        const key = `${top}${end}`;
        if (top === undefined || isAtOrBelowAny(key, whole)) return [];
        return [[end, without(state, byKey.get(key) ?? new Set())] as const];
      });
      this.#renamed.set(id, new Map(rest));
    }
  }

  /** Restores the forgotten parts of these instances that have not changed since. */
  #restore(forgotten: ReadonlyMap<string, ForgottenState>, ids: ReadonlySet<Ref>): void {
    if (forgotten.size === 0 || !this.#deps.isAlone()) return;
    void this.#update(states => {
      const changed = new Map<string, BaseState | undefined>();
      for (const [key, { id, from, to }] of forgotten)
        if (id !== undefined && ids.has(id) && isSameState(states.get(key), to)) changed.set(key, from);
      return changed;
    });
  }

  learn(parts: readonly AgreedPart[]): void {
    if (!this.#deps.isAlone()) {
      for (const { instance } of parts) this.#renamed.delete(instance.id);
      return;
    }
    // Keys and hashes are read now, because the tree may change before the update.
    const keys = this.#currentKeys();
    const agreed = parts.flatMap(({ instance, names }) => {
      const key = keys.get(instance.id);
      const renamed = this.#renamed.get(instance.id);
      this.#renamed.delete(instance.id);
      if (key === undefined || (names.length === 0 && renamed === undefined)) return [];
      return [{ key, instance, names, renamed, state: this.#states.of(instance) }];
    });
    if (agreed.length === 0) return;
    void this.#update(states => {
      const changed = new Map<string, BaseState | undefined>();
      for (const { key, instance, names, renamed, state } of agreed) {
        for (const [rest, one] of renamed ?? []) changed.set(key + rest, one);
        if (names.length === 0) continue;
        const previous = changed.get(key) ?? states.get(key);
        const next = names === 'all' ? state : including(previous, state, names);
        changed.set(key, withEarlier(this.#atThisVersion(next, previous), previous));
        for (const text of textToStore(instance, next)) this.#texts.set(key, text);
      }
      return changed;
    });
    this.#scheduleTexts();
  }

  async beforeCreate(created: readonly CreatedInstance[]): Promise<PlannedCreation> {
    const { session } = this.#deps;
    const keys = this.#currentKeys();
    const agreed = new Set<CreatedInstance>();
    const planned = new Map<CreatedInstance, readonly string[]>();
    for (const one of created) {
      const parentKey = one.parentId === session.rootId ? '' : keys.get(one.parentId);
      if (parentKey !== undefined) planned.set(one, Array.from(keysOf(one.studio, parentKey)));
    }
    await this.#update(states => {
      const changed = new Map<string, BaseState>();
      for (const [one, [key = '', ...below]] of planned)
        if (states.has(key)) agreed.add(one);
        else for (const each of [key, ...below]) if (!states.has(each)) changed.set(each, ABOUT_TO_EXIST);
      return changed;
    });
    return {
      agreed,
      abandon: all => this.#abandon(all.flatMap(one => (agreed.has(one) ? [] : (planned.get(one) ?? [])))),
    };
  }

  #abandon(keys: readonly string[]): void {
    if (keys.length === 0) return;
    void this.#update(states => {
      const unchanged = keys.filter(key => isSameState(states.get(key), ABOUT_TO_EXIST));
      return new Map(unchanged.map(key => [key, undefined]));
    });
  }

  learnRenamed(ids: readonly Ref[]): void {
    const keys = this.#currentKeys();
    /** The current key of each instance, by its first former key. */
    const renamed = new Map<string, string | undefined>();
    const abandoned = new Set<string>();
    for (const id of ids) {
      const former = this.#deps.former.take(id);
      for (const one of former) abandoned.add(one);
      if (former[0] !== undefined) renamed.set(former[0], keys.get(id));
    }
    if (abandoned.size === 0) return;
    void this.#update(states => {
      const changed = new Map<string, BaseState | undefined>();
      const added = new Map<string, BaseState>();
      for (const [key, state] of states) {
        if (!isAtOrBelowAny(key, abandoned)) continue;
        changed.set(key, undefined);
        const from = keyAtOrAbove(key, renamed);
        const to = from === undefined || !this.#deps.isAlone() ? undefined : renamed.get(from);
        if (from !== undefined && to !== undefined)
          added.set(to + key.slice(from.length), key === from ? without(state, new Set()) : state);
      }
      return new Map([...changed, ...added]);
    });
  }

  learnCreated(created: readonly CreatedInstance[]): void {
    const { session, reflection } = this.#deps;
    if (!this.#deps.isAlone()) return;
    const keys = this.#currentKeys();
    const deps = { session, reflection, baseStates: this.#states, keys, children: new ChildrenByKey(session, keys) };
    const agreed = created.flatMap(({ studio, parentId }) => Array.from(findAgreedStates(studio, parentId, deps)));
    void this.#update(states => {
      for (const [key, state, instance] of agreed)
        for (const text of textToStore(instance, state)) this.#texts.set(key, text);
      return new Map(agreed.map(([key, state]) => [key, withEarlier(this.#atThisVersion(state), states.get(key))]));
    });
    this.#scheduleTexts();
  }

  storeTexts(): void {
    this.#cancelStoring?.();
    this.#cancelStoring = undefined;
    void this.#updates.run(never, async () => {
      const texts = Array.from(this.#texts.values());
      this.#texts = new Map();
      if (texts.length === 0) return;
      const states = await this.#attempt(() => this.#deps.bases.load(this.#deps.place), new Map<string, BaseState>());
      this.#deps.baseTexts.store(texts, () => new Set(Array.from(states.values(), ({ source }) => source ?? '')));
    });
  }

  /** The state, which belongs to the version of the place that Studio opened, or else to that of the previous state. */
  #atThisVersion(state: BaseState, previous?: BaseState): BaseState {
    const placeVersion = this.#deps.placeVersion > 0 ? this.#deps.placeVersion : previous?.placeVersion;
    return placeVersion === undefined ? state : { ...state, placeVersion };
  }

  #scheduleTexts(): void {
    this.#cancelStoring ??= this.#deps.clock.after(STORE_TEXTS_MS, () => this.storeTexts());
  }

  #currentKeys(): BaseKeysOnDemand {
    const keys = new BaseKeysOnDemand(this.#deps.session);
    this.#states.useKeys(keys);
    return keys;
  }

  #pathKey(id: Ref): string | undefined {
    const { session } = this.#deps;
    return pathKeyOf(one => session.get(one), session.rootId, id);
  }

  #update(compute: BaseUpdate): Promise<void> {
    const { bases, place } = this.#deps;
    return this.#updates.run(never, () => this.#attempt(() => bases.update(place, compute), undefined));
  }

  async #attempt<T>(work: () => Promise<T>, otherwise: T): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.#deps.log.warn('the base could not be updated during Live Sync', { reason: String(error) });
      return otherwise;
    }
  }
}

/** The keys of an instance and of its descendants, the former first. */
function* keysOf(studio: StudioInstance, parentKey: string): Generator<string> {
  const key = childKey(parentKey, studio.name);
  yield key;
  for (const child of studio.children) yield* keysOf(child, key);
}

/** The states at and below a key, by the rest of their keys. Omits `names` from the state of the key itself. */
function statesBelow(
  states: ReadonlyMap<string, BaseState>,
  key: string,
  names: ReadonlySet<string>,
): ReadonlyMap<string, BaseState> {
  const below = new Map<string, BaseState>();
  for (const [one, state] of states)
    if (one === key) below.set('', without(state, names));
    else if (one.startsWith(`${key}/`)) below.set(one.slice(key.length), state);
  return below;
}

const hasAny = (state: BaseState, names: ReadonlySet<string>): boolean =>
  Array.from(names).some(name => (name === 'Source' && state.source !== undefined) || name in state.properties);

const omit = <T>(values: Readonly<Record<string, T>>, names: ReadonlySet<string>): Record<string, T> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.has(name)));

/** The state without these properties, which become earlier ones. */
function without(state: BaseState, names: ReadonlySet<string>): BaseState {
  const { source, entries, properties } = state;
  const rest = {
    ...(source === undefined || names.has('Source') ? {} : { source }),
    properties: omit(properties, names),
    ...(entries === undefined ? {} : { entries: omit(entries, names) }),
    ...(state.isOutdated && { isOutdated: state.isOutdated }),
    ...(state.placeVersion !== undefined && { placeVersion: state.placeVersion }),
  };
  return withEarlier(rest, state);
}

/** The previous state with the properties `names` of `now`. Without a valid previous state, all other properties are unknown. */
function including(previous: BaseState | undefined, now: BaseState, names: readonly string[]): BaseState {
  const known = previous === undefined || previous.isOutdated ? { properties: {} } : previous;
  const taken = new Set(names);
  const own = <T>(values: Readonly<Record<string, T>> = {}): Record<string, T> =>
    Object.fromEntries(Object.entries(values).filter(([name]) => taken.has(name)));
  const entries = { ...omit(known.entries ?? {}, taken), ...own(now.entries) };
  const source = taken.has('Source') ? (now.source ?? known.source) : known.source;
  return {
    ...(source === undefined ? {} : { source }),
    properties: { ...omit(known.properties, taken), ...own(now.properties) },
    ...(Object.keys(entries).length === 0 ? {} : { entries }),
  };
}
