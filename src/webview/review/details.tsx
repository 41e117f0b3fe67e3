import { nameOfPath } from '../../protocol/path-name.ts';
import type { ComponentChildren, JSX } from 'preact';
import { describeNewFile, describePersonMerge } from '../../protocol/row-choices.ts';
import type { ReviewRow } from '../../protocol/review.ts';
import type { ReviewStrings } from '../../protocol/review-strings.ts';
import type { MergePreview, PropertyChange } from '../../protocol/sync-result.ts';
import { Icon, Swatch } from './icons.tsx';
import { fill } from '../fill.ts';
import { formatReason } from './format-reason.ts';
import { effectOf, outcomeText, type Store } from './store.ts';
import { kindOf } from './row.tsx';
import { valueText } from '../../protocol/value-text.ts';

/** The details of the active change: both sides, the suggestion and its reason, the agent's request. */
export function Details(props: { readonly store: Store }): JSX.Element {
  const { store } = props;
  const { details } = store.strings;
  const active = store.active.value?.node.row;
  const height = store.detailsHeight.value;
  const row = active === undefined ? undefined : store.rows.now(active);
  return (
    <section
      class="details"
      aria-label={details.label}
      tabIndex={0}
      style={height === undefined ? undefined : { height: `${height}px` }}
    >
      {row === undefined ? <p class="quiet">{details.empty}</p> : <RowDetails store={store} row={row} />}
    </section>
  );
}

function RowDetails(props: { readonly store: Store; readonly row: ReviewRow }): JSX.Element {
  const { store, row } = props;
  const { strings } = store;
  const { details } = strings;
  const kind = kindOf(store, row);
  const twin = store.rows.twin(row);
  const { defaultSelection } = row;
  const newFile = describeNewFile(row, details);
  const isOpen = row.outcome === 'failed' || row.outcome === 'unknown';
  return (
    <>
      <header>
        <h2>
          <span class={`kind ${kind.icon}`}>
            <Icon name={kind.icon} />
          </span>
          {nameOfPath(row)} <span class="class-name">{row.className}</span>
        </h2>
        {row.hasSource ? (
          <button
            type="button"
            class="secondary"
            title={details.openDiffTooltip}
            onClick={() => store.openDiff(row.id)}
          >
            <Icon name="diff" />
            {details.openDiff}
          </button>
        ) : null}
      </header>
      <dl>
        {/* News first, because a low page cuts off the end. */}
        {row.isReopened ? (
          <Fact name={details.status}>
            <span class="hint warning">
              <Icon name="again" />
              {strings.reopenedExplanation}
            </span>
          </Fact>
        ) : null}
        {row.outcome === null ? null : (
          <Fact name={details.outcome}>
            <span class={isOpen ? 'hint warning' : ''}>
              {isOpen ? <Icon name="warning" /> : null}
              {outcomeText(store, row, row.outcome)}
            </span>
            {row.reason === null ? null : <span>{formatReason(store.strings, row.reason)}</span>}
          </Fact>
        )}
        <Fact name={details.kind}>{kind.explanation}</Fact>
        {twin === undefined ? null : (
          <Fact name={details.replaces}>
            <button type="button" class="link" title={details.showChange} onClick={() => store.reveal(twin.id)}>
              {strings.kinds[twin.patchType].name} {nameOfPath(twin)} {twin.className}
            </button>
          </Fact>
        )}
        {/* A record of Studio does not name files. */}
        {row.fsPath === null && store.status.value?.restore === 'studio' ? null : (
          <Fact name={details.file}>
            {row.fsPath === null ? null : <code>{row.fsPath}</code>}
            {row.fsPath !== null && newFile === undefined ? null : (
              <p class="quiet">{newFile ?? (row.patchType === 'Remove' ? details.noFile : details.inProjectFile)}</p>
            )}
          </Fact>
        )}
        {row.subtree === undefined ? null : <Contains name={details.contains} subtree={row.subtree} />}
        {row.side === 'unknown' ? null : <Fact name={details.side}>{strings.sides[row.side]}</Fact>}
        <Fact name={details.suggestion}>
          {defaultSelection === null ? strings.noDefault : strings.choices[defaultSelection]}
          {': '}
          {strings.reasons[row.defaultReason]}
          <p class="quiet">{row.explanation}</p>
        </Fact>
        {row.merge === undefined ? null : <MergeFact name={details.merge} merge={row.merge} strings={strings} />}
        <AgentFact store={store} row={row} />
        <Fact name={details.effect}>
          {row.choice === null ? strings.undecided : effectOf(store, row, row.choice)}
          <PersonMerge store={store} row={row} />
          <Follows store={store} row={row} />
          {row.isRestored ? <span class="quiet">{strings.restoredExplanation}</span> : null}
        </Fact>
      </dl>
      <Properties store={store} row={row} />
    </>
  );
}

const Fact = (props: { readonly name: string; readonly children: ComponentChildren }): JSX.Element => (
  <div class="fact">
    <dt>{props.name}</dt>
    <dd>{props.children}</dd>
  </div>
);

/** The instances that a push would remove together with the instance: all classes, and the first paths. */
function Contains(props: { readonly name: string; readonly subtree: NonNullable<ReviewRow['subtree']> }): JSX.Element {
  const { classes, count, listed } = props.subtree;
  const byClass = Object.entries(classes).toSorted(([, a], [, b]) => b - a);
  const isCut = listed.length < count - 1;
  return (
    <Fact name={props.name}>
      {byClass.map(([className, number]) => `${className} × ${number}`).join(', ')}
      <ul class="quiet">
        {listed.map(line => (
          <li key={line}>{line}</li>
        ))}
        {isCut ? <li>…</li> : null}
      </ul>
    </Fact>
  );
}

/** A person's merge, with the properties that it takes from disk: a merged text says nothing about them. */
function PersonMerge(props: { readonly store: Store; readonly row: ReviewRow }): JSX.Element | null {
  const { strings } = props.store;
  const { row } = props;
  const merged = describePersonMerge(row, strings);
  if (merged === undefined) return null;
  const properties = row.merge === undefined ? Object.keys(row.properties) : [];
  return (
    <>
      <span>{merged}</span>
      {properties.length === 0 ? null : (
        <span class="quiet">{fill(strings.details.mergeFromDisk, properties.join(', '))}</span>
      )}
    </>
  );
}

/** Explains a choice that follows another change, or a requested change that is still undecided. */
function Follows(props: { readonly store: Store; readonly row: ReviewRow }): JSX.Element | null {
  const { store } = props;
  const { follows, reason, outcome } = props.row;
  if (follows !== null)
    return (
      <button type="button" class="link" title={store.strings.followsExplanation} onClick={() => store.reveal(follows)}>
        {fill(store.strings.follows, store.path(follows) ?? follows)}
      </button>
    );
  return reason === null || outcome !== null ? null : <span class="quiet">{formatReason(store.strings, reason)}</span>;
}

/** The changes that a merge writes: the properties of each side, and the lines of the file that it changes. */
function MergeFact(props: {
  readonly name: string;
  readonly merge: MergePreview;
  readonly strings: ReviewStrings;
}): JSX.Element {
  const { fromDisk, fromStudio, preview } = props.merge;
  const { details } = props.strings;
  return (
    <Fact name={props.name}>
      {fromDisk.length === 0 ? null : <p>{fill(details.mergeFromDisk, fromDisk.join(', '))}</p>}
      {fromStudio.length === 0 ? null : <p>{fill(details.mergeFromStudio, fromStudio.join(', '))}</p>}
      {preview === undefined ? null : <pre>{preview}</pre>}
    </Fact>
  );
}

function AgentFact(props: { readonly store: Store; readonly row: ReviewRow }): JSX.Element | null {
  const { store, row } = props;
  const { override } = row;
  const { strings } = store;
  if (override === null) return null;
  const { agentAccept, agentAcceptTooltip, agentDecline, agentDeclineTooltip } = strings.details;
  const verdict = strings.verdicts[override.verdict];
  return (
    <Fact name={strings.details.agent}>
      <span class={override.verdict === 'accepted' ? 'hint agent' : 'hint warning'}>
        <Icon name={override.verdict === 'accepted' ? 'check' : 'warning'} />
        {strings.agentAsked[override.direction]} · {verdict.name}
      </span>
      <span class="quiet">{verdict.explanation}</span>
      {store.deciding.value ? (
        <span class="answers">
          <button
            type="button"
            class="quiet-button"
            title={fill(agentAcceptTooltip, effectOf(store, row, override.direction))}
            onClick={() => store.choose(row, override.direction)}
          >
            {agentAccept}
          </button>
          <button
            type="button"
            class="quiet-button"
            title={agentDeclineTooltip}
            onClick={() => store.choose(row, 'skip')}
          >
            {agentDecline}
          </button>
        </span>
      ) : null}
    </Fact>
  );
}

function Properties(props: { readonly store: Store; readonly row: ReviewRow }): JSX.Element | null {
  const { store, row } = props;
  const { details } = store.strings;
  const entries = Object.entries(row.properties);
  if (entries.length === 0) return null;
  return (
    <table>
      <caption>{details.properties}</caption>
      <thead>
        <tr>
          <th scope="col">{details.property}</th>
          <th scope="col">{details.inStudio}</th>
          <th scope="col">{details.onDisk}</th>
        </tr>
      </thead>
      <tbody>
        {entries.map(([name, change]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <Value store={store} value={change.current} name={row.enumNames?.[name]?.current} />
            <Value store={store} value={change.incoming} name={row.enumNames?.[name]?.incoming} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Value(props: {
  readonly store: Store;
  readonly value: PropertyChange['current'];
  /** The name of an enum item. */
  readonly name: string | undefined;
}): JSX.Element {
  const { store } = props;
  if (props.value === undefined)
    return (
      <td>
        <span class="quiet">{store.strings.details.noValue}</span>
      </td>
    );
  const { text, type, color, reference } = valueText(props.value);
  return (
    <td title={type}>
      {color === undefined ? null : <Swatch color={color} />}
      {reference === undefined ? <code>{props.name ?? text}</code> : <Reference store={store} id={reference} />}
    </td>
  );
}

/** A reference to an instance: its path if known, as a link if it has a line. */
function Reference(props: { readonly store: Store; readonly id: string }): JSX.Element {
  const { store, id } = props;
  const path = store.path(id);
  if (path === undefined || store.rows.byId(id) === undefined) return <code>{path ?? id}</code>;
  return (
    <button type="button" class="link" title={store.strings.details.showChange} onClick={() => store.reveal(id)}>
      {path}
    </button>
  );
}
