import type { JSX } from 'preact';
import { Icon } from './icons.tsx';
import { count, type Store } from './store.ts';

/** A collapsible list of warnings above the changes. */
export function Warnings(props: { readonly store: Store }): JSX.Element | null {
  const { strings, warnings } = props.store;
  const sentences = warnings.value;
  if (sentences.length === 0) return null;
  return (
    <details class="warnings" open>
      <summary>
        <Icon name="chevron" class="fold" />
        <Icon name="warning" class="sign" />
        <span aria-live="polite">{count(sentences.length, strings.warningsOne, strings.warningsMany)}</span>
      </summary>
      <ul tabIndex={0}>
        {sentences.map(sentence => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </details>
  );
}
