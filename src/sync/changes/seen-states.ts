import type { RunChange } from './run-change.ts';

/**
 * The state of a change that an answer showed. `disk` identifies the instance on disk, `subtree` the instances that a removal from Studio
 * includes.
 */
export interface SeenState {
  readonly disk: string | undefined;
  readonly subtree: string | undefined;
}

/** Maximum number of changes that are stored for clients that were shown nothing. */
const MAX_LATEST = 50_000;

/**
 * The last state of each change that each client was shown. Decisions rely on it even if the client quotes no hash. A client that was shown
 * nothing may have an id from another client, so the latest answer to any client applies to it.
 */
export class SeenStates {
  readonly #byClient = new WeakMap<object, Map<string, SeenState>>();
  readonly #latest = new Map<string, SeenState>();

  note({ studio, diskState }: RunChange, client: object | undefined): void {
    const seen: SeenState = { disk: diskState, subtree: studio.subtree?.hash };
    this.#latest.delete(studio.id);
    this.#latest.set(studio.id, seen);
    const oldest = this.#latest.keys().next();
    if (this.#latest.size > MAX_LATEST && !oldest.done) this.#latest.delete(oldest.value);
    if (client === undefined) return;
    let own = this.#byClient.get(client);
    if (own === undefined) this.#byClient.set(client, (own = new Map()));
    own.set(studio.id, seen);
  }

  find(id: string, client: object | undefined): SeenState | undefined {
    const own = client === undefined ? undefined : this.#byClient.get(client)?.get(id);
    return own ?? this.#latest.get(id);
  }
}
