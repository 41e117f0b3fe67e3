import { nameOfPath } from '../../protocol/path-name.ts';
import type { JSX } from 'preact';
import { isDeletion, restoringDirection } from '../../protocol/deletion.ts';
import { choicesOf, commonChoices, describePersonMerge } from '../../protocol/row-choices.ts';
import type { RestoredSide, ReviewRow } from '../../protocol/review.ts';
import type { Choice } from '../../protocol/sync-request.ts';
import type { PatchType } from '../../protocol/sync-result.ts';
import { ChoiceControl } from './choice-control.tsx';
import { Icon, type IconName } from './icons.tsx';
import { fill } from '../fill.ts';
import { formatReason } from './format-reason.ts';
import { count, effectOf, outcomeText, type Store } from './store.ts';
import { commonChoice, type TreeLine } from './tree-model.ts';

/** Width of one level in `em`, as in tree.css. */
const LEVEL_EM = 0.7;
/** Deeper lines are not indented further, so that their names stay visible. */
const MAX_INDENTED_LEVELS = 30;

export const lineId = (line: TreeLine): string => `line-${line.node.key}`;
const choiceKeys: Readonly<Record<Choice, string>> = { push: 'P', pull: 'L', merge: 'M', skip: 'S' };

/** One line of the tree: the change, the suggestion with its reason, and the choice. */
export function Row(props: {
  readonly store: Store;
  readonly line: TreeLine;
  /** `index` among all lines, from 0; `top` in pixels. */
  readonly place: { readonly index: number; readonly top: number };
  readonly isActive: boolean;
}): JSX.Element {
  const { store, line, isActive, place } = props;
  const { names } = line.node;
  const row = line.node.row === undefined ? undefined : store.rows.now(line.node.row);
  const counts = row === undefined ? groupCounts(store, line.node) : [];
  return (
    <div
      id={lineId(line)}
      style={{ transform: `translateY(${place.top}px)` }}
      aria-rowindex={place.index + 2}
      class={`row ${row === undefined ? 'group' : 'change'} ${row?.choice === null ? 'is-undecided' : ''}`}
      role="row"
      aria-level={line.level}
      aria-posinset={line.position}
      aria-setsize={line.siblings}
      aria-expanded={line.expanded}
      aria-selected={isActive}
      aria-label={row === undefined ? [names.join(' / '), ...counts].join(', ') : rowLabel(store, line, row)}
      tabIndex={isActive ? 0 : -1}
      onFocusIn={() => store.activate(line.node.key)}
      onClick={event => {
        // A click on a control belongs to the control, whose focus makes the line active.
        const inControl = event.target instanceof Element && event.target.closest('.choice') !== null;
        if (!inControl) store.moveTo(line);
      }}
      onDblClick={() => {
        if (row?.hasSource === true) store.openDiff(row.id);
      }}
    >
      <div class="cell name" role="gridcell">
        <span class="indent" style={{ width: `${Math.min(line.level - 1, MAX_INDENTED_LEVELS) * LEVEL_EM}em` }} />
        <Twistie store={store} line={line} />
        {row === undefined ? null : <KindIcon store={store} row={row} />}
        <span class="text" title={line.node.path.replaceAll('/', ' / ')}>
          {names.map((name, index) => (
            <span key={index}>
              {index === 0 ? null : <span class="separator"> / </span>}
              {name}
            </span>
          ))}
        </span>
        {row === undefined ? (
          <span class="class-name">{counts.join(' · ')}</span>
        ) : (
          <span class="class-name">{row.className}</span>
        )}
      </div>
      <div class="cell suggestion" role="gridcell">
        {row === undefined ? null : <Suggestion store={store} row={row} />}
      </div>
      <div class="cell choices" role="gridcell">
        <RowChoice store={store} line={line} isActive={isActive} />
      </div>
    </div>
  );
}

const iconOf = (kind: PatchType, restored: RestoredSide | undefined): IconName => {
  if (restored === undefined || kind === 'Edit') return kind;
  return isDeletion(kind, restoringDirection(restored)) ? 'Delete' : 'Add';
};

/** The name, explanation and icon of the kind of change. */
export function kindOf(
  { strings, rows, status }: Store,
  row: ReviewRow,
): { readonly name: string; readonly explanation: string; readonly icon: IconName } {
  const twin = rows.twin(row);
  if (twin === undefined)
    return { ...strings.kinds[row.patchType], icon: iconOf(row.patchType, status.value?.restore) };
  const [inStudio, onDisk] = row.patchType === 'Remove' ? [row, twin] : [twin, row];
  const { name, explanation } = strings.replace;
  return { name, explanation: fill(explanation, inStudio.className, onDisk.className), icon: 'replace' };
}

function rowLabel(store: Store, { node }: TreeLine, row: ReviewRow): string {
  const { strings } = store;
  const name = node.names.join(' / ');
  const { className, choice, isReopened, isRestored } = row;
  const merged = describePersonMerge(row, strings);
  const chosen = choice === null ? strings.undecided : strings.choices[choice];
  const decision = merged === undefined ? chosen : `${chosen}, ${merged}`;
  return `${kindOf(store, row).name} ${name} ${className}, ${decision}${isReopened ? `, ${strings.reopened}` : isRestored ? `, ${strings.restored}` : ''}`;
}

/** The number of changes in a group, and of the undecided ones. */
function groupCounts({ strings, rows: { now } }: Store, { rows }: TreeLine['node']): readonly string[] {
  const open = rows.reduce((sum, row) => sum + (now(row).choice === null ? 1 : 0), 0);
  const all = count(rows.length, strings.changesOne, strings.changesMany);
  return open === 0 ? [all] : [all, count(open, strings.undecidedOne, strings.undecidedMany)];
}

function Twistie(props: { readonly store: Store; readonly line: TreeLine }): JSX.Element {
  const { expanded } = props.line;
  if (expanded === undefined) return <span class="twistie" />;
  return (
    <span
      class={`twistie ${expanded ? 'open' : ''}`}
      onClick={event => {
        event.stopPropagation();
        props.store.setExpanded(props.line, !expanded);
      }}
    >
      <Icon name="chevron" />
    </span>
  );
}

function KindIcon(props: { readonly store: Store; readonly row: ReviewRow }): JSX.Element {
  const kind = kindOf(props.store, props.row);
  return (
    <span class={`kind ${kind.icon}`} title={kind.explanation}>
      <Icon name={kind.icon} />
      <span class="kind-name">{kind.name}</span>
    </span>
  );
}

/** The outcome after the review; before, the most important hint: a changed side, an agent's request, or the suggestion. */
function Suggestion(props: { readonly store: Store; readonly row: ReviewRow }): JSX.Element {
  const { strings } = props.store;
  const { override, defaultSelection, defaultReason, outcome, reason, isReopened, isRestored, follows, choice } =
    props.row;
  if (outcome !== null) {
    const isOpen = outcome === 'failed' || outcome === 'unknown';
    return (
      <span
        class={`hint ${isOpen ? 'warning' : ''}`}
        title={reason === null ? outcomeText(props.store, props.row, outcome) : formatReason(strings, reason)}
      >
        <Icon name={isOpen ? 'warning' : outcome === 'skipped' ? 'skip' : 'check'} />
        <span class="text">
          {outcomeText(props.store, props.row, outcome)}
          {isOpen && reason !== null ? ` · ${formatReason(strings, reason)}` : ''}
        </span>
      </span>
    );
  }
  if (isReopened)
    return (
      <span class="hint warning" title={strings.reopenedExplanation}>
        <Icon name="again" />
        <span class="text">{strings.reopened}</span>
      </span>
    );
  const merged = describePersonMerge(props.row, strings);
  if (merged !== undefined)
    return (
      <span class="hint" title={isRestored ? strings.restoredExplanation : merged}>
        <Icon name="merge" />
        <span class="text">{merged}</span>
      </span>
    );
  if (isRestored)
    return (
      <span class="hint" title={strings.restoredExplanation}>
        <Icon name="check" />
        <span class="text">{strings.restored}</span>
      </span>
    );
  if (follows !== null)
    return (
      <span class="hint" title={strings.followsExplanation}>
        <Icon name="link" />
        <span class="text">{fill(strings.follows, nameOf(props.store, follows))}</span>
      </span>
    );
  if (choice === null && reason !== null && override === null)
    return (
      <span class="hint warning" title={formatReason(strings, reason)}>
        <Icon name="warning" />
        <span class="text">{formatReason(strings, reason)}</span>
      </span>
    );
  if (override !== null) {
    const verdict = strings.verdicts[override.verdict];
    const accepted = override.verdict === 'accepted';
    return (
      <span class={`hint ${accepted ? 'agent' : 'warning'}`} title={verdict.explanation}>
        <Icon name={accepted ? 'agent' : 'warning'} />
        <span class="text">
          {strings.agentAsked[override.direction]} · {verdict.name}
        </span>
      </span>
    );
  }
  const direction = defaultSelection === null ? strings.noDefault : strings.choices[defaultSelection];
  return (
    <span class="hint" title={strings.reasons[defaultReason]}>
      <span class="text">
        {direction} · {strings.reasons[defaultReason]}
      </span>
    </span>
  );
}

/** The name of the instance of a change. */
const nameOf = (store: Store, id: string): string => nameOfPath(store.rows.byId(id) ?? { path: store.path(id) ?? id });

function RowChoice(props: {
  readonly store: Store;
  readonly line: TreeLine;
  readonly isActive: boolean;
}): JSX.Element | null {
  const { store, line, isActive } = props;
  const { strings } = store;
  const { rows, path } = line.node;
  const row = line.node.row === undefined ? undefined : store.rows.now(line.node.row);
  const shared = {
    name: `choice-${line.node.key}`,
    labels: strings.choices,
    reachable: isActive,
    disabled: !store.deciding.value,
  };
  if (row === undefined && shared.disabled) return null;
  if (row === undefined)
    return (
      <ChoiceControl
        {...shared}
        choices={commonChoices(store.status.value?.restore)}
        tooltip={choice => fill(strings.choiceTooltip, strings.groupEffects[choice], choiceKeys[choice])}
        label={fill(strings.choiceForGroup, path, rows.length)}
        value={commonChoice(rows.map(store.rows.now)) ?? undefined}
        onChoose={choice => store.chooseAll(rows, choice)}
      />
    );
  const isDeleting = row.choice !== null && isDeletion(row.patchType, row.choice);
  return (
    <>
      <Mark store={store} row={row} />
      {isDeleting ? (
        <span class="deletes" title={effectOf(store, row, row.choice)}>
          <Icon name="warning" />
        </span>
      ) : null}
      <ChoiceControl
        {...shared}
        choices={choicesOf(row, store.status.value?.restore)}
        tooltip={choice => fill(strings.choiceTooltip, effectOf(store, row, choice), choiceKeys[choice])}
        label={fill(row.choice === null ? `${strings.choiceFor} (${strings.undecided})` : strings.choiceFor, path)}
        value={row.choice}
        onChoose={choice => store.choose(row, choice)}
      />
    </>
  );
}

/** An icon that replaces the suggestion's text in narrow groups. */
function Mark(props: { readonly store: Store; readonly row: ReviewRow }): JSX.Element | null {
  const { strings } = props.store;
  const { isReopened, follows, isRestored } = props.row;
  const mark = (name: IconName, title: string, kind = ''): JSX.Element => (
    <span class={`mark ${kind}`} title={title}>
      <Icon name={name} />
    </span>
  );
  if (isReopened) return mark('again', strings.reopenedExplanation, 'warning');
  if (follows !== null) return mark('link', fill(strings.follows, nameOf(props.store, follows)));
  return isRestored ? mark('check', strings.restoredExplanation) : null;
}
