import type { JSX } from 'preact';
import type { Store } from './store.ts';

/** Pixels per key press. */
const STEP = 24;

/** The sash between list and details: drag it, or use the arrow keys. A double click resets the height. */
export function Sash(props: { readonly store: Store }): JSX.Element {
  const { store } = props;
  const below = (sash: HTMLElement): HTMLElement | undefined =>
    sash.nextElementSibling instanceof HTMLElement ? sash.nextElementSibling : undefined;
  const height = store.detailsHeight.value;
  return (
    <div
      class="sash"
      role="separator"
      aria-orientation="horizontal"
      aria-label={store.strings.details.resize}
      aria-valuenow={height ?? 0}
      tabIndex={0}
      onPointerDown={event => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={event => {
        const details = below(event.currentTarget);
        if (details === undefined || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
        store.resizeDetails(details.getBoundingClientRect().bottom - event.clientY);
      }}
      onDblClick={() => store.resizeDetails(undefined)}
      onKeyDown={event => {
        const by = event.key === 'ArrowUp' ? STEP : event.key === 'ArrowDown' ? -STEP : undefined;
        const details = below(event.currentTarget);
        if (by === undefined || details === undefined) return;
        event.preventDefault();
        store.resizeDetails(details.offsetHeight + by);
      }}
    />
  );
}
