/** Returns a function that runs `work` on its first call and does nothing on later calls. */
export function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
}
