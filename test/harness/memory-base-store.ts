import {
  type BaseState,
  type BaseStore,
  type BaseUpdate,
  computeChanges,
  asOutdated,
} from '../../src/ports/base-store.ts';

/** A base store in memory. */
export class MemoryBaseStore implements BaseStore {
  readonly #places = new Map<string, Map<string, BaseState>>();
  /** Makes every call fail, as a full or broken disk does. */
  failing = false;

  async load(place: string): Promise<ReadonlyMap<string, BaseState>> {
    if (this.failing) throw new Error('input/output error');
    return new Map(this.#places.get(place));
  }

  async update(place: string, changed: BaseUpdate): Promise<void> {
    if (this.failing) throw new Error('input/output error');
    const states = this.#places.get(place) ?? new Map<string, BaseState>();
    this.#places.set(place, states);
    for (const [key, state] of computeChanges(changed, states)) {
      if (state === undefined) states.delete(key);
      else states.set(key, state);
    }
  }

  places(): readonly string[] {
    return Array.from(this.#places.keys());
  }

  /** Loses everything, as a damaged file does. */
  forget(): void {
    this.#places.clear();
  }

  async outdateAll(): Promise<void> {
    for (const states of this.#places.values()) for (const [key, state] of states) states.set(key, asOutdated(state));
  }
}
