/** A sentence before it is said in a language: translations find it by its English template. */
export interface Sentence {
  /** `{0}`, `{1}` stand for the values. */
  readonly template: string;
  readonly values: readonly Value[];
}
/** Names, numbers and words of others stay as they are; sentences are translated too, several of them listed with commas. */
type Value = string | number | Sentence | readonly Sentence[];

/** A tag for template literals: `scripts/generate-l10n.ts` collects what it stands before. */
export const say = (parts: TemplateStringsArray, ...values: readonly Value[]): Sentence => ({
  template: parts.map((part, at) => (at === 0 ? part : `{${at - 1}}${part}`)).join(''),
  values,
});

/** A sentence without values. */
export const whole = (text: string): Sentence => ({ template: text, values: [] });

/** Several of them in one, with `; ` between. */
export function inRow([first = whole(''), ...others]: readonly Sentence[]): Sentence {
  return others.reduce((said, one) => say`${said}; ${one}`, first);
}

/** Finds the translation of `template` and fills it; `vscode.l10n.t` is one. */
export type Translate = (template: string, ...values: (string | number)[]) => string;

/** @param translate left out: English */
export function inWords({ template, values }: Sentence, translate: Translate = fill): string {
  const said = (value: Value): string | number => {
    if (typeof value !== 'object') return value;
    return 'template' in value ? inWords(value, translate) : value.map(one => inWords(one, translate)).join(', ');
  };
  return translate(template, ...values.map(said));
}

/** With a full stop, where the last words, which may be somebody else's, have none. */
export const ended = (sentence: Sentence): Sentence =>
  /[.!?…]['"”’)]*$/.test(inWords(sentence)) ? sentence : { template: '{0}.', values: [sentence] };

const fill: Translate = (template, ...values) =>
  template.replaceAll(/\{(\d+)\}/g, (hole, at: string) => String(values[Number(at)] ?? hole));
