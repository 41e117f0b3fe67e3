import { signal, type Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { Choice } from '../../protocol/sync-request.ts';
import { everything } from './row-filter.ts';
import { handleTreeKey } from './keyboard.ts';
import { lineId, Row } from './row.tsx';
import type { Store } from './store.ts';
import { drawnLines } from './virtual-lines.ts';

/** The scroll position and sizes of the list, in pixels. */
interface View {
  readonly top: Signal<number>;
  readonly height: Signal<number>;
  readonly rowHeight: Signal<number>;
}

/** The changes as an ARIA treegrid. Only visible lines are rendered. */
export function Tree(props: { readonly store: Store }): JSX.Element {
  const { store } = props;
  const { columns, tree } = store.strings;
  const list = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const view = useMemo<View>(() => ({ top: signal(0), height: signal(800), rowHeight: signal(28) }), []);
  const runId = store.status.value?.runId;

  useLayoutEffect(() => {
    const scroller = list.current;
    if (scroller === null) return undefined;
    const measure = (): void => {
      view.height.value = scroller.clientHeight;
      // The line height depends on the user's font size, so measure it.
      view.rowHeight.value = head.current?.offsetHeight || view.rowHeight.value;
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(scroller);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    if (list.current === null) return;
    list.current.scrollTop = store.scrollTop();
    view.top.value = list.current.scrollTop;
  }, [runId]);

  return (
    <div
      class="tree"
      style={{
        '--choices': `${choicesWidth(store.strings.choices, store.hasMerges.value)}em`,
      }}
      ref={list}
      role="treegrid"
      aria-label={tree}
      aria-rowcount={store.lines.value.length + 1}
      onKeyDown={event => handleTreeKey(store, event, Math.floor(view.height.value / view.rowHeight.value) - 2)}
      onScroll={event => {
        view.top.value = event.currentTarget.scrollTop;
        store.scrolled(event.currentTarget.scrollTop);
      }}
    >
      <div class="head" role="row" ref={head} aria-rowindex={1}>
        <span class="cell" role="columnheader">
          {columns.change}
        </span>
        <span class="cell suggestion" role="columnheader">
          {store.status.value?.phase === 'ended' ? columns.outcome : columns.suggestion}
        </span>
        <span class="cell choices" role="columnheader">
          {columns.choice}
        </span>
      </div>
      <Lines store={store} view={view} list={list} />
      <NothingShown store={store} />
    </div>
  );
}

/** Says that the filters hide every change. */
function NothingShown({ store }: { readonly store: Store }): JSX.Element | null {
  const { filter } = store.strings;
  if (!store.filtered.value || store.shown.value.length > 0) return null;
  return (
    <div class="nothing" role="row">
      <span role="gridcell">
        {filter.nothing}{' '}
        <button type="button" class="link" onClick={() => store.setFilter(everything)}>
          {filter.clear}
        </button>
      </span>
    </div>
  );
}

/** The width of the choice column, in em, for the translated labels. Lines are laid out separately, so they cannot share a grid column. */
function choicesWidth({ merge, ...labels }: Readonly<Record<Choice, string>>, hasMerges: boolean): number {
  const width = 9.5 + Object.values(labels).join('').length * 0.5;
  return hasMerges ? width + 3.2 + merge.length * 0.5 : width;
}

function Lines(props: {
  readonly store: Store;
  readonly view: View;
  readonly list: { readonly current: HTMLDivElement | null };
}): JSX.Element {
  const { store, view } = props;
  const lines = store.lines.value;
  const rowHeight = view.rowHeight.value;
  const active = store.active.value;
  const activeIndex = active === undefined ? undefined : store.indexOf(active.node.key);
  const request = store.focusRequest.value;

  useLayoutEffect(() => {
    const scroller = props.list.current;
    if (request === 0 || active === undefined || activeIndex === undefined || scroller === null) return;
    document.getElementById(lineId(active))?.focus({ preventScroll: true });
    // The sticky header covers one line at the top.
    const above = activeIndex * rowHeight;
    const below = above + 2 * rowHeight - scroller.clientHeight;
    if (scroller.scrollTop > above) scroller.scrollTop = above;
    else if (scroller.scrollTop < below) scroller.scrollTop = below;
  }, [request]);

  const drawn = drawnLines(lines.length, view.top.value, view.height.value, rowHeight, activeIndex);
  return (
    <div class="lines" role="rowgroup" style={{ height: `${lines.length * rowHeight}px` }}>
      {drawn.map(index => {
        const line = lines[index];
        if (line === undefined) return null;
        const place = { index, top: index * rowHeight };
        return <Row key={line.node.key} store={store} line={line} place={place} isActive={index === activeIndex} />;
      })}
    </div>
  );
}
