import type { JSX } from 'preact';
import { Icon } from './icons.tsx';
import { count, type Store } from './store.ts';

/** What the list does not speak of, above it: who decides must know. Can be folded away. */
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
