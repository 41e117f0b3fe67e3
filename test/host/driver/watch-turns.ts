/** Measures the turns of the event loop and the memory of this process. */
export function watchTurns(): { readonly end: () => { readonly longestMs: number; readonly megabytes: number } } {
  let isOver = false;
  let [last, longestMs, bytes] = [performance.now(), 0, 0];
  const tick = (): void => {
    const now = performance.now();
    longestMs = Math.max(longestMs, now - last);
    last = now;
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  const sampling = setInterval(() => (bytes = Math.max(bytes, process.memoryUsage.rss())), 20);
  return {
    end() {
      tick();
      isOver = true;
      clearInterval(sampling);
      return { longestMs, megabytes: bytes / 1024 / 1024 };
    },
  };
}
