import type { ReviewIntent, ReviewStatus, SidePair, ToWebview } from '../../protocol/review.ts';
import type { RowFilter } from './row-filter.ts';

/** What the person arranged; outlives the page, not the run. */
export interface ViewState {
  readonly runId: string;
  readonly sides?: SidePair;
  readonly placeName?: string;
  /** Of the window that had the review, as its page was told. */
  readonly storage?: string;
  readonly phase: ReviewStatus['phase'];
  /** What came of it, as far as the page was told before the window went. */
  readonly outcome: string | null;
  readonly collapsed: readonly string[];
  readonly active: string | undefined;
  readonly scrollTop: number;
  readonly detailsHeight?: number | undefined;
  readonly filter: RowFilter;
}

/** The page's only door. */
export interface Bridge {
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
export function vscodeBridge(): Bridge {
  const api = acquireVsCodeApi();
  return {
    send: intent => api.postMessage(intent),
    // The host is this extension and posts nothing else; `as` names the one type that both sides share.
    onMessage: listener => window.addEventListener('message', event => listener(event.data as ToWebview)),
    // Written by `save` of this same bundle, or undefined.
    load: () => api.getState() as ViewState | undefined,
    save: state => api.setState(state),
  };
}
