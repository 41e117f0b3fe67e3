import { nameOfPath } from '../../protocol/path-name.ts';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { UntrackedRow } from '../../protocol/review.ts';
import { Icon } from './icons.tsx';
import { fill } from '../fill.ts';
import { count, type Store } from './store.ts';
import { valueText } from '../../protocol/value-text.ts';

/** A list of the properties that only Studio has, each with a button to track it. Collapsed, unless the review has nothing else. */
export function Untracked(props: { readonly store: Store }): JSX.Element | null {
  const { store } = props;
  const { untracked: texts } = store.strings;
  const list = store.untracked.value;
  const isAlone = store.status.value?.total === 0;
  // Stays open when a property of the list becomes the first change.
  const [isOpen] = useState(isAlone);
  if (list === undefined || list.count === 0) return null;
  const unlisted = list.count - list.properties.length;
  return (
    <details class={isAlone ? 'untracked alone' : 'untracked'} open={isOpen}>
      <summary>
        <Icon name="chevron" class="fold" />
        {count(list.count, texts.propertiesOne, texts.propertiesMany)}
      </summary>
      <p class="quiet">{texts.explanation}</p>
      <ul tabIndex={0} aria-label={count(list.count, texts.propertiesOne, texts.propertiesMany)}>
        {list.properties.map(row => (
          <Property key={`${row.id} ${row.property}`} store={store} row={row} />
        ))}
        {unlisted > 0 ? <li class="quiet">{fill(texts.more, unlisted)}</li> : null}
      </ul>
    </details>
  );
}

function Property(props: { readonly store: Store; readonly row: UntrackedRow }): JSX.Element {
  const { store, row } = props;
  const { untracked: texts } = store.strings;
  const name = nameOfPath(row);
  return (
    <li>
      <span class="property" title={row.path}>
        {name}.{row.property} <span class="class-name">{row.className}</span>
      </span>
      <span>
        {texts.studio}: {textOf(store, row.studio, row.studioName)}
      </span>
      <span class="quiet">
        {texts.default}: {textOf(store, row.default, row.defaultName)}
      </span>
      <button
        type="button"
        class="secondary"
        aria-label={fill(texts.trackOne, row.property, row.path)}
        disabled={!store.deciding.value || !store.settled.value}
        onClick={() => store.track(row)}
      >
        {texts.track}
      </button>
    </li>
  );
}

function textOf(store: Store, value: UntrackedRow['studio'], enumName: string | undefined): string {
  if (enumName !== undefined) return enumName;
  const { text, reference } = valueText(value);
  return reference === undefined ? text : (store.path(reference) ?? text);
}
