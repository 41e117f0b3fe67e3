import { reasonText } from '../../protocol/reason.ts';
import { AppError } from '../../base/errors.ts';
import type { ReviewControl } from '../../ports/review-surface.ts';
import { isDeletion } from '../../protocol/deletion.ts';
import { choicesOf, commonChoices, describeNewFile, describePersonMerge } from '../../protocol/row-choices.ts';
import type { ReviewRow, ReviewSnapshot } from '../../protocol/review.ts';
import type { ReviewStrings } from '../../protocol/review-strings.ts';
import type { Choice } from '../../protocol/sync-request.ts';
import { describeProperties } from '../../protocol/value-text.ts';
import { diffLines } from '../../review/diff-lines.ts';
import { fit, wrap } from './screen-text.ts';
import type { Key } from './terminal.ts';
import { safeTerminalLine } from '../../base/safe-text.ts';

/** The side that has the instance, short enough for a column. The details have the full name. */
const sideWords = { Add: 'Disk', Remove: 'Studio', Edit: 'Both' } as const;

/** The keys of the review page in VS Code. An upper-case letter decides all rows. */
const choiceByKey: Readonly<Record<string, Choice>> = {
  p: 'push',
  l: 'pull',
  m: 'merge',
  s: 'skip',
  1: 'pull',
  2: 'skip',
  3: 'push',
};
const bulkByKey: Readonly<Record<string, Choice>> = { P: 'push', L: 'pull', S: 'skip' };
const suggestions: readonly Choice[] = ['push', 'pull', 'merge'];
const shownKeys: readonly (readonly [Choice, string])[] = [
  ['push', 'P'],
  ['pull', 'L'],
  ['merge', 'M'],
  ['skip', 'S'],
];

interface ShownDiff {
  readonly title: string;
  readonly lines: readonly string[];
  /** Index of the first visible line. */
  top: number;
}

/** The review in a terminal. Draws the review session and forwards the choices of the person to it. */
export class ReviewScreen {
  readonly #review: ReviewControl;
  readonly #strings: ReviewStrings;
  #active = 0;
  #top = 0;
  #note = '';
  /** The version of each row and the revision of the review that were drawn last. */
  #drawn = new Map<string, number | undefined>();
  #drawnRevision = 0;
  #diff: ShownDiff | undefined;

  constructor(review: ReviewControl, strings: ReviewStrings) {
    this.#review = review;
    this.#strings = strings;
  }

  /** Handles a key. Resolves when the screen has to be drawn again. */
  async press(key: Key): Promise<void> {
    this.#note = '';
    try {
      if (this.#diff !== undefined) this.#pressInDiff(key, this.#diff);
      else await this.#pressInList(key);
    } catch (error) {
      this.#note = AppError.from(error).message;
    }
  }

  async #pressInList(key: Key): Promise<void> {
    const { rows } = this.#review.snapshot();
    const row = rows[this.#active];
    const choice = choiceByKey[key];
    const bulk = bulkByKey[key];
    const { restore } = this.#review.status();
    if (choice !== undefined && row !== undefined)
      return choicesOf(row, restore).includes(choice) ? this.#choose([row], choice) : undefined;
    if (bulk !== undefined) return this.#chooseAll(rows, bulk);
    const page = 10;
    switch (key) {
      case 'up':
      case 'k':
        return this.#moveTo(this.#active - 1, rows.length);
      case 'down':
      case 'j':
        return this.#moveTo(this.#active + 1, rows.length);
      case 'pageup':
        return this.#moveTo(this.#active - page, rows.length);
      case 'pagedown':
        return this.#moveTo(this.#active + page, rows.length);
      case 'home':
        return this.#moveTo(0, rows.length);
      case 'end':
        return this.#moveTo(rows.length - 1, rows.length);
      case 'n':
      case 'N':
        return this.#moveToUndecided(rows);
      case 'u':
        for (const suggestion of suggestions)
          this.#choose(
            rows.filter(one => one.defaultSelection === suggestion),
            suggestion,
          );
        return;
      case 'c':
        return this.#review.refresh();
      case 'enter':
        if (row?.hasSource === true) await this.#openDiff(row);
        return;
      case 'a':
        return this.#review.apply(this.#drawnRevision);
      case 'r':
        return this.#review.reject(this.#drawnRevision);
      default:
        return;
    }
  }

  #pressInDiff(key: Key, diff: ShownDiff): void {
    const steps: Readonly<Record<string, number>> = { up: -1, k: -1, down: 1, j: 1, pageup: -10, pagedown: 10 };
    const step = steps[key];
    if (step === undefined) this.#diff = undefined;
    else diff.top = Math.max(0, Math.min(diff.lines.length - 1, diff.top + step));
  }

  /** Draws the screen in at most `height` lines. */
  lines(width: number, height: number): readonly string[] {
    if (this.#diff !== undefined) return this.#drawDiff(this.#diff, width, height);
    const snapshot = this.#review.snapshot();
    const { rows } = snapshot;
    this.#active = Math.max(0, Math.min(this.#active, rows.length - 1));
    this.#drawn = new Map(rows.map(({ id }) => [id, this.#review.version(id)]));
    this.#drawnRevision = snapshot.revision;
    const head = this.#head(snapshot, width);
    const foot = this.#foot(snapshot, rows[this.#active], width).slice(-Math.max(0, height - head.length - 1));
    const space = Math.max(1, height - head.length - foot.length);
    if (this.#active < this.#top) this.#top = this.#active;
    if (this.#active >= this.#top + space) this.#top = this.#active - space + 1;
    const list = rows
      .slice(this.#top, this.#top + space)
      .map((row, index) => this.#rowLine(row, this.#top + index === this.#active, width));
    const blank = Array.from({ length: space - list.length }, () => '');
    return [...head, ...list, ...blank, ...foot].slice(0, height).map(line => line.trimEnd());
  }

  #head({ placeName, requestedBy, total, undecided, warnings, comparing }: ReviewSnapshot, width: number): string[] {
    const { title, changesOne, changesMany, undecidedOne, undecidedMany, allDecided, columns } = this.#strings;
    const counts = [
      fill(total === 1 ? changesOne : changesMany, total),
      undecided === 0 ? allDecided : fill(undecided === 1 ? undecidedOne : undecidedMany, undecided),
      ...(warnings.length === 0
        ? []
        : [fill(warnings.length === 1 ? this.#strings.warningsOne : this.#strings.warningsMany, warnings.length)]),
      ...(comparing ? [this.#strings.comparing] : []),
    ];
    return [
      fit(safeTerminalLine(`${title}: ${placeName}. ${fill(this.#strings.requestedBy, requestedBy)}`), width),
      fit(counts.join(', '), width),
      this.#columns(`  ${columns.change}`, columns.suggestion, columns.choice, width),
    ];
  }

  #rowLine(row: ReviewRow, isActive: boolean, width: number): string {
    const { choices: names, noDefault, undecided } = this.#strings;
    const mark = isActive ? '>' : ' ';
    const what = `${mark} ${fit(sideWords[row.patchType], 7)}${safeTerminalLine(row.path)} (${safeTerminalLine(row.className)})`;
    const suggestion = row.defaultSelection === null ? noDefault : names[row.defaultSelection];
    return this.#columns(what, suggestion, row.choice === null ? undecided : names[row.choice], width);
  }

  #columns(change: string, suggestion: string, choice: string, width: number): string {
    const side = Math.min(16, Math.floor(width / 4));
    return `${fit(change, Math.max(1, width - 2 * side - 2))} ${fit(suggestion, side)} ${fit(choice, side)}`;
  }

  #foot({ summary, undecided }: ReviewSnapshot, row: ReviewRow | undefined, width: number): string[] {
    const { applyBlockedOne, applyBlockedMany, apply, reject, nextUndecided, choices: names, bulk } = this.#strings;
    const { restore } = this.#review.status();
    const possible = row === undefined ? [] : choicesOf(row, restore);
    const choiceKeys = shownKeys.flatMap(([choice, key]) =>
      possible.includes(choice) ? [`${key} ${names[choice]}  `] : [],
    );
    const keys = [
      `${choiceKeys.join('')}(Shift: every row)  U ${bulk.defaults}  ${nextUndecided}`,
      `Enter ${this.#strings.details.openDiff}  C ${this.#strings.refresh}  A ${apply}  R ${reject}  Ctrl+C Cancel`,
    ];
    const blocked = undecided === 0 ? '' : fill(undecided === 1 ? applyBlockedOne : applyBlockedMany, undecided);
    return [
      '-'.repeat(width),
      ...(row === undefined ? [] : this.#details(row).flatMap(line => wrap(line, width))),
      '-'.repeat(width),
      fit(safeTerminalLine(this.#note === '' ? summary : this.#note), width),
      ...(this.#note === '' || blocked === '' ? [] : [fit(blocked, width)]),
      ...keys.flatMap(line => wrap(line, width)),
    ];
  }

  #details(row: ReviewRow): readonly string[] {
    const {
      kinds,
      reasons,
      details,
      choices: names,
      noDefault,
      agentAsked,
      verdicts,
      reopenedExplanation,
    } = this.#strings;
    const { name, explanation } = kinds[row.patchType];
    const suggestion = row.defaultSelection === null ? noDefault : names[row.defaultSelection];
    const effect = row.choice && this.#strings.effects[row.patchType][row.choice];
    const merged = describePersonMerge(row, this.#strings);
    return [
      `${row.path} (${row.className})`,
      `${details.kind}: ${name}. ${explanation}`,
      `${details.file}: ${fileOf(row, details)}`,
      `${details.suggestion}: ${suggestion} (${reasons[row.defaultReason]})`,
      ...(row.override === null
        ? []
        : [`${details.agent}: ${agentAsked[row.override.direction]} (${verdicts[row.override.verdict].name})`]),
      ...(effect === null ? [] : [`${details.effect}: ${effect}`]),
      ...(merged === undefined ? [] : [merged]),
      ...(row.merge?.preview === undefined ? [] : [`${details.merge}:`, ...row.merge.preview.split('\n')]),
      ...describeProperties(row.properties, details),
      ...(row.subtree === undefined ? [] : [`${details.contains}: ${row.subtree.listed.join(', ')}`]),
      ...(row.isReopened ? [`${details.status}: ${reopenedExplanation}`] : []),
      ...(row.reason === null ? [] : [reasonText(row.reason)]),
    ];
  }

  #moveTo(index: number, count: number): void {
    this.#active = Math.max(0, Math.min(count - 1, index));
  }

  #moveToUndecided(rows: readonly ReviewRow[]): void {
    const order = rows.map((_, step) => (this.#active + 1 + step) % rows.length);
    this.#active = order.find(index => rows[index]?.choice === null) ?? this.#active;
  }

  /** Chooses for rows that are still as they were drawn. */
  #choose(rows: readonly ReviewRow[], choice: Choice): void {
    const same = rows.filter(({ id }) => this.#drawn.has(id) && this.#drawn.get(id) === this.#review.version(id));
    if (same.length < rows.length) this.#note = this.#strings.reopenedExplanation;
    if (same.length > 0)
      this.#review.choose(
        same.map(({ id }) => id),
        choice,
      );
  }

  /** Push and pull leave deletions out; skip leaves decided rows as they are. */
  #chooseAll(rows: readonly ReviewRow[], choice: Choice): void {
    if (!commonChoices(this.#review.status().restore).some(one => one === choice)) return;
    const { deletionsLeftOne, deletionsLeftMany } = this.#strings.bulk;
    const wanted = choice === 'skip' ? rows.filter(row => row.choice === null) : rows;
    const chosen = wanted.filter(row => !isDeletion(row.patchType, choice));
    this.#choose(chosen, choice);
    const left = wanted.length - chosen.length;
    if (left > 0) this.#note = fill(left === 1 ? deletionsLeftOne : deletionsLeftMany, left);
  }

  async #openDiff(row: ReviewRow): Promise<void> {
    const texts = await this.#review.texts(row.id);
    this.#diff = { title: `${row.path} (${row.className})`, lines: diffLines(texts).map(safeTerminalLine), top: 0 };
  }

  #drawDiff({ title, lines, top }: ShownDiff, width: number, height: number): readonly string[] {
    const { inStudio, onDisk } = this.#strings.details;
    const head = [
      fit(safeTerminalLine(title), width),
      fit(`- ${inStudio}   + ${onDisk}   (any other key: back)`, width),
    ];
    const shown = lines.slice(top, top + Math.max(1, height - head.length));
    return [...head, ...shown.map(line => fit(line, width).trimEnd())].slice(0, height);
  }
}

function fileOf(row: ReviewRow, details: ReviewStrings['details']): string {
  const newFile = describeNewFile(row, details);
  if (row.fsPath === null) return newFile ?? (row.patchType === 'Remove' ? details.noFile : details.inProjectFile);
  return newFile === undefined ? row.fsPath : `${row.fsPath}. ${newFile}`;
}

const fill = (template: string, value: string | number): string => template.replace('{0}', String(value));
