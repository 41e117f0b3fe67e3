import { reasonText } from '../protocol/reason.ts';
import { AppError } from '../base/errors.ts';
import { counted } from '../base/plural.ts';
import { safeLine } from '../base/safe-text.ts';
import type { ReviewControl } from '../ports/review-surface.ts';
import { isDeletion } from '../protocol/deletion.ts';
import { choicesOf, commonChoices, describeNewFile, describePersonMerge } from '../protocol/row-choices.ts';
import type { ReviewRow } from '../protocol/review.ts';
import type { ReviewStrings } from '../protocol/review-strings.ts';
import { Choice } from '../protocol/sync-request.ts';
import { describeProperties } from '../protocol/value-text.ts';

/** One question of a form: a choice among named values. */
interface FormField {
  readonly type: 'string';
  readonly title: string;
  readonly description?: string;
  readonly oneOf: { readonly const: string; readonly title: string }[];
  readonly default?: string;
}

/** A form for a person, as in MCP's elicitation. */
export interface Form {
  readonly message: string;
  readonly requestedSchema: {
    readonly type: 'object';
    readonly properties: Record<string, FormField>;
    readonly required: string[];
  };
}

/** `decline`: the person said no; `cancel`: the person closed the form. */
export type FormAnswer =
  | { readonly action: 'accept'; readonly content: Readonly<Record<string, unknown>> }
  | { readonly action: 'decline' | 'cancel' };

/** Shows a form. Rejects when `signal` aborts, which closes the form. */
export type ShowForm = (form: Form, signal: AbortSignal) => Promise<FormAnswer>;

/** Changes on one form: a person has to read all of them. */
const PAGE_SIZE = 5;
/** Maximum number of consecutive answers without a valid choice: a client that never sends one would get forms until the review times out. */
const MAX_EMPTY_ANSWERS = 3;
const choices = Choice.options;

/**
 * Lets a person decide a review with forms: a few undecided changes at a time, then Apply or Reject. An answer is used only for changes
 * that are as they were shown; the others are shown again.
 *
 * @returns `decided` when the review is closed, here or elsewhere; `dismissed` when the person closed a form without an answer, or the
 *   answers have no choices
 */
export async function decideWithForms(
  review: ReviewControl,
  strings: ReviewStrings,
  show: ShowForm,
  signal: AbortSignal,
): Promise<'decided' | 'dismissed'> {
  const closed = new AbortController();
  const isOpen = (): boolean => review.status().phase === 'deciding' && !signal.aborted;
  using _watching = review.onDidChange(() => {
    if (!isOpen()) closed.abort();
  });
  const either = AbortSignal.any([signal, closed.signal]);
  const pages = new Pages(review, strings);
  let emptyAnswers = 0;
  while (isOpen()) {
    const page = pages.next();
    let answer: FormAnswer;
    try {
      answer = await show(page.form, either);
    } catch (error) {
      if (!isOpen()) return 'decided';
      throw error;
    }
    if (!isOpen()) return 'decided';
    if (answer.action === 'cancel') return 'dismissed';
    emptyAnswers = answer.action === 'accept' && !hasChoice(page.form, answer.content) ? emptyAnswers + 1 : 0;
    if (emptyAnswers === MAX_EMPTY_ANSWERS) return 'dismissed';
    try {
      if (answer.action === 'accept') page.use(answer.content);
      else review.reject(review.status().revision);
    } catch (error) {
      // The review has changed meanwhile. The next form shows its new state.
      if (!AppError.is(error, 'REVIEW_REFUSED')) throw error;
    }
  }
  return 'decided';
}

const hasChoice = ({ requestedSchema }: Form, content: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(requestedSchema.properties).some(([name, field]) =>
    field.oneOf.some(option => option.const === content[name]),
  );

interface Page {
  readonly form: Form;
  /** Uses the answers, by the names of the fields. */
  use(content: Readonly<Record<string, unknown>>): void;
}

type BulkChoice = 'each' | 'defaults' | Choice | 'reject';

/** The forms of one review, in the order in which a person sees them. */
class Pages {
  readonly #review: ReviewControl;
  readonly #strings: ReviewStrings;
  #hasOfferedBulk = false;
  /** The rows that the person wants to decide again, from the first one that is not shown yet. */
  #again: readonly string[] = [];

  constructor(review: ReviewControl, strings: ReviewStrings) {
    this.#review = review;
    this.#strings = strings;
  }

  next(): Page {
    const rows = this.#review.snapshot().rows.map(onOneLine);
    const again = new Set(this.#again);
    const open = rows.filter(row => row.choice === null || again.has(row.id));
    if (open.length > PAGE_SIZE && !this.#hasOfferedBulk) return this.#bulk(open);
    return open.length > 0 ? this.#rows(open) : this.#confirm(rows);
  }

  #choicesOf(row: ReviewRow): readonly Choice[] {
    return choicesOf(row, this.#review.status().restore);
  }

  #heading(): string {
    const { placeName, requestedBy, summary } = this.#review.status();
    return `${safeLine(`${placeName}: ${fill(this.#strings.requestedBy, requestedBy)}`)}\n${summary}`;
  }

  #bulk(open: readonly ReviewRow[]): Page {
    const { bulk, reject, undecidedMany } = this.#strings;
    const bulkTooltips = { push: bulk.pushTooltip, pull: bulk.pullTooltip, skip: bulk.skipTooltip };
    const options: readonly (readonly [BulkChoice, string])[] = [
      ['each', 'Decide each change'],
      ['defaults', bulk.defaultsTooltip],
      ...commonChoices(this.#review.status().restore).map(choice => [choice, bulkTooltips[choice]] as const),
      ['reject', `${reject}: ${this.#strings.rejectTooltip}`],
    ];
    const versions = this.#versions(open);
    const listed = open.slice(0, PAGE_SIZE).map(row => `- ${this.#describe(row)}`);
    const rest = open.length - listed.length;
    return {
      form: toForm(`${this.#heading()}\n\n${listed.join('\n')}\n- and ${rest} more`, {
        decision: {
          type: 'string',
          title: fill(undecidedMany, String(open.length)),
          oneOf: options.map(([value, title]) => ({ const: value, title })),
        },
      }),
      use: ({ decision }) => {
        this.#hasOfferedBulk = true;
        if (decision === 'reject') return this.#review.reject(this.#review.status().revision);
        const same = open.filter(row => this.#isSame(row.id, versions));
        if (decision === 'defaults')
          for (const choice of choices)
            this.#choose(
              same.filter(row => row.defaultSelection === choice),
              choice,
            );
        const choice = Choice.safeParse(decision);
        if (choice.success)
          this.#choose(
            same.filter(row => !isDeletion(row.patchType, choice.data)),
            choice.data,
          );
      },
    };
  }

  #rows(open: readonly ReviewRow[]): Page {
    const shown = open.slice(0, PAGE_SIZE);
    const versions = this.#versions(shown);
    const fields = shown.map((row, index): [string, FormField] => [`change${index + 1}`, this.#field(row)]);
    return {
      form: toForm(this.#heading(), Object.fromEntries(fields)),
      use: content => {
        for (const [index, row] of shown.entries()) {
          const choice = Choice.safeParse(content[`change${index + 1}`]);
          if (choice.success && this.#choicesOf(row).includes(choice.data) && this.#isSame(row.id, versions))
            this.#choose([row], choice.data);
        }
        const seen = new Set(shown.map(({ id }) => id));
        this.#again = this.#again.filter(id => !seen.has(id));
      },
    };
  }

  #confirm(rows: readonly ReviewRow[]): Page {
    const { apply, reject, rejectTooltip, details } = this.#strings;
    const { revision } = this.#review.status();
    const listed = rows.slice(0, PAGE_SIZE).map(row => {
      const effect = row.choice === null ? '' : this.#effect(row, row.choice);
      const newFile = row.choice === 'pull' ? describeNewFile(row, details) : undefined;
      return `- ${row.path}: ${effect}${newFile === undefined ? '' : ` ${newFile}.`}`;
    });
    const rest = rows.length > PAGE_SIZE ? [`- and ${rows.length - PAGE_SIZE} more`] : [];
    const options = [
      { const: 'apply', title: apply },
      { const: 'reject', title: `${reject}: ${rejectTooltip}` },
      ...(rows.length > 0 ? [{ const: 'again', title: 'Decide again' }] : []),
    ];
    return {
      form: toForm([this.#heading(), '', ...listed, ...rest].join('\n'), {
        decision: { type: 'string', title: this.#strings.columns.choice, oneOf: options },
      }),
      use: ({ decision }) => {
        if (decision === 'again') this.#again = rows.map(({ id }) => id);
        // The shown changes may have changed; the next form shows the new state.
        if (revision !== this.#review.status().revision) return;
        if (decision === 'apply') this.#review.apply(revision);
        else if (decision === 'reject') this.#review.reject(revision);
      },
    };
  }

  #field(row: ReviewRow): FormField {
    const suggested = row.choice ?? row.defaultSelection;
    return {
      type: 'string',
      title: `${row.path} (${row.className})`,
      description: this.#describe(row),
      oneOf: this.#choicesOf(row).map(choice => ({ const: choice, title: this.#effect(row, choice) })),
      ...(suggested !== null && { default: suggested }),
    };
  }

  #effect(row: ReviewRow, choice: Choice): string {
    return this.#strings.effects[row.patchType][choice];
  }

  #describe(row: ReviewRow): string {
    const {
      kinds,
      reasons,
      noDefault,
      choices: names,
      reopenedExplanation,
      agentAsked,
      verdicts,
      details,
    } = this.#strings;
    const { name, explanation } = kinds[row.patchType];
    const suggestion =
      row.defaultSelection === null ? noDefault : `${this.#strings.columns.suggestion}: ${names[row.defaultSelection]}`;
    const merged = describePersonMerge(row, this.#strings);
    const newFile = describeNewFile(row, details);
    const descendants = (row.subtree?.count ?? 1) - 1;
    return [
      `${row.path} (${row.className}). ${name}: ${explanation}`,
      `${suggestion} (${reasons[row.defaultReason]}).`,
      ...(row.hasSource ? ['The source differs.'] : []),
      ...(newFile === undefined ? [] : [`${row.fsPath === null ? '' : `${details.file}: ${row.fsPath}. `}${newFile}.`]),
      ...describeProperties(row.properties, details).map(line => `${safeLine(line)}.`),
      ...(row.merge?.preview === undefined ? [] : [`${names.merge}:\n${row.merge.preview}\n`]),
      ...(merged === undefined ? [] : [`${merged}.`]),
      ...(descendants > 0 ? [`With ${counted(descendants, 'descendant')}.`] : []),
      ...(row.override === null
        ? []
        : [`${agentAsked[row.override.direction]} (${verdicts[row.override.verdict].name}).`]),
      ...(row.isReopened ? [reopenedExplanation] : []),
      ...(row.reason === null ? [] : [safeLine(reasonText(row.reason))]),
    ].join(' ');
  }

  #versions(rows: readonly ReviewRow[]): ReadonlyMap<string, number | undefined> {
    return new Map(rows.map(({ id }) => [id, this.#review.version(id)]));
  }

  #isSame(id: string, shown: ReadonlyMap<string, number | undefined>): boolean {
    return shown.get(id) !== undefined && this.#review.version(id) === shown.get(id);
  }

  #choose(rows: readonly ReviewRow[], choice: Choice): void {
    if (rows.length > 0)
      this.#review.choose(
        rows.map(({ id }) => id),
        choice,
      );
  }
}

/** The row with names that cannot forge a line of a form. */
const onOneLine = (row: ReviewRow): ReviewRow => ({
  ...row,
  path: safeLine(row.path),
  className: safeLine(row.className),
  fsPath: row.fsPath === null ? null : safeLine(row.fsPath),
  ...(row.newFile === undefined ? {} : { newFile: safeLine(row.newFile) }),
});

const toForm = (message: string, properties: Record<string, FormField>): Form => ({
  message,
  requestedSchema: { type: 'object', properties, required: Object.keys(properties) },
});

const fill = (template: string, value: string): string => template.replace('{0}', value);
