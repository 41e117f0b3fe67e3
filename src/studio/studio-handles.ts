/** Number of Studios whose handles are remembered. */
const MAX_REMEMBERED = 64;

/** Assigns handles to Studios: `studio-1`, `studio-2`. A Studio that reconnects keeps its handle. */
export class StudioHandles {
  readonly #byId = new Map<string, string>();
  #last = 0;

  /** @param id the id that the Studio reported; `undefined` assigns a new handle */
  of(id: string | undefined): string {
    const known = id === undefined ? undefined : this.#byId.get(id);
    const handle = known ?? `studio-${(this.#last += 1)}`;
    if (id === undefined) return handle;
    this.#byId.delete(id);
    this.#byId.set(id, handle);
    const oldest = this.#byId.keys().next();
    if (this.#byId.size > MAX_REMEMBERED && !oldest.done) this.#byId.delete(oldest.value);
    return handle;
  }
}
