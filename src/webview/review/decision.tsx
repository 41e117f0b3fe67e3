import type { JSX } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { Icon } from './icons.tsx';
import { count, type Store } from './store.ts';

/**
 * The summary with Apply and Reject; after the review, its outcome. Above the list, because VS Code shows notifications at the bottom right, over
 * the page: in a narrow window they take its full width.
 */
export function Decision(props: { readonly store: Store }): JSX.Element | null {
  const { store } = props;
  const { strings } = store;
  const status = store.status.value;
  useLayoutEffect(() => {
    const apply = (event: KeyboardEvent): void => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      // The next step of the person is whatever blocks Apply.
      if ((store.status.value?.undecided ?? 0) > 0) store.moveTo(store.nextUndecided());
      else if (store.settled.value) store.apply();
    };
    window.addEventListener('keydown', apply);
    return () => window.removeEventListener('keydown', apply);
  }, [store]);
  if (status === undefined) return null;
  const { undecided } = status;
  const blocked =
    undecided > 0
      ? count(undecided, strings.applyBlockedOne, strings.applyBlockedMany)
      : status.comparing
        ? strings.comparing
        : undefined;
  return (
    <section class="decision" aria-label={strings.decision}>
      <Failure store={store} />
      {status.phase === 'deciding' ? (
        <div class="decide">
          <p id="summary" aria-live="polite">
            {status.summary}
            {undecided > 0 ? (
              <button type="button" class="link" onClick={() => store.moveTo(store.nextUndecided())}>
                {strings.nextUndecided}
              </button>
            ) : null}
          </p>
          <div class="buttons">
            <button type="button" class="secondary" title={strings.rejectTooltip} onClick={() => store.reject()}>
              {strings.reject}
            </button>
            <button
              type="button"
              class="primary"
              disabled={blocked !== undefined || !store.settled.value}
              aria-describedby="summary"
              title={blocked ?? strings.applyTooltip}
              onClick={() => store.apply()}
            >
              {strings.apply}
            </button>
          </div>
        </div>
      ) : (
        <p class="outcome" role="status">
          {status.phase === 'applying' ? strings.applying : (status.outcome ?? strings.ended)}
        </p>
      )}
    </section>
  );
}

function Failure(props: { readonly store: Store }): JSX.Element | null {
  const { failure, strings } = props.store;
  if (failure.value === undefined) return null;
  return (
    <div class="failure" role="alert">
      <Icon name="warning" />
      <span>{failure.value}</span>
      <button
        type="button"
        class="icon-button"
        title={strings.dismiss}
        aria-label={strings.dismiss}
        onClick={() => (failure.value = undefined)}
      >
        <Icon name="cross" />
      </button>
    </div>
  );
}
