/** Long enough that scrolling does not save on every frame, short enough that no change is lost. */
const SAVE_MS = 150;

export interface Saver {
  /** Saves after a short delay, or when the page is hidden. For changes of the view. */
  schedule(): void;
  /** Saves immediately. For state that must survive a page that is closed without an event. */
  now(): void;
}

/** Creates a saver that debounces `save`. */
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
