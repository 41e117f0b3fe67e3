import type { RunChange } from './run-change.ts';

/**
 * The state of a change that an answer showed. `disk` identifies the instance on disk, `subtree` the instances that a removal from Studio
 * includes.
 */
export interface ShownState {
  readonly disk: string | undefined;
  readonly subtree: string | undefined;
}

/** Changes that are remembered of each client, and of all clients together. The ones that were shown longest ago are forgotten. */
export const MAX_SHOWN = 50_000;

/**
 * The last state of each change that each client was shown. Decisions rely on it even if the client quotes no hash. A client that was shown
 * nothing may have an id from another client, so the latest answer to any client applies to it.
 */
export class ShownStates {
  readonly #byClient = new WeakMap<object, Map<string, ShownState>>();
  readonly #latest = new Map<string, ShownState>();

  note({ studio, diskState }: RunChange, client: object | undefined): void {
    const seen: ShownState = { disk: diskState, subtree: studio.subtree?.hash };
    remember(this.#latest, studio.id, seen);
    if (client === undefined) return;
    let own = this.#byClient.get(client);
    if (own === undefined) this.#byClient.set(client, (own = new Map()));
    remember(own, studio.id, seen);
  }

  find(id: string, client: object | undefined): ShownState | undefined {
    const own = client === undefined ? undefined : this.#byClient.get(client)?.get(id);
    return own ?? this.#latest.get(id);
  }
}

function remember(states: Map<string, ShownState>, id: string, state: ShownState): void {
  states.delete(id);
  states.set(id, state);
  const oldest = states.keys().next();
  if (states.size > MAX_SHOWN && !oldest.done) states.delete(oldest.value);
}
