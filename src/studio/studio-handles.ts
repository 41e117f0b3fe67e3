/** Studios that are remembered after they have gone. */
const REMEMBERED = 64;

/** Names Studios for agents and people: `studio-1`, `studio-2`. Whoever comes back gets the name that it had. */
export class StudioHandles {
  readonly #byId = new Map<string, string>();
  #last = 0;

  /** @param id what a Studio says that it is; `undefined` for one that does not, which is another one each time */
  of(id: string | undefined): string {
    const known = id === undefined ? undefined : this.#byId.get(id);
    const handle = known ?? `studio-${(this.#last += 1)}`;
    if (id === undefined) return handle;
    this.#byId.delete(id);
    this.#byId.set(id, handle);
    const oldest = this.#byId.keys().next();
    if (this.#byId.size > REMEMBERED && !oldest.done) this.#byId.delete(oldest.value);
    return handle;
  }
}
