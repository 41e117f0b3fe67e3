/** Creates a signal that aborts when `parent` aborts or after `ms`. Dispose it to cancel the timer. */
export function deadline(
  clock: { after(ms: number, fn: () => void): () => void },
  parent: AbortSignal,
  ms: number,
  reason: () => unknown,
): Disposable & { readonly signal: AbortSignal } {
  const own = new AbortController();
  const cancelTimer = clock.after(ms, () => own.abort(reason()));
  return { signal: AbortSignal.any([parent, own.signal]), [Symbol.dispose]: cancelTimer };
}
