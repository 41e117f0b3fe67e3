/** A sentence that is not translated yet. Translations are looked up by its English template. */
export interface Sentence {
  /** `{0}`, `{1}` are placeholders for the values. */
  readonly template: string;
  readonly values: readonly Value[];
}
/** Strings and numbers are inserted unchanged. Sentences are translated; several sentences are joined with commas. */
type Value = string | number | Sentence | readonly Sentence[];

/** Tags a template literal as a sentence. `scripts/generate-l10n.ts` collects these literals. */
export const say = (parts: TemplateStringsArray, ...values: readonly Value[]): Sentence => ({
  template: parts.map((part, at) => (at === 0 ? part : `{${at - 1}}${part}`)).join(''),
  values,
});

/** A sentence without values. */
export const plainSentence = (text: string): Sentence => ({ template: text, values: [] });

/** Joins sentences with `; `. */
export function joinWithSemicolons([first = plainSentence(''), ...others]: readonly Sentence[]): Sentence {
  return others.reduce((joined, one) => say`${joined}; ${one}`, first);
}

/** Translates `template` and inserts the values, as `vscode.l10n.t` does. */
export type Translate = (template: string, ...values: (string | number)[]) => string;

/** Renders the sentence as text. @param translate omitted: English */
export function formatSentence({ template, values }: Sentence, translate: Translate = fill): string {
  const textOf = (value: Value): string | number => {
    if (typeof value !== 'object') return value;
    return 'template' in value
      ? formatSentence(value, translate)
      : value.map(one => formatSentence(one, translate)).join(', ');
  };
  return translate(template, ...values.map(textOf));
}

/** Adds a full stop if the text has no final punctuation, for example because it ends with a quoted message. */
export const withFinalPeriod = (sentence: Sentence): Sentence =>
  /[.!?…]['"”’)]*$/.test(formatSentence(sentence)) ? sentence : { template: '{0}.', values: [sentence] };

const fill: Translate = (template, ...values) =>
  template.replaceAll(/\{(\d+)\}/g, (hole, at: string) => String(values[Number(at)] ?? hole));
