import { render, type JSX } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import type { ReviewPageStrings } from '../../protocol/review-strings.ts';
import { type EditorConnection, connectToEditor } from './editor-connection.ts';
import { Details } from './details.tsx';
import { Decision } from './decision.tsx';
import { Sash } from './sash.tsx';
import { createStore } from './store.ts';
import { Toolbar } from './toolbar.tsx';
import { Tree } from './tree.tsx';
import { Untracked } from './untracked.tsx';
import { Warnings } from './warnings.tsx';

function Review(props: {
  readonly store: ReturnType<typeof createStore>;
  readonly onLaidOut: (revision: number) => void;
}): JSX.Element {
  const { store } = props;
  const status = store.status.value;
  useLayoutEffect(() => {
    if (status !== undefined) props.onLaidOut(status.revision);
  }, [status]);
  if (store.endedReview.value !== undefined) return <EndedReview store={store} />;
  if (status === undefined) return <p class="loading">{store.strings.loading}</p>;
  // Without any, the summary says so.
  const hasChanges = status.total > 0;
  return (
    <>
      {status.phase === 'applying' || status.comparing ? <div class="progress" /> : null}
      <Toolbar store={store} />
      <Decision store={store} />
      <Warnings store={store} />
      {hasChanges ? (
        <>
          <Tree store={store} />
          <Sash store={store} />
          <Details store={store} />
        </>
      ) : null}
      {status.phase === 'deciding' ? <Untracked store={store} /> : null}
    </>
  );
}

/** The outcome of a review that is not in this window, with a button for a new review once that is possible. */
function EndedReview(props: { readonly store: ReturnType<typeof createStore> }): JSX.Element {
  const ended = props.store.endedReview.value;
  return (
    <div class="ended-review" aria-live="polite">
      <h1>{ended?.title}</h1>
      <p>{ended?.text}</p>
      {ended?.again ? (
        <button type="button" class="primary" onClick={() => props.store.reviewAgain()}>
          {props.store.strings.endedReview.again}
        </button>
      ) : null}
    </div>
  );
}

/** Reports after the second frame. A hidden page gets no frames, so it reports after a forced layout. */
function reportRendered(editor: EditorConnection, page: HTMLElement, revision: number): void {
  const report = (): void => {
    if (page.getBoundingClientRect().height > 0) editor.send({ kind: 'rendered', revision });
  };
  if (document.hidden) report();
  else requestAnimationFrame(() => requestAnimationFrame(report));
}

function start(): void {
  const page = document.getElementById('app');
  const texts = document.getElementById('strings')?.textContent;
  if (page === null || texts === undefined) throw new Error('the page has no #app or no #strings');
  const editor = connectToEditor();
  // Written by the extension of the same build.
  const strings = JSON.parse(texts) as ReviewPageStrings;
  const store = createStore(editor, strings, page.dataset['storage'] ?? '');
  render(<Review store={store} onLaidOut={revision => reportRendered(editor, page, revision)} />, page);
  editor.send({ kind: 'ready', runId: editor.load()?.runId });
}

start();
