/** Later than this nothing that was arranged is lost; sooner, a scroll would send a message for each of its frames. */
const SAVE_MS = 150;

export interface Saver {
  /** For what a person arranges: a moment after it was first asked for, and at the latest when the page goes. */
  schedule(): void;
  /** For what must not be lost with a page that goes without a word. */
  now(): void;
}

/** Calls `save` in its time. */
export function createSaver(save: () => void): Saver {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const now = (): void => {
    clearTimeout(timer);
    timer = undefined;
    save();
  };
  const flush = (): void => {
    if (timer !== undefined) now();
  };
  window.addEventListener('pagehide', flush);
  document.addEventListener('visibilitychange', flush);
  return {
    now,
    schedule() {
      timer ??= setTimeout(flush, SAVE_MS);
    },
  };
}
