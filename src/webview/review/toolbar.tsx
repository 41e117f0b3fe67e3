import type { JSX } from 'preact';
import { FilterBar } from './filter-bar.tsx';
import { Icon } from './icons.tsx';
import { fill } from '../fill.ts';
import { count, type Store } from './store.ts';

/** The header: requester, counts, filters and bulk choices. */
export function Toolbar(props: { readonly store: Store }): JSX.Element {
  const { store } = props;
  const { strings, deciding } = store;
  const { bulk } = strings;
  const status = store.status.value;
  const undecided = status?.undecided ?? 0;
  const all = !store.filtered.value;
  const bySide = [
    {
      label: all ? bulk.push : bulk.pushShown,
      tooltip: bulk.pushTooltip,
      act: () => store.chooseAll(store.shown.value, 'push'),
    },
    {
      label: all ? bulk.pull : bulk.pullShown,
      tooltip: bulk.pullTooltip,
      act: () => store.chooseAll(store.shown.value, 'pull'),
    },
  ];
  const buttons = [
    { label: bulk.defaults, tooltip: bulk.defaultsTooltip, act: () => store.chooseDefaults() },
    ...(status?.restore === undefined ? bySide : []),
    { label: bulk.skip, tooltip: bulk.skipTooltip, act: () => store.skipUndecided() },
  ];
  return (
    <header class="toolbar">
      <div class="heading">
        <h1>{status?.placeName}</h1>
        <p class="quiet">
          {fill(deciding.value ? strings.requestedBy : strings.wasRequestedBy, status?.requestedBy ?? '')}
        </p>
      </div>
      <p class="counts" role="status" aria-live="polite">
        {count(status?.total ?? 0, strings.changesOne, strings.changesMany)}
        {status?.total === 0 ? null : (
          <>
            {' · '}
            <strong class={undecided > 0 ? 'open' : ''}>
              {undecided === 0 ? strings.allDecided : count(undecided, strings.undecidedOne, strings.undecidedMany)}
            </strong>
          </>
        )}
        {store.note.value === undefined ? null : <span class="note">{store.note.value}</span>}
      </p>
      <FilterBar store={store} />
      <div class="bulk" role="toolbar" aria-label={bulk.label}>
        {buttons.map(button => (
          <button
            key={button.label}
            type="button"
            class="quiet-button"
            title={button.tooltip}
            disabled={!deciding.value}
            onClick={button.act}
          >
            {button.label}
          </button>
        ))}
        <button
          type="button"
          class="quiet-button compare-again"
          title={strings.refreshTooltip}
          disabled={!deciding.value || status?.comparing === true}
          onClick={() => store.refresh()}
        >
          <Icon name="again" />
          <span class="label">{status?.comparing === true ? strings.comparing : strings.refresh}</span>
        </button>
      </div>
    </header>
  );
}
