import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { everything, type RowFilter } from './row-filter.ts';
import { Icon } from './icons.tsx';
import { fill } from '../fill.ts';
import { type Store } from './store.ts';

const kinds = ['Add', 'Edit', 'Remove'] as const;
const sides = ['disk', 'studio', 'both', 'unknown'] as const;
const decisions = ['undecided', 'reopened', 'push', 'pull', 'merge', 'skip'] as const;

/** The filters of the list. Bulk choices only apply to the shown changes. */
export function FilterBar(props: { readonly store: Store }): JSX.Element {
  const { store } = props;
  const { filter: words } = store.strings;
  const filter = store.filter.value;
  const input = useRef<HTMLInputElement>(null);
  // Registered before the first paint, so that no key press is lost.
  useLayoutEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      const typing = event.target instanceof HTMLInputElement && event.target.type === 'search';
      const find = event.key === 'f' && (event.ctrlKey || event.metaKey);
      if (!find && (event.key !== '/' || typing)) return;
      event.preventDefault();
      input.current?.select();
      input.current?.focus();
    };
    window.addEventListener('keydown', focus);
    return () => window.removeEventListener('keydown', focus);
  }, []);
  const decisionNames = { ...store.strings.choices, undecided: words.undecided, reopened: words.reopened };
  return (
    <div class="filter" role="search">
      <input
        ref={input}
        type="search"
        value={filter.text}
        placeholder={words.placeholder}
        aria-label={words.text}
        title={words.text}
        onInput={event => store.setFilter({ text: event.currentTarget.value })}
        onKeyDown={event => {
          if (event.key === 'ArrowDown' || event.key === 'Enter') store.moveTo(store.active.value);
          else if (event.key === 'Escape') store.setFilter({ text: '' });
          else return;
          event.preventDefault();
        }}
      />
      <Choose<RowFilter['kind']>
        label={words.kind}
        any={words.anyKind}
        value={filter.kind}
        options={kinds.map(kind => [kind, store.strings.kinds[kind].name])}
        onChange={kind => store.setFilter({ kind })}
      />
      <Choose<string | undefined>
        label={words.className}
        any={words.anyClass}
        value={filter.className}
        options={store.classNames.value.map(name => [name, name])}
        onChange={className => store.setFilter({ className })}
      />
      <Choose<RowFilter['side']>
        label={words.side}
        any={words.anySide}
        value={filter.side}
        options={sides.map(side => [side, store.strings.sides[side]])}
        onChange={side => store.setFilter({ side })}
      />
      <Choose<RowFilter['decision']>
        label={words.decision}
        any={words.anyDecision}
        value={filter.decision}
        options={decisions.map(decision => [decision, decisionNames[decision]])}
        onChange={decision => store.setFilter({ decision })}
      />
      {store.filtered.value ? (
        <>
          <span class="shown" role="status">
            {fill(words.shown, store.shown.value.length, store.status.value?.total ?? 0)}
          </span>
          <button type="button" class="icon-button" title={words.clear} onClick={() => store.setFilter(everything)}>
            <Icon name="cross" />
            <span class="for-readers">{words.clear}</span>
          </button>
        </>
      ) : null}
    </div>
  );
}

function Choose<T extends string | undefined>(props: {
  readonly label: string;
  readonly any: string;
  readonly value: T;
  readonly options: readonly (readonly [value: T & string, label: string])[];
  readonly onChange: (value: T | undefined) => void;
}): JSX.Element {
  return (
    <select
      aria-label={props.label}
      title={props.label}
      class={props.value === undefined ? '' : 'set'}
      value={props.value ?? ''}
      onChange={event => props.onChange(props.options.find(([value]) => value === event.currentTarget.value)?.[0])}
    >
      <option value="">{props.any}</option>
      {props.options.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}
