/** Later than this nothing that was arranged is lost; sooner, a scroll would send a message for each of its frames. */
const SAVE_MS = 150;

/** Calls `save` a moment after it was first asked for, and at the latest when the page goes. */
export function saveSoon(save: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    save();
  };
  window.addEventListener('pagehide', flush);
  document.addEventListener('visibilitychange', flush);
  return () => {
    timer ??= setTimeout(flush, SAVE_MS);
  };
}
