import type { ReviewIntent, ReviewStatus, SidePair, ToWebview } from '../../protocol/review.ts';
import type { RowFilter } from './row-filter.ts';

/** The saved view state. It survives a reload of the page, for the same run. */
export interface ViewState {
  readonly runId: string;
  readonly sides?: SidePair;
  readonly placeName?: string;
  /** The storage folder of the window that had the review. */
  readonly storage?: string;
  readonly phase: ReviewStatus['phase'];
  /** The outcome, if the page received it before the window was closed. */
  readonly outcome: string | null;
  readonly collapsed: readonly string[];
  readonly active: string | undefined;
  readonly scrollTop: number;
  readonly detailsHeight?: number | undefined;
  readonly filter: RowFilter;
}

/** The page's connection to the extension. */
export interface EditorConnection {
  send(intent: ReviewIntent): void;
  onMessage(listener: (message: ToWebview) => void): void;
  load(): ViewState | undefined;
  save(state: ViewState): void;
}

declare function acquireVsCodeApi(): {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
};

/** May be called once per page load. */
export function connectToEditor(): EditorConnection {
  const api = acquireVsCodeApi();
  return {
    send: intent => api.postMessage(intent),
    // Only the extension posts to the page, and both use the type `ToWebview`.
    onMessage: listener => window.addEventListener('message', event => listener(event.data as ToWebview)),
    // Written by `save` of the same bundle, or undefined.
    load: () => api.getState() as ViewState | undefined,
    save: state => api.setState(state),
  };
}
