/** Milliseconds that the event loop was held up for at the longest while `work` ran, and how long it all took. */
export async function longestTurn<T>(
  work: () => Promise<T>,
): Promise<{ readonly longest: number; readonly ms: number; readonly result: T }> {
  // What was done before must not be counted, its garbage neither.
  await new Promise(resolve => setTimeout(resolve, 20));
  let isOver = false;
  let longest = 0;
  let last = performance.now();
  const tick = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  const began = performance.now();
  const result = await work();
  const ms = performance.now() - began;
  await new Promise(resolve => setImmediate(resolve));
  isOver = true;
  return { longest, ms, result };
}
