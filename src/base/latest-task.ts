/** Identifies the latest of several tasks about one thing, so that the result of an older one that ends later can be ignored. */
export class LatestTask<Key extends object> {
  readonly #latest = new WeakMap<Key, object>();

  /** Begins a task. The returned function says whether the task is still the latest one about `key`. */
  begin(key: Key): () => boolean {
    const own = {};
    this.#latest.set(key, own);
    return () => this.#latest.get(key) === own;
  }
}
