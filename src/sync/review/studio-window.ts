import { AppError } from '../../base/errors.ts';
import { DisposableStore } from '../../base/disposable-store.ts';
import type { Clock } from '../../ports/clock.ts';
import { logFailure } from '../../ports/log-failure.ts';
import type { Logger } from '../../ports/logger.ts';
import type { ReviewControl } from '../../ports/review-surface.ts';
import { isDeletion } from '../../protocol/deletion.ts';
import { MAX_STUDIO_REVIEW } from '../../protocol/limits.ts';
import { choicesOf, commonChoices, describeNewFile, describePersonMerge } from '../../protocol/row-choices.ts';
import { reasonText } from '../../protocol/reason.ts';
import type { ReviewRow } from '../../protocol/review.ts';
import type { ReviewStrings } from '../../protocol/review-strings.ts';
import type { ReviewFromPlugin, ReviewShown, StudioReviewRow } from '../../protocol/studio/review.ts';
import { describeProperty } from '../../protocol/value-text.ts';
import { diffLines } from '../../review/diff-lines.ts';
import { englishStringsOf } from '../../review/english-strings.ts';
import type { ReviewChannel, StudioDirectory } from '../../studio/studio-link.ts';
import type { SyncEngine } from '../sync-engine.ts';

interface StudioWindowDeps {
  readonly clock: Clock;
  readonly log: Logger;
}

/** Delay of an update, so that one click or one save causes one message. */
const QUIET_MS = 30;

/**
 * Shows the review of the current run in the window of its Studio's plugin too. The first surface that answers decides; the others close,
 * because all of them follow the same review.
 */
export function followReviewsInStudio(
  engine: Pick<SyncEngine, 'current' | 'onDidChange'>,
  studios: Pick<StudioDirectory, 'all' | 'onDidChange'>,
  deps: StudioWindowDeps,
): Disposable {
  const store = new DisposableStore();
  let shown: { readonly review: ReviewControl; readonly channel: ReviewChannel; readonly end: Disposable } | undefined;
  const close = (): void => {
    shown?.end[Symbol.dispose]();
    shown = undefined;
  };
  const follow = (): void => {
    const run = engine.current();
    const review = run?.review();
    const isDeciding = review?.status().phase === 'deciding';
    const link = studios.all().find(({ handle }) => handle === run?.studio());
    if (review === undefined || !isDeciding || link?.review === undefined) return close();
    if (shown?.review === review && shown.channel === link.review) return;
    close();
    shown = { review, channel: link.review, end: showInStudio(review, link.review, deps) };
  };
  store.add(engine.onDidChange(follow));
  store.add(studios.onDidChange(follow));
  store.defer(close);
  follow();
  return store;
}

/** Shows one review in the window of a plugin until it is decided or disposed. */
function showInStudio(review: ReviewControl, channel: ReviewChannel, { clock, log }: StudioWindowDeps): Disposable {
  const store = new DisposableStore();
  const { runId } = review.status();
  const strings = englishStringsOf(review.status());
  /** The version of each row that the window shows, and the revision since which it shows that version. */
  const shown = new Map<string, { readonly version: number | undefined; readonly since: number }>();
  let note = '';
  let isClosed = false;
  let cancelTimer = (): void => {};

  const send = (): void => {
    if (isClosed) return;
    const message = toMessage(review, strings, note);
    for (const { id } of message.rows) {
      const version = review.version(id);
      if (shown.get(id)?.version !== version) shown.set(id, { version, since: message.revision });
    }
    channel.send(message);
  };
  const schedule = (): void => {
    cancelTimer();
    cancelTimer = clock.after(QUIET_MS, send);
  };
  const end = (): void => {
    if (isClosed) return;
    isClosed = true;
    cancelTimer();
    channel.send({ type: 'reviewClosed', runId });
  };
  /** Whether the row is as the person saw it at `revision`. */
  const isSeen = (id: string, revision: number): boolean => {
    const known = shown.get(id);
    return known !== undefined && known.version === review.version(id) && known.since <= revision;
  };

  const choose = ({ revision, id, choice }: Extract<ReviewFromPlugin, { type: 'reviewChoice' }>): void => {
    const { rows } = review.snapshot();
    const wanted =
      id === undefined
        ? rows.filter(row => choice !== 'skip' || row.choice === null)
        : rows.filter(row => row.id === id);
    const chosen = id === undefined ? wanted.filter(row => !isDeletion(row.patchType, choice)) : wanted;
    const seen = chosen.filter(row => isSeen(row.id, revision));
    const left = wanted.length - chosen.length;
    const { deletionsLeftOne, deletionsLeftMany } = strings.bulk;
    if (seen.length < chosen.length || (id !== undefined && seen.length === 0)) note = strings.reopenedExplanation;
    else if (left > 0) note = left === 1 ? deletionsLeftOne : fill(deletionsLeftMany, left);
    if (seen.length > 0)
      review.choose(
        seen.map(row => row.id),
        choice,
      );
  };
  const showText = async (id: string): Promise<void> => {
    const all = diffLines(await review.texts(id)).map(line => cut(line, MAX_STUDIO_REVIEW.lineLength));
    const lines = all.slice(0, MAX_STUDIO_REVIEW.lines);
    if (!isClosed)
      channel.send({ type: 'reviewText', runId, id, lines: lines.length < all.length ? [...lines, '…'] : lines });
  };
  const carryOut = async (pressed: ReviewFromPlugin): Promise<void> => {
    if (pressed.runId !== runId || isClosed) return;
    note = '';
    try {
      if (pressed.type === 'reviewChoice') choose(pressed);
      else if (pressed.type === 'reviewShowText') return await showText(pressed.id);
      else if (pressed.decision === 'apply') review.apply(pressed.revision);
      else review.reject(pressed.revision);
    } catch (error) {
      logFailure(log, 'a request from the window of Studio failed', error);
      note = AppError.from(error).message;
    }
    schedule();
  };

  store.add(channel.onMessage(pressed => void carryOut(pressed)));
  store.add(
    review.onDidChange(({ status }) => {
      if (status.phase === 'deciding') schedule();
      else end();
    }),
  );
  store.defer(end);
  send();
  return store;
}

function toMessage(review: ReviewControl, strings: ReviewStrings, note: string): ReviewShown {
  const { rows, ...status } = review.snapshot();
  const { restore, total, undecided } = status;
  const counts = [
    fill(total === 1 ? strings.changesOne : strings.changesMany, total),
    undecided === 0
      ? strings.allDecided
      : fill(undecided === 1 ? strings.undecidedOne : strings.undecidedMany, undecided),
  ];
  // Undecided rows must be among the shown ones.
  const ordered =
    rows.length > MAX_STUDIO_REVIEW.rows
      ? rows.toSorted((a, b) => Number(b.choice === null) - Number(a.choice === null))
      : rows;
  const moreRows = Math.max(0, rows.length - MAX_STUDIO_REVIEW.rows);
  const { bulk } = strings;
  const bulkLabels = { push: bulk.push, pull: bulk.pull, skip: bulk.skip };
  return {
    type: 'review',
    runId: status.runId,
    revision: status.revision,
    title: `${strings.title}: ${status.placeName}`,
    summary: [
      fill(strings.requestedBy, status.requestedBy),
      `${counts.join(', ')}.`,
      status.comparing ? strings.comparing : status.summary,
    ].join('\n'),
    note,
    rows: ordered.slice(0, MAX_STUDIO_REVIEW.rows).map(row => toStudioRow(row, strings, restore)),
    moreRows,
    canApply: undecided === 0 && !status.comparing,
    words: {
      choices: strings.choices,
      bulk: commonChoices(restore).map(choice => ({
        choice,
        label: restore !== undefined && choice !== 'skip' ? bulk.defaults : bulkLabels[choice],
      })),
      apply: strings.apply,
      reject: strings.reject,
      undecided: strings.undecided,
      showText: strings.details.openDiff,
      more: fill('{0} more changes. Decide these first, or open the review in VS Code.', moreRows),
    },
  };
}

function toStudioRow(
  row: ReviewRow,
  strings: ReviewStrings,
  restore: Parameters<typeof choicesOf>[1],
): StudioReviewRow {
  const { details } = strings;
  const suggestion = row.defaultSelection === null ? strings.noDefault : strings.choices[row.defaultSelection];
  const effect = row.choice === null ? undefined : strings.effects[row.patchType][row.choice];
  const merged = describePersonMerge(row, strings);
  const hint = row.isReopened ? strings.reopened : `${suggestion}: ${strings.reasons[row.defaultReason]}`;
  const lines = [
    strings.kinds[row.patchType].explanation,
    ...(row.reason === null ? [] : [reasonText(row.reason)]),
    ...(row.override === null
      ? []
      : [`${strings.agentAsked[row.override.direction]} · ${strings.verdicts[row.override.verdict].name}`]),
    ...fileLine(row, details),
    ...Object.entries(row.properties).map(([name, change]) => describeProperty(name, change, details)),
    ...(row.subtree === undefined ? [] : [`${details.contains}: ${row.subtree.listed.slice(0, 5).join(', ')}`]),
    ...(effect === undefined ? [] : [`${details.effect}: ${effect}`]),
    ...(merged === undefined ? [] : [merged]),
  ];
  return {
    id: row.id,
    title: cut(`${strings.kinds[row.patchType].name} ${row.path} (${row.className})`, MAX_STUDIO_REVIEW.lineLength),
    hint,
    details: lines.slice(0, MAX_STUDIO_REVIEW.details).map(line => cut(line, MAX_STUDIO_REVIEW.lineLength)),
    choices: choicesOf(row, restore),
    choice: row.choice,
    hasText: row.hasSource,
  };
}

function fileLine(row: ReviewRow, details: ReviewStrings['details']): readonly string[] {
  const parts = [row.fsPath, describeNewFile(row, details)].filter(part => part != null);
  return parts.length === 0 ? [] : [`${details.file}: ${parts.join('. ')}`];
}

/** Cuts the text to `length` characters on one line. Line breaks become spaces, because names can contain them. */
function cut(text: string, length: number): string {
  const line = text.replaceAll(/[\r\n]+/g, ' ');
  return line.length <= length ? line : `${line.slice(0, length - 1)}…`;
}

const fill = (template: string, value: string | number): string => template.replace('{0}', String(value));
