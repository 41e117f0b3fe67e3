/** Creates a signal that aborts when `parent` aborts or `ms` after the creation or the last `renew`. Dispose it to cancel the timer. */
export function deadline(
  clock: { after(ms: number, fn: () => void): () => void },
  parent: AbortSignal,
  ms: number,
  reason: () => unknown,
): Disposable & { readonly signal: AbortSignal; readonly renew: () => void } {
  const own = new AbortController();
  const start = (): (() => void) => clock.after(ms, () => own.abort(reason()));
  let cancelTimer = start();
  return {
    signal: AbortSignal.any([parent, own.signal]),
    renew: () => {
      cancelTimer();
      cancelTimer = start();
    },
    [Symbol.dispose]: () => cancelTimer(),
  };
}
