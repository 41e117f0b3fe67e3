import type { JSX } from 'preact';
import type { Choice } from '../../protocol/sync-request.ts';
import type { PatchType } from '../../protocol/sync-result.ts';

/** Stroke paths on a 16×16 grid, drawn in the text color. */
const paths = {
  Add: 'M8 3v10M3 8h10',
  Remove: 'M2.5 3h11v7.5h-11zM8 10.5v2.5M5 13h6',
  Delete: 'M3 8h10',
  replace: 'M3 5.5h9M9.5 3L12 5.5 9.5 8M13 10.5H4M6.5 8L4 10.5 6.5 13',
  Edit: 'M3 13l.7-3.2L10.9 2.6a1 1 0 0 1 1.4 0l1.1 1.1a1 1 0 0 1 0 1.4L6.2 12.3z',
  push: 'M8 13V3.5M4 7.5l4-4 4 4',
  pull: 'M8 3v9.5M4 8.5l4 4 4-4',
  merge: 'M4 2.5v4a3 3 0 0 0 3 3h2a3 3 0 0 1 0 0M12 2.5v4a3 3 0 0 1-3 3M8 9.5v4M5.5 11.5L8 14l2.5-2.5',
  skip: 'M3.5 4.5l4.5 3.5-4.5 3.5zM12 4.5v7',
  chevron: 'M6 4l4 4-4 4',
  diff: 'M2.5 2.5h11v11h-11zM8 2.5v11M4.2 6h2M9.8 6h2M10.8 5v2M4.2 10h2M9.8 10h2',
  warning: 'M8 2.5l6 11H2zM8 6.5v3.5M8 11.8v.4',
  check: 'M3 8.5l3.2 3.2L13 4.8',
  cross: 'M4 4l8 8M12 4l-8 8',
  again: 'M13 8a5 5 0 1 1-1.5-3.6M11.8 1.8v2.9H8.9',
  link: 'M6.5 9.5l3-3M7 5l1.5-1.5a2.1 2.1 0 0 1 4 4L11 9M9 11l-1.5 1.5a2.1 2.1 0 0 1-4-4L5 7',
  agent: 'M8 1.8l1.5 4.2 4.2 1.5-4.2 1.5L8 13.2 6.5 9 2.3 7.5 6.5 6z',
} as const;
export type IconName = keyof typeof paths | PatchType | Choice;

/** A decorative icon; a text beside it always has the meaning. */
export const Icon = (props: { readonly name: IconName; readonly class?: string }): JSX.Element => (
  <svg class={`icon ${props.class ?? ''}`} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
    <path d={paths[props.name]} />
  </svg>
);

/** A color value as a small square; the fill is an attribute, because the page allows no inline style. */
export const Swatch = (props: { readonly color: readonly [number, number, number] }): JSX.Element => (
  <svg class="swatch" viewBox="0 0 12 12" aria-hidden="true" focusable="false">
    <rect x="0.5" y="0.5" width="11" height="11" rx="2" fill={`rgb(${props.color.join(' ')})`} />
  </svg>
);
